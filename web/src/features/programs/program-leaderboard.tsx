import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { StoreLeaderboard } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { formats } from '../../messages/messages.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

type ProgramLeaderboardProps = { readonly store: string; readonly program: string; readonly mayChange: boolean };

/** The members who chose to appear, by approved commissions of the month; off until the merchant switches it on. */
export function ProgramLeaderboard({ store, program, mayChange }: ProgramLeaderboardProps) {
  const client = useQueryClient();
  const path = apiPath('/stores/{store}/programs/{program}/leaderboard', { store, program });
  const board = useQuery(apiQuery<'/stores/{store}/programs/{program}/leaderboard'>(path));
  const change = async (isOn: boolean) => {
    await api.put(path, { is_on: isOn });
    await refresh(client, path);
  };
  const remove = async (member: string) => {
    await api.post(apiPath('/stores/{store}/programs/{program}/members/{member}/remove-display-name', { store, program, member }));
    await refresh(client, path);
  };
  return (
    <Section
      title={t.program_leaderboard.leaderboard}
      intro={t.program_leaderboard.intro}
      actions={mayChange && board.isSuccess && <SwitchButton isOn={board.data.is_on} change={change} />}
    >
      <QueryView query={board}>
        {(data) => <Entries board={data} columns={mayChange ? [...columnsOf(store), removeColumn(remove)] : columnsOf(store)} />}
      </QueryView>
    </Section>
  );
}

function SwitchButton({ isOn, change }: { readonly isOn: boolean; readonly change: (isOn: boolean) => Promise<void> }) {
  return (
    <ConfirmButton
      key={String(isOn)}
      label={isOn ? t.program_leaderboard.switch_off : t.program_leaderboard.switch_on}
      title={isOn ? t.program_leaderboard.switch_off_question : t.program_leaderboard.switch_on_question}
      confirm={isOn ? t.program_leaderboard.switch_off : t.program_leaderboard.switch_on}
      run={() => change(!isOn)}
    >
      <p>{isOn ? t.program_leaderboard.switch_off_text : t.program_leaderboard.switch_on_text}</p>
    </ConfirmButton>
  );
}

type Entry = StoreLeaderboard['entries'][number];
type EntriesProps = { readonly board: StoreLeaderboard; readonly columns: ReadonlyArray<Column<Entry>> };

function Entries({ board, columns }: EntriesProps) {
  if (!board.is_on) return <EmptyState title={t.program_leaderboard.is_off}>{t.program_leaderboard.is_off_text}</EmptyState>;
  if (board.entries.length === 0)
    return <EmptyState title={t.program_leaderboard.no_entries}>{t.program_leaderboard.no_entries_text}</EmptyState>;
  return (
    <>
      <Table
        caption={t.program_leaderboard.leaderboard}
        columns={columns}
        rows={board.entries}
        keyOf={({ creator_id: creator }) => creator}
      />
      {!board.is_complete && <p className={styles.note}>{t.program_leaderboard.is_partial}</p>}
    </>
  );
}

const columnsOf = (store: string): ReadonlyArray<Column<Entry>> => [
  { title: t.program_leaderboard.rank, cell: ({ rank }) => formats.number(rank), priority: true },
  {
    title: t.program_leaderboard.display_name,
    cell: ({ name, creator_id: creator }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
        {name}
      </TextLink>
    ),
    priority: true,
  },
  { title: t.program_leaderboard.approved, kind: 'number', cell: ({ approved }) => formats.number(approved), priority: true },
];

const removeColumn = (remove: (member: string) => Promise<void>): Column<Entry> => ({
  title: t.program_leaderboard.action,
  kind: 'actions',
  cell: ({ name, member_id: member }) => (
    <ConfirmButton
      label={t.program_leaderboard.remove_name}
      subject={name}
      title={t.program_leaderboard.remove_name_question({ name })}
      confirm={t.program_leaderboard.remove_name}
      variant="subtle"
      danger
      run={() => remove(member)}
    >
      <p>{t.program_leaderboard.remove_name_text}</p>
    </ConfirmButton>
  ),
});

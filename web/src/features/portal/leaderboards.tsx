import { useQueryClient } from '@tanstack/react-query';
import type { Leaderboard } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { formats } from '../../messages/messages.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { hasRowsOrError, ListView, useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

const displayNameLengthMax = 60;
const boardsPerPage = 10;

/** The leaderboards of the creator's programs; hidden when no merchant has switched one on. */
export function Leaderboards() {
  const creator = useCreatorId();
  const list = useShortList(apiPath('/creators/{creator}/leaderboards', { creator }), { rowsPerPage: boardsPerPage });
  if (!hasRowsOrError(list)) return null;
  return (
    <Section title={t.leaderboards.leaderboards} intro={t.leaderboards.intro}>
      <ListView list={list} empty={null}>
        {(rows) => (
          <ul className={styles.invitations}>
            {rows.map((board) => (
              <li key={board.member_id}>
                <Board board={board} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </Section>
  );
}

function Board({ board }: { readonly board: Leaderboard }) {
  const { program_name: program, store_name: store, own, entries, is_complete: isComplete } = board;
  return (
    <>
      <h3 className={styles.invitationTitle}>{t.leaderboards.program_of_store({ program, store })}</h3>
      <p>{own.rank === null ? t.leaderboards.own_none : t.leaderboards.own_rank({ rank: own.rank, approved: own.approved })}</p>
      {entries.length === 0 ? (
        <p className={styles.muted}>{t.leaderboards.no_entries}</p>
      ) : (
        <Table caption={t.leaderboards.leaderboard_of({ program })} columns={columns} rows={entries} keyOf={({ name }) => name} />
      )}
      {!isComplete && <p className={styles.muted}>{t.leaderboards.is_partial}</p>}
      <Appearance board={board} />
    </>
  );
}

type Entry = Leaderboard['entries'][number];
const columns: ReadonlyArray<Column<Entry>> = [
  { title: t.leaderboards.rank, cell: ({ rank }) => formats.number(rank), priority: true },
  {
    title: t.leaderboards.name,
    cell: ({ name, is_own: isOwn }) => (isOwn ? <strong>{t.leaderboards.you({ name })}</strong> : name),
    priority: true,
  },
  { title: t.leaderboards.approved, kind: 'number', cell: ({ approved }) => formats.number(approved), priority: true },
];

/** Whether the creator appears, and under which name. */
function Appearance({ board }: { readonly board: Leaderboard }) {
  const creator = useCreatorId();
  const client = useQueryClient();
  const { member_id: member, program_name: program, display_name: shown, removed } = board;
  const choose = async (name: string | null) => {
    await api.put(apiPath('/creators/{creator}/memberships/{member}/leaderboard', { creator, member }), { display_name: name });
    await refresh(client, apiPath('/creators/{creator}/leaderboards', { creator }));
  };
  return (
    <>
      <p className={styles.muted}>
        {shown !== null
          ? t.leaderboards.shown_as({ name: shown })
          : removed !== null
            ? t.leaderboards.removed({ name: removed.name, day: formatUtcDay(removed.at.slice(0, 10)) })
            : t.leaderboards.not_shown}
      </p>
      <Form
        key={shown}
        send={(values) => choose(values.text('display_name'))}
        submit={shown === null ? t.leaderboards.appear : t.leaderboards.change_name}
        beside={
          shown !== null && (
            <ConfirmButton
              label={t.leaderboards.stop}
              subject={program}
              title={t.leaderboards.stop_question({ program })}
              confirm={t.leaderboards.stop}
              run={() => choose(null)}
            >
              <p>{t.leaderboards.stop_text}</p>
            </ConfirmButton>
          )
        }
      >
        <TextField name="display_name" label={t.leaderboards.display_name} maxLength={displayNameLengthMax} defaultValue={shown ?? ''} />
      </Form>
    </>
  );
}

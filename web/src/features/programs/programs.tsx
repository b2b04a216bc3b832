import { useParams } from '@tanstack/react-router';
import type { Program } from '../../api/api-schema.ts';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsPath } from './programs-api.ts';
import { ProgramStatusChip } from './program-status-chip.tsx';
import { t } from './messages.ts';

export function Programs() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useShortList(programsPath(store));
  const mayCreate = usePermission(store)('programs:write');
  return (
    <Page
      title={t.programs.programs}
      intro={t.programs.a_program_says_what_partners}
      actions={
        list.rows.length > 0 &&
        mayCreate && (
          <ButtonLink to="/stores/$store/new-program" params={{ store }}>
            {t.programs.create_a_program}
          </ButtonLink>
        )
      }
    >
      <Section title={t.programs.all_programs} bare flush>
        <ProgramTable store={store} list={list} />
      </Section>
    </Page>
  );
}

type ProgramList = ReturnType<typeof useShortList<'/stores/{store}/programs'>>;

function ProgramTable({ store, list }: { readonly store: string; readonly list: ProgramList }) {
  const mayCreate = usePermission(store)('programs:write');
  return (
    <ListView
      caption={t.programs.programs}
      list={list}
      columns={columnsOf(store)}
      keyOf={({ id }) => id}
      empty={
        <EmptyState
          title={t.programs.no_program_yet}
          action={
            mayCreate && (
              <ButtonLink to="/stores/$store/new-program" params={{ store }}>
                {t.programs.create_the_first_program}
              </ButtonLink>
            )
          }
        >
          {mayCreate ? t.programs.create_one_give_it_terms : t.programs.nothing_is_earned_until_somebody}
        </EmptyState>
      }
    />
  );
}

const approvalText = ({ approval, auto_approve_days: days }: Program): string =>
  approval === 'auto' ? t.programs.after({ value: days ?? 0 }) : t.programs.by_hand;

const columnsOf = (store: string): ReadonlyArray<Column<Program>> => [
  {
    title: t.programs.name,
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: t.programs.state, cell: ({ status }) => <ProgramStatusChip status={status} /> },
  { title: t.programs.click_counts, kind: 'number', cell: ({ attribution_days: days }) => formatCount(days, 'day') },
  { title: t.programs.hold, kind: 'number', cell: ({ hold_days: days }) => formatCount(days, 'day') },
  { title: t.programs.approval, cell: (program) => approvalText(program) },
  { title: t.programs.created, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];

import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Program } from '../../../../sdk/src/api-schema.ts';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { type List, ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { SearchParam } from '../../ui/search-params.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsPath } from './programs-api.ts';
import { ProgramStatusChip } from './program-status-chip.tsx';
import { t } from './messages.ts';

const searchLengthMax = 100;

export function Programs() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useList<'/stores/{store}/programs', SearchParam>({
    search: useSearch({ from: '/signed-in/stores/$store/programs' }),
    navigate: useNavigate({ from: '/stores/$store/programs' }),
    path: programsPath(store),
    fields: [{ type: 'search', name: 'q', label: t.programs.name, lengthMax: searchLengthMax }],
    defaultSort: '-created_at',
  });
  const mayCreate = usePermission(store)('programs:write');
  return (
    <Page
      title={t.programs.programs}
      intro={t.programs.a_program_defines_what_creators}
      actions={
        list.rows.length > 0 &&
        mayCreate && (
          <ButtonLink to="/stores/$store/new-program" params={{ store }}>
            {t.programs.create_program}
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

type ProgramList = List<'/stores/{store}/programs', SearchParam>;

function ProgramTable({ store, list }: { readonly store: string; readonly list: ProgramList }) {
  const mayCreate = usePermission(store)('programs:write');
  return (
    <ListView
      caption={t.programs.programs}
      list={list}
      columns={columnsOf(store)}
      keyOf={({ id }) => id}
      empty={
        list.isFiltered ? (
          <EmptyState title={t.programs.no_programs_match}>{t.programs.search_by_any_part_of}</EmptyState>
        ) : (
          <EmptyState
            title={t.programs.no_programs_yet}
            action={
              mayCreate && (
                <ButtonLink to="/stores/$store/new-program" params={{ store }}>
                  {t.programs.create_your_first_program}
                </ButtonLink>
              )
            }
          >
            {mayCreate ? t.programs.create_a_program_set_its : t.programs.creators_cant_earn_until_an}
          </EmptyState>
        )
      }
    />
  );
}

const approvalText = ({ approval, auto_approve_days: days }: Program): string =>
  approval === 'auto' ? t.programs.after_days({ value: days ?? 0 }) : t.programs.manual_review;

const columnsOf = (store: string): ReadonlyArray<Column<Program>> => [
  {
    title: t.programs.name,
    kind: 'name',
    sort: 'name',
    priority: true,
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.programs.state, priority: true, cell: ({ status }) => <ProgramStatusChip status={status} /> },
  { title: t.programs.attribution_window, kind: 'number', cell: ({ attribution_days: days }) => formatCount(days, 'day') },
  { title: t.programs.refund_hold, kind: 'number', cell: ({ hold_days: days }) => formatCount(days, 'day') },
  { title: t.programs.approval, cell: (program) => approvalText(program) },
  { title: t.programs.created, sort: 'created_at', priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];

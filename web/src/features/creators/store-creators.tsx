import { apiPath } from '../../api/operations.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { StoreCreator } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { hasRowsOrError, useShortList, ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { FilterButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { CreatorFilter } from '../stores/store-search-params.ts';
import { storeCreatorsPath } from './creators-api.ts';
import { InviteCreators } from './invite-creators.tsx';
import { MemberActions, MemberStatusChip } from './member-status.tsx';

const statuses = [
  ['applied', 'Applied'],
  ['approved', 'Approved'],
  ['paused', 'Paused'],
  ['removed', 'Removed'],
] as const;
const searchLengthMax = 100;

/** The creators of all programs: open applications, the results of each creator, and invitations. */
export function StoreCreators() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/creators' });
  const navigate = useNavigate({ from: '/stores/$store/creators' });
  const mayChange = usePermission(store)('programs:write');
  const programs = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/stores/{store}/creators', CreatorFilter>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: storeCreatorsPath(store),
    defaultSort: '-created_at',
    fields: [
      { type: 'search', name: 'q', label: 'Name begins with', lengthMax: searchLengthMax },
      { type: 'select', name: 'status', label: 'State', options: statuses },
      { type: 'select', name: 'program_id', label: 'Program', options: programs.map(({ id, name }) => [id, name] as const) },
      { type: 'days', from: { name: 'from', label: 'Figures from, UTC' }, to: { name: 'to', label: 'Figures to, UTC' }, utc: true },
      {
        type: 'active',
        name: 'creator_id',
        label: 'Creator',
        text: (rows) => rows.find(({ creator_id: id }) => id === search.creator_id)?.creator_name,
      },
    ],
  });
  return (
    <Page
      title="Creators"
      intro="Who promotes your store, and what came through the links of each. Whoever takes part in two programs is listed in both."
      actions={<ExportCsvButton path={list.exportPath} name="creators.csv" />}
    >
      <Applications store={store} mayChange={mayChange} />
      <Section
        title="All creators"
        intro="Amounts are in USD. Commission is what the orders opened, whatever was decided on it since, less what was refunded."
        flush
      >
        <ListView
          list={list}
          caption="All creators"
          columns={columnsOf({ store, mayChange, setFilter: list.setFilter })}
          keyOf={({ id }) => id}
          empty={<EmptyCreators store={store} isFiltered={list.isFiltered} />}
        />
      </Section>
      <InviteCreators store={store} mayChange={mayChange} />
    </Page>
  );
}

type ColumnOptions = { readonly store: string; readonly mayChange: boolean; readonly setFilter: (changed: CreatorFilter) => void };

const columnsOf = ({ store, mayChange, setFilter }: ColumnOptions): ReadonlyArray<Column<StoreCreator>> => [
  {
    title: 'Creator',
    kind: 'name',
    cell: ({ creator_id: id, creator_name: name }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ creator_id: id }} fw={600} title={`Conversions of ${name}`}>
        {name}
      </TextLink>
    ),
  },
  {
    title: 'Program',
    cell: ({ program_id: id, program_name: name }) => <FilterButton name={name} narrow={() => setFilter({ program_id: id })} />,
  },
  { title: 'State', cell: (member) => <MemberStatusChip {...member} /> },
  { title: 'Since', sort: 'since', cell: ({ since }) => <Time at={since} dateOnly /> },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  ...(mayChange
    ? [
        {
          title: 'Change',
          kind: 'actions' as const,
          cell: (member: StoreCreator) => <MemberActions store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];

function EmptyCreators({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState title="Nobody takes part yet">
        Send the address of a program to creators you know: it says what they earn, and lets them apply.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Nobody matches"
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creators" params={{ store }}>
          Show all creators
        </ButtonLink>
      }
    >
      Widen the filter. A search finds the beginning of a name.
    </EmptyState>
  );
}

type ApplicationsProps = { readonly store: string; readonly mayChange: boolean };

/** Open applications; hidden when there are none, which is the usual case. */
function Applications({ store, mayChange }: ApplicationsProps) {
  const list = useShortList(apiPath('/stores/{store}/creators', { store }, { status: 'applied' }));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title="Applications"
      intro={
        mayChange ? 'They see your answer in their own pages, and make links once you approve.' : 'Owners and marketers decide on these.'
      }
      flush
    >
      <ListView caption="Applications" list={list} keyOf={({ id }) => id} columns={applicationColumns(store, mayChange)} empty={null} />
    </Section>
  );
}

const applicationColumns = (store: string, mayChange: boolean): ReadonlyArray<Column<StoreCreator>> => [
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => <strong>{name}</strong> },
  { title: 'Asks to take part in', cell: ({ program_name: name }) => name },
  { title: 'Applied', cell: ({ since }) => <Time at={since} /> },
  ...(mayChange
    ? [
        {
          title: 'Decide',
          kind: 'actions' as const,
          cell: (member: StoreCreator) => <MemberActions store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];

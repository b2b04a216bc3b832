import { keepPreviousData, useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { StoreCreator } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { DateFilter, DaysFilter, Filters, ActiveFilter, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import { useHasRowsOrError, apiQuery, apiListQuery } from '../../ui/queries.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { FilterButton } from '../../ui/row-buttons.tsx';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { Table, LoadingSkeleton, type Column, PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { CreatorFilter } from '../stores/store-search-params.ts';
import { storeCreatorsPath } from './creators-api.ts';
import styles from './creators.module.css';
import { InviteCreators } from './invite-creators.tsx';
import { MemberActions, MemberStatusChip } from './member-status.tsx';

const rowsPerPage = 50;

/** The creators of all programs: open applications, the results of each creator, and invitations. */
export function StoreCreators() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { cursor, back, ...filter } = useSearch({ from: '/signed-in/stores/$store/creators' });
  const navigate = useNavigate({ from: '/stores/$store/creators' });
  const mayChange = usePermission(store)('programs:write');
  const path = storeCreatorsPath(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: FilterCreators = (changed) =>
    void navigate({ search: (now) => ({ ...withoutPosition(now), ...changed }), replace: 'q' in changed, resetScroll: false });
  const rows = page.data?.data ?? [];
  return (
    <Page
      title="Creators"
      intro="Who promotes your store, and what came through the links of each. Whoever takes part in two programs is listed in both."
      actions={<ExportCsvButton path={storeCreatorsPath(store, filter, {})} name="creators.csv" />}
    >
      <Applications store={store} mayChange={mayChange} />
      <Section
        title="All creators"
        intro="Amounts are in USD. Commission is what the orders opened, whatever was decided on it since, less what was refunded."
        flush
      >
        <CreatorFilters store={store} filter={filter} rows={rows} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <LoadingSkeleton lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <EmptyCreators store={store} isFiltered={Object.keys(filter).length > 0} />}
        {rows.length > 0 && (
          <Table caption="All creators" columns={columnsOf({ store, mayChange, narrow })} rows={rows} keyOf={({ id }) => id} />
        )}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(target) => void navigate({ search: { ...filter, ...target } })} />
        )}
      </Section>
      <InviteCreators store={store} mayChange={mayChange} />
    </Page>
  );
}

type ColumnOptions = { readonly store: string; readonly mayChange: boolean; readonly narrow: FilterCreators };

const columnsOf = ({ store, mayChange, narrow }: ColumnOptions): ReadonlyArray<Column<StoreCreator>> => [
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
    cell: ({ program_id: id, program_name: name }) => <FilterButton name={name} narrow={() => narrow({ program_id: id })} />,
  },
  { title: 'State', cell: (member) => <MemberStatusChip {...member} /> },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
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
  const list = apiListQuery(storeCreatorsPath(store, { status: 'applied' }, {}));
  if (!useHasRowsOrError(list)) return null;
  return (
    <Section
      title="Applications"
      intro={
        mayChange ? 'They see your answer in their own pages, and make links once you approve.' : 'Owners and marketers decide on these.'
      }
      flush
    >
      <PagedTable caption="Applications" list={list} keyOf={({ id }) => id} columns={applicationColumns(store, mayChange)} empty={null} />
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

const statuses = [
  ['applied', 'Applied'],
  ['approved', 'Approved'],
  ['paused', 'Paused'],
  ['removed', 'Removed'],
] as const;
const searchLengthMax = 100;

type FilterCreators = (changed: Partial<Record<keyof CreatorFilter, string | undefined>>) => void;
type CreatorFiltersProps = {
  readonly store: string;
  readonly filter: CreatorFilter;
  readonly rows: readonly StoreCreator[];
  readonly narrow: FilterCreators;
  readonly clear: () => void;
};

function CreatorFilters({ store, filter, rows, narrow, clear }: CreatorFiltersProps) {
  const programs = useInfiniteQuery(programsQuery(store));
  const named = programs.data?.pages.flatMap(({ data }) => data).map(({ id, name }) => [id, name] as const) ?? [];
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Name begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.status} options={statuses} change={(status) => narrow({ status })} />
      <SelectFilter label="Program" value={filter.program_id} options={named} change={(program) => narrow({ program_id: program })} />
      <DaysFilter>
        <DateFilter label="Figures from, UTC" value={filter.from} most={filter.to} change={(from) => narrow({ from })} />
        <DateFilter label="Figures to, UTC" value={filter.to} least={filter.from} change={(to) => narrow({ to })} />
      </DaysFilter>
      {creator !== undefined && <ActiveFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
    </Filters>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Subscription } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { Filters, ActiveFilter, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { SubscriptionFilter } from '../stores/store-search-params.ts';
import { SubscriptionStatusChips } from './subscription-status-chips.tsx';
import { SubscriptionDrawer } from './subscription-drawer.tsx';
import { productText, subscriptionListPath, subscriptionTotalsPath } from './subscriptions-api.ts';
import styles from './subscriptions.module.css';

const rowsPerPage = 50;
const searchLengthMax = 100;

type FilterSubscriptions = (changed: Partial<Record<keyof SubscriptionFilter, string | undefined>>) => void;

/** The store's subscriptions, their creators, and their earnings. */
export function Subscriptions() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { cursor, back, open, ...filter } = useSearch({ from: '/signed-in/stores/$store/subscriptions' });
  const navigate = useNavigate({ from: '/stores/$store/subscriptions' });
  const path = subscriptionListPath(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: FilterSubscriptions = (changed) =>
    void navigate({ search: (now) => ({ ...withoutPosition(now), ...changed }), replace: 'q' in changed });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const rows = page.data?.data ?? [];
  return (
    <Page
      title="Subscriptions"
      intro="Subscriptions that came through a creator. Each paid invoice earns by the rule that held when it began."
      actions={<ExportCsvButton path={subscriptionListPath(store, filter, {})} name="subscriptions.csv" />}
    >
      <Section title="Subscriptions" bare flush>
        <SubscriptionFilters filter={filter} rows={rows} narrow={narrow} clear={() => void navigate({ search: {} })} />
        <ListTotals query={apiQuery(subscriptionTotalsPath(store, filter))} one="subscription" more="subscriptions" />
        {page.isPending && <LoadingSkeleton lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <EmptySubscriptions store={store} filter={filter} />}
        {rows.length > 0 && <Table caption="Subscriptions" columns={columnsOf({ show, narrow })} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(target) => void navigate({ search: { ...filter, ...target } })} />
        )}
      </Section>
      <SubscriptionDrawer store={store} id={open} close={() => show(undefined)} />
    </Page>
  );
}

const columnsOf = ({
  show,
  narrow,
}: {
  readonly show: (id: string) => void;
  readonly narrow: FilterSubscriptions;
}): ReadonlyArray<Column<Subscription>> => [
  {
    title: 'Subscription',
    cell: ({ id, relationship_id: name }) => <OpenButton open={() => show(id)}>{name}</OpenButton>,
  },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => narrow({ creator_id: id })} />,
  },
  { title: 'Product', cell: (row) => productText(row) },
  { title: 'Bound', cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Paid invoices', kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: (row) => <SubscriptionStatusChips subscription={row} /> },
];

type SubscriptionFiltersProps = {
  readonly filter: SubscriptionFilter;
  readonly rows: readonly Subscription[];
  readonly narrow: FilterSubscriptions;
  readonly clear: () => void;
};

const states = [
  ['active', 'Active'],
  ['ended', 'Ended'],
] as const;
const holdOptions = [
  ['true', 'Waits for a decision'],
  ['false', 'Not held'],
] as const;

function SubscriptionFilters({ filter, rows, narrow, clear }: SubscriptionFiltersProps) {
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Subscription begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.state} options={states} change={(state) => narrow({ state })} />
      <SelectFilter label="Review" value={filter.held} options={holdOptions} change={(held) => narrow({ held })} />
      {creator !== undefined && <ActiveFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
    </Filters>
  );
}

function EmptySubscriptions({ store, filter }: { readonly store: string; readonly filter: SubscriptionFilter }) {
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState
        title={filter.held === 'true' ? 'Nothing waits for you' : 'Nothing matches'}
        action={
          <ButtonLink variant="default" size="xs" to="/stores/$store/subscriptions" params={{ store }}>
            Show all subscriptions
          </ButtonLink>
        }
      >
        {filter.held === 'true'
          ? 'A subscription is held when an invoice is for another product or price than the one that was bound.'
          : 'Widen the filter. A search finds the beginning of a subscription’s ID, letter by letter.'}
      </EmptyState>
    );
  return (
    <EmptyState
      title="No subscription yet"
      action={
        <ButtonLink variant="default" to="/stores/$store/integration" params={{ store }}>
          See the integration
        </ButtonLink>
      }
    >
      If your shop sells subscriptions, let its server bind each one to its click when it begins; then report its invoices. A shop of single
      orders needs nothing here.
    </EmptyState>
  );
}

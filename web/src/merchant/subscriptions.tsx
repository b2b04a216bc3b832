import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Filters, PickedFilter, SearchFilter, SelectFilter } from '../parts/filters.tsx';
import { ListTotals } from '../parts/list-totals.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { SaveCsv } from '../parts/save-buttons.tsx';
import { Narrower, Opener } from '../parts/row-buttons.tsx';
import { withoutPlace, type Position } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { SubscriptionFilter } from './list-search.ts';
import { SubscriptionChips } from './subscription-chips.tsx';
import { SubscriptionDrawer } from './subscription-drawer.tsx';
import { productWords, subscriptionList, subscriptionTotals, type Subscription } from './subscriptions-api.ts';
import styles from './subscriptions.module.css';

const rowsPerPage = 50;
const searchedMax = 100;

type Narrow = (changed: Partial<Record<keyof SubscriptionFilter, string | undefined>>) => void;

/** Who pays again and again, through whom they came, and what it has earned. */
export function Subscriptions() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { cursor, back, open, ...filter } = useSearch({ from: '/inside/stores/$store/subscriptions' });
  const navigate = useNavigate({ from: '/stores/$store/subscriptions' });
  const path = subscriptionList(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...reading<PageOf<Subscription>>(path), placeholderData: keepPreviousData });
  const position: Position = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: Narrow = (changed) => void navigate({ search: (now) => ({ ...withoutPlace(now), ...changed }), replace: 'q' in changed });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const rows = page.data?.data ?? [];
  return (
    <Page
      title="Subscriptions"
      intro="Subscriptions that came through a creator. Each paid invoice earns by the rule that held when it began."
      actions={<SaveCsv path={subscriptionList(store, filter, {})} name="subscriptions.csv" />}
    >
      <Section title="Subscriptions" bare flush>
        <SubscriptionFilters filter={filter} rows={rows} narrow={narrow} clear={() => void navigate({ search: {} })} />
        <ListTotals path={subscriptionTotals(store, filter)} one="subscription" more="subscriptions" />
        {page.isPending && <Waiting lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <EmptySubscriptions store={store} filter={filter} />}
        {rows.length > 0 && <Table caption="Subscriptions" columns={columnsOf({ show, narrow })} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
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
  readonly narrow: Narrow;
}): ReadonlyArray<Column<Subscription>> => [
  {
    title: 'Subscription',
    cell: ({ id, relationship_id: name }) => <Opener open={() => show(id)}>{name}</Opener>,
  },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <Narrower name={name} narrow={() => narrow({ creator_id: id })} />,
  },
  { title: 'Product', cell: (row) => productWords(row) },
  { title: 'Bound', cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Paid invoices', kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  { title: 'State', cell: (row) => <SubscriptionChips subscription={row} /> },
];

type SubscriptionFiltersProps = {
  readonly filter: SubscriptionFilter;
  readonly rows: readonly Subscription[];
  readonly narrow: Narrow;
  readonly clear: () => void;
};

const states = [
  ['active', 'Active'],
  ['ended', 'Ended'],
] as const;
const holds = [
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
        lengthMax={searchedMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.state} options={states} change={(state) => narrow({ state })} />
      <SelectFilter label="Review" value={filter.held} options={holds} change={(held) => narrow({ held })} />
      {creator !== undefined && <PickedFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
    </Filters>
  );
}

function EmptySubscriptions({ store, filter }: { readonly store: string; readonly filter: SubscriptionFilter }) {
  if (Object.keys(filter).length > 0)
    return (
      <Empty
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
      </Empty>
    );
  return (
    <Empty
      title="No subscription yet"
      action={
        <ButtonLink variant="default" to="/stores/$store/integration" params={{ store }}>
          See the integration
        </ButtonLink>
      }
    >
      If your shop sells subscriptions, let its server bind each one to its click when it begins; then report its invoices. A shop of single
      orders needs nothing here.
    </Empty>
  );
}

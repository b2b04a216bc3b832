import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { formatDollars } from '../../ui/format.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import type { Subscription } from '../../api/api-schema.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { SubscriptionFilter } from '../stores/store-search-params.ts';
import { SubscriptionStatusChips } from './subscription-status-chips.tsx';
import { SubscriptionDrawer } from './subscription-drawer.tsx';
import { productText, subscriptionsPath, subscriptionTotalsPath } from './subscriptions-api.ts';

const searchLengthMax = 100;
const states = [
  ['active', 'Active'],
  ['ended', 'Ended'],
] as const;
const holdOptions = [
  ['true', 'Waits for a decision'],
  ['false', 'Not held'],
] as const;

/** The store's subscriptions, their creators, and their earnings. */
export function Subscriptions() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/subscriptions' });
  const navigate = useNavigate({ from: '/stores/$store/subscriptions' });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const list = useList<'/stores/{store}/relationships', SubscriptionFilter>({
    search,
    navigate,
    path: subscriptionsPath(store),
    fields: [
      { type: 'search', name: 'q', label: 'Subscription begins with', lengthMax: searchLengthMax },
      { type: 'select', name: 'state', label: 'State', options: states },
      { type: 'select', name: 'held', label: 'Review', options: holdOptions },
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
      title="Subscriptions"
      intro="Subscriptions that came through a creator. Each paid invoice earns by the rule that held when it began."
      actions={<ExportCsvButton path={list.exportPath} name="subscriptions.csv" />}
    >
      <Section title="Subscriptions" bare flush>
        <ListView
          list={list}
          totals={<ListTotals query={apiQuery(subscriptionTotalsPath(store, list.filter))} one="subscription" more="subscriptions" />}
          caption="Subscriptions"
          columns={columnsOf({ show, setFilter: list.setFilter })}
          keyOf={({ id }) => id}
          empty={<EmptySubscriptions store={store} filter={list.filter} />}
        />
      </Section>
      <SubscriptionDrawer store={store} id={search.open} close={() => show(undefined)} />
    </Page>
  );
}

type ColumnOptions = {
  readonly show: (id: string) => void;
  readonly setFilter: (changed: SubscriptionFilter) => void;
};

const columnsOf = ({ show, setFilter }: ColumnOptions): ReadonlyArray<Column<Subscription>> => [
  {
    title: 'Subscription',
    cell: ({ id, relationship_id: name }) => <OpenButton open={() => show(id)}>{name}</OpenButton>,
  },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => setFilter({ creator_id: id })} />,
  },
  { title: 'Product', cell: (row) => productText(row) },
  { title: 'Bound', cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Paid invoices', kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: (row) => <SubscriptionStatusChips subscription={row} /> },
];

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

import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { formatDollars } from '../../ui/format.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import type { Subscription } from '../../../../sdk/src/api-schema.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { SubscriptionFilter } from '../stores/store-search-params.ts';
import { SubscriptionStatusChips } from './subscription-status-chips.tsx';
import { SubscriptionDrawer } from './subscription-drawer.tsx';
import { productText, subscriptionsPath, subscriptionTotalsPath } from './subscriptions-api.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const searchLengthMax = 100;
const states = [
  ['active', t.subscriptions.active],
  ['ended', t.subscriptions.ended],
] as const;
const holdOptions = [
  ['true', t.subscriptions.needs_review],
  ['false', t.subscriptions.not_on_hold],
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
    defaultSort: '-recorded_at',
    fields: [
      { type: 'search', name: 'q', label: t.subscriptions.subscription_or_creator, lengthMax: searchLengthMax },
      { type: 'select', name: 'state', label: t.subscriptions.state, options: states },
      { type: 'select', name: 'held', label: t.subscriptions.review, options: holdOptions },
      {
        type: 'active',
        name: 'creator_id',
        label: t.subscriptions.creator,
        text: (rows) => rows.find(({ creator_id: id }) => id === search.creator_id)?.creator_name,
      },
    ],
  });
  return (
    <Page
      title={t.subscriptions.subscriptions}
      intro={t.subscriptions.subscriptions_from_creators_each}
      actions={<ExportCsvButton path={list.exportPath} name="subscriptions.csv" />}
    >
      <Section title={t.subscriptions.subscriptions} bare flush>
        <ListView
          list={list}
          count={apiQuery(subscriptionTotalsPath(store, list.filter))}
          totals={<ListTotals query={apiQuery(subscriptionTotalsPath(store, list.filter))} label={t.subscriptions.subscriptions_2} />}
          caption={t.subscriptions.subscriptions}
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
    title: t.subscriptions.subscription,
    priority: true,
    cell: ({ id, relationship_id: name }) => <OpenButton open={() => show(id)}>{name}</OpenButton>,
  },
  {
    title: t.subscriptions.creator,
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => setFilter({ creator_id: id })} />,
  },
  { title: t.subscriptions.product, cell: (row) => productText(row) },
  { title: t.subscriptions.bound, sort: 'bound_at', priority: true, cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: t.subscriptions.paid_invoices, kind: 'number', cell: ({ paid_invoices: count }) => formats.number(count) },
  {
    title: t.subscriptions.commissions_usd,
    kind: 'number',
    priority: true,
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  { title: t.subscriptions.state, priority: true, cell: (row) => <SubscriptionStatusChips subscription={row} /> },
];

function EmptySubscriptions({ store, filter }: { readonly store: string; readonly filter: SubscriptionFilter }) {
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState
        title={filter.held === 'true' ? t.subscriptions.youre_all_caught_up : t.subscriptions.no_matching_subscriptions}
        action={
          <ButtonLink variant="default" size="xs" to="/stores/$store/subscriptions" params={{ store }}>
            {t.subscriptions.show_all_subscriptions}
          </ButtonLink>
        }
      >
        {filter.held === 'true' ? t.subscriptions.a_subscription_is_put_on : t.subscriptions.change_the_filter_a_search}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t.subscriptions.no_subscriptions_yet}
      action={
        <ButtonLink variant="default" to="/stores/$store/integration" params={{ store }}>
          {t.subscriptions.view_integration}
        </ButtonLink>
      }
    >
      {t.subscriptions.if_you_sell_subscriptions_let}
    </EmptyState>
  );
}

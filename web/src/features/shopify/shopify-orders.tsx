import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { ShopifyOrder } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Button } from '../../ui/button.tsx';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { formatTime, Time } from '../../ui/time.tsx';
import type { ShopifySearch } from '../stores/store-search-params.ts';
import { shopifyOrdersPath, shopifyPath } from './shopify-api.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

const ordersPerPage = 25;
const refreshMs = 5_000;
const states = [
  ['done', t.shopify_orders.done],
  ['waiting', t.shopify_orders.waiting],
  ['failed', t.shopify_orders.failed],
  ['ignored', t.shopify_orders.ignored],
] as const;

type OrdersProps = { readonly store: string; readonly mayChange: boolean };

/** The orders that the shop named, latest first. */
export function ShopifyOrders({ store, mayChange }: OrdersProps) {
  const search = useSearch({ from: '/signed-in/stores/$store/integration/shopify' });
  const navigate = useNavigate({ from: '/stores/$store/integration/shopify' });
  const list = useList<'/stores/{store}/shopify/orders', Pick<ShopifySearch, 'state'>>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: shopifyOrdersPath(store),
    fields: [{ type: 'select', name: 'state', label: t.shopify_orders.state, options: states }],
    rowsPerPage: ordersPerPage,
    refetchInterval: () => refreshMs,
  });
  return (
    <Section title={t.shopify_orders.orders} intro={t.shopify_orders.orders_intro} flush>
      <ListView
        list={list}
        caption={t.shopify_orders.orders}
        columns={columnsOf(store, mayChange)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={list.isFiltered ? t.shopify_orders.no_matches : t.shopify_orders.no_orders}>
            {list.isFiltered ? t.shopify_orders.no_matches_hint : t.shopify_orders.no_orders_hint}
          </EmptyState>
        }
      />
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<ShopifyOrder>> => [
  {
    title: t.shopify_orders.order,
    priority: true,
    cell: ({ order_id: order, requested_by: by }) => (
      <>
        {order}
        <div className={styles.muted}>{by === 'comparison' ? t.shopify_orders.by_comparison : by}</div>
      </>
    ),
  },
  { title: t.shopify_orders.named, priority: true, cell: ({ requested_at: at }) => <Time at={at} /> },
  { title: t.shopify_orders.state, priority: true, cell: (order) => <StatusChip texts={stateTexts(order)} state={order.state} /> },
  {
    title: t.shopify_orders.result,
    priority: true,
    cell: (order) => (
      <div className={styles.result}>
        {order.message}
        {mayChange && order.state !== 'done' && <RetryButton store={store} id={order.id} />}
      </div>
    ),
  },
];

const stateTexts = ({ next_try_at: next }: ShopifyOrder): StatusTexts<ShopifyOrder['state']> => ({
  done: [t.shopify_orders.done, 'good', t.shopify_orders.done_meaning],
  ignored: [t.shopify_orders.ignored, 'neutral', t.shopify_orders.ignored_meaning],
  failed: [t.shopify_orders.failed, 'bad', t.shopify_orders.failed_meaning],
  waiting: [t.shopify_orders.waiting, 'wait', t.shopify_orders.waiting_meaning({ time: next === null ? '' : formatTime(next) })],
});

function RetryButton({ store, id }: { readonly store: string; readonly id: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: async () => {
      await api.post(apiPath('/stores/{store}/shopify/orders/{order}/retry', { store, order: id }), {}, newIdempotencyKey());
      await refresh(client, shopifyPath(store));
    },
  });
  return (
    <>
      <ErrorAlert error={retry.error} />
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        {t.shopify_orders.read_again}
      </Button>
    </>
  );
}

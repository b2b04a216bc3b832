import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { formatUsd, sumCents } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { CustomerOrdersSection, type StoredOrder } from './customer-data.tsx';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** The orders of one customer, with export and erasure. */
export function CustomerPage() {
  const { store, customer } = useParams({ from: '/signed-in/stores/$store/customers/$customer' });
  const mayManage = usePermission(store)('store:manage');
  const above = (
    <TextLink to="/stores/$store/customer-data" params={{ store }}>
      {t.customer_page.customer_data}
    </TextLink>
  );
  return (
    <Page title={customer} above={above} intro={t.customer_page.everything_that_your_server_sent}>
      {mayManage ? (
        <CustomerOrders store={store} customer={customer} />
      ) : (
        <Section title={t.customer_page.customer}>
          <p style={{ margin: 0 }}>{t.customer_page.only_an_owner_of_the}</p>
        </Section>
      )}
    </Page>
  );
}

/** Looks up once: each look-up is an entry of the audit log. */
function CustomerOrders({ store, customer }: { readonly store: string; readonly customer: string }) {
  const navigate = useNavigate();
  const query = { customer_id: customer };
  const found = useQuery({
    queryKey: ['customers', store, customer],
    queryFn: () => api.post(apiPath('/stores/{store}/customers/export', { store }), query),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <QueryView query={found}>
      {({ orders, leads }) => (
        <>
          <CustomerTotals orders={orders} />
          <CustomerOrdersSection
            store={store}
            found={{ query, orders, leads }}
            isOnCustomerPage
            forget={() => void navigate({ to: '/stores/$store/customer-data', params: { store } })}
          />
        </>
      )}
    </QueryView>
  );
}

/** The service returns orders in the order of their time. */
function CustomerTotals({ orders }: { readonly orders: readonly StoredOrder[] }) {
  const [first, last] = [orders[0], orders.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <Stats label={t.customer_page.orders_of_this_customer}>
      <Stat name={t.customer_page.orders} value={formats.number(orders.length)} detail={t.customer_page.with_this_customer_id} />
      <Stat
        name={t.customer_page.subtotal}
        value={formatUsd(sumCents(orders.map(({ subtotal_cents: cents }) => cents)))}
        detail={t.customer_page.of_all_orders_before_refunds}
      />
      <Stat name={t.customer_page.first_order} value={<Time at={first.occurred_at} dateOnly />} detail={t.customer_page.the_earliest} />
      <Stat name={t.customer_page.last_order} value={<Time at={last.occurred_at} dateOnly />} detail={t.customer_page.the_latest} />
    </Stats>
  );
}

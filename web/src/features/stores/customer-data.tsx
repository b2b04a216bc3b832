import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath, type Output } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { downloadJson } from '../../ui/export-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import styles from './customer-data.module.css';

type CustomerQuery = { readonly customer_id: string } | { readonly order_id: string };
type StoredOrder = Output<'/stores/{store}/customers/export', 'post'>['orders'][number];
type CustomerOrders = { readonly query: CustomerQuery; readonly orders: readonly StoredOrder[] };
/** Answers a customer who asks the store for their data or its deletion. */
export function CustomerData() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayManage = usePermission(store)('store:manage');
  return (
    <Page
      title="Customer data"
      narrow
      intro="When one of your customers asks what is kept about them, or asks you to erase it. Tributary knows only what your server sent with their orders."
    >
      {mayManage ? (
        <CustomerLookup store={store} />
      ) : (
        <Section title="Look up a customer">
          <p style={{ margin: 0 }}>Only an owner of the store can export and erase customers’ data.</p>
        </Section>
      )}
      <RequestHistory store={store} />
    </Page>
  );
}

function CustomerLookup({ store }: { readonly store: string }) {
  const [found, setFound] = useState<CustomerOrders | null>(null);
  const client = useQueryClient();
  const send = async (values: Values): Promise<CustomerOrders> => {
    const id = values.raw('id');
    const query: CustomerQuery = values.text('by') === 'order_id' ? { order_id: id } : { customer_id: id };
    return {
      query,
      orders: (await api.post(apiPath('/stores/{store}/customers/export', { store }), query)).orders,
    };
  };
  const done = async (result: CustomerOrders) => {
    setFound(result);
    await refresh(client, historyPath(store));
  };
  return (
    <>
      <Section title="Look up a customer" intro="Asks for your password. The audit log says that you looked, without the customer’s ID.">
        <Form send={send} done={done} submit="Look up">
          <SelectField
            name="by"
            label="By"
            data={[
              { value: 'customer_id', label: 'Customer ID' },
              { value: 'order_id', label: 'Order ID' },
            ]}
          />
          <TextField name="id" label="ID" description="Exactly as your server sent it." maxLength={500} autoComplete="off" />
        </Form>
      </Section>
      {found !== null && (
        <CustomerOrdersSection key={JSON.stringify(found.query)} store={store} found={found} forget={() => setFound(null)} />
      )}
    </>
  );
}

type CustomerOrdersSectionProps = { readonly store: string; readonly found: CustomerOrders; readonly forget: () => void };

function CustomerOrdersSection({ store, found: { query, orders }, forget }: CustomerOrdersSectionProps) {
  const client = useQueryClient();
  const erase = async () => {
    const { orders: erased, bodies } = await api.post(apiPath('/stores/{store}/customers/erase', { store }), query);
    forget();
    await refresh(client, historyPath(store));
    notifications.show({ message: `Erased from ${countOf(erased, 'order')} and ${countOf(bodies, 'request')} of the tracking log.` });
  };
  return (
    <Section
      title="What is kept"
      intro={`${countOf(orders.length, 'order')}. Amounts stay when the customer is erased; names, IDs, codes, line items and metadata go.`}
      flush
      actions={
        <div className={styles.buttons}>
          <Button variant="default" size="xs" onClick={() => downloadJson({ orders }, 'customer-data.json')}>
            Export JSON
          </Button>
          <ConfirmButton
            label="Erase"
            subject="this customer’s data"
            danger
            title="Erase this customer’s data?"
            confirm="Erase it for good"
            run={erase}
          >
            <p>
              Order name, customer ID, discount code, line items and metadata of {countOf(orders.length, 'order')} are erased, and the
              requests in the tracking log that carried them. Orders, amounts and commissions stay. Nobody can undo this.
            </p>
          </ConfirmButton>
        </div>
      }
    >
      {orders.length === 0 ? (
        <EmptyState title="No order matches">
          An ID is compared exactly. A request that was refused may still be in the tracking log: erase by the order ID removes its body.
        </EmptyState>
      ) : (
        <Table caption="Orders of this customer" columns={columns} rows={orders} keyOf={({ order_id: id }) => id} />
      )}
    </Section>
  );
}

const columns: ReadonlyArray<Column<StoredOrder>> = [
  {
    title: 'Order',
    cell: ({ order_id: id, order_name: name }) => (
      <>
        <div>{id}</div>
        {name !== null && <div className={styles.muted}>{name}</div>}
      </>
    ),
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Customer ID', cell: ({ customer_id: id }) => id ?? 'none' },
  { title: 'Code', cell: ({ discount_code: code }) => code ?? 'none' },
  { title: 'Subtotal, USD', kind: 'number', cell: ({ subtotal_cents: cents }) => formatDollars(cents) },
];

const countOf = (count: number, word: string): string => `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

type AuditEntry = { readonly id: string; readonly at: string; readonly actor_name: string; readonly action: string };

const historyPath = (store: string) => apiPath('/stores/{store}/audit-log', { store }, { limit: 200 });
const actions: Readonly<Record<string, string>> = { 'customer.exported': 'Looked up', 'customer.erased': 'Erased' };

/** The latest audit log entries about customers. */
function RequestHistory({ store }: { readonly store: string }) {
  const log = useQuery(apiQuery(historyPath(store)));
  const rows = log.data?.data.filter(({ action }) => actions[action] !== undefined) ?? [];
  return (
    <Section title="Latest requests" intro="From the last 200 entries of the audit log, which has them all." flush>
      <QueryView query={log} />
      {log.isSuccess && rows.length === 0 && <EmptyState title="No request yet">Each look-up and each erasure is listed here.</EmptyState>}
      {rows.length > 0 && <Table caption="Requests about customers" columns={historyColumns} rows={rows} keyOf={({ id }) => id} />}
    </Section>
  );
}

const historyColumns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ action }) => actions[action] },
  { title: 'Who', cell: ({ actor_name: name }) => name },
];

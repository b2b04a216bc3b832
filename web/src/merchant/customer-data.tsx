import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Page as PageOf } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { saveJson } from '../parts/save-file.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import styles from './customer-data.module.css';
import { storePath } from './stores-api.ts';

type Asked = { readonly customer_id: string } | { readonly order_id: string };
type OrderKept = {
  readonly order_id: string;
  readonly occurred_at: string;
  readonly subtotal_cents: number;
  readonly order_name: string | null;
  readonly customer_id: string | null;
  readonly discount_code: string | null;
};
type Found = { readonly asked: Asked; readonly orders: readonly OrderKept[] };
type Erased = { readonly orders: number; readonly bodies: number };

/** A customer asks their shop what is kept of them, or to erase it. The shop answers from here. */
export function CustomerData() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const mayManage = useMay(store)('store:manage');
  return (
    <Page
      title="Customer data"
      narrow
      intro="When one of your customers asks what is kept about them, or asks you to erase it. Tributary knows only what your server sent with their orders."
    >
      {mayManage ? (
        <LookUp store={store} />
      ) : (
        <Section title="Look up a customer">
          <p style={{ margin: 0 }}>Only an owner of the store can export and erase customers’ data.</p>
        </Section>
      )}
      <History store={store} />
    </Page>
  );
}

function LookUp({ store }: { readonly store: string }) {
  const [found, setFound] = useState<Found | null>(null);
  const client = useQueryClient();
  const send = async (values: Values): Promise<Found> => {
    const id = values.exact('id');
    const asked: Asked = values.text('by') === 'order_id' ? { order_id: id } : { customer_id: id };
    return {
      asked,
      orders: (await api.post<{ readonly orders: readonly OrderKept[] }>(`${storePath(store)}/customers/export`, asked)).orders,
    };
  };
  const done = async (came: Found) => {
    setFound(came);
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
      {found !== null && <Kept key={JSON.stringify(found.asked)} store={store} found={found} forget={() => setFound(null)} />}
    </>
  );
}

type KeptProps = { readonly store: string; readonly found: Found; readonly forget: () => void };

function Kept({ store, found: { asked, orders }, forget }: KeptProps) {
  const client = useQueryClient();
  const erase = async () => {
    const { orders: erased, bodies } = await api.post<Erased>(`${storePath(store)}/customers/erase`, asked);
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
          <Button variant="default" size="xs" onClick={() => saveJson({ orders }, 'customer-data.json')}>
            Export JSON
          </Button>
          <ConfirmButton
            label="Erase"
            of="this customer’s data"
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
        <Empty title="No order matches">
          An ID is compared exactly. A request that was refused may still be in the tracking log: erase by the order ID removes its body.
        </Empty>
      ) : (
        <Table caption="Orders of this customer" columns={columns} rows={orders} keyOf={({ order_id: id }) => id} />
      )}
    </Section>
  );
}

const columns: ReadonlyArray<Column<OrderKept>> = [
  {
    title: 'Order',
    cell: ({ order_id: id, order_name: name }) => (
      <>
        <div>{id}</div>
        {name !== null && <div className={styles.quiet}>{name}</div>}
      </>
    ),
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Customer ID', cell: ({ customer_id: id }) => id ?? 'none' },
  { title: 'Code', cell: ({ discount_code: code }) => code ?? 'none' },
  { title: 'Subtotal, USD', kind: 'number', cell: ({ subtotal_cents: cents }) => dollarsOf(cents) },
];

const countOf = (count: number, word: string): string => `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

type AuditEntry = { readonly id: string; readonly at: string; readonly actor_name: string; readonly action: string };

const historyPath = (store: string): string => `${storePath(store)}/audit-log?limit=200`;
const actions: Readonly<Record<string, string>> = { 'customer.exported': 'Looked up', 'customer.erased': 'Erased' };

/** The latest of the audit log that are about customers. */
function History({ store }: { readonly store: string }) {
  const log = useQuery(reading<PageOf<AuditEntry>>(historyPath(store)));
  const rows = log.data?.data.filter(({ action }) => actions[action] !== undefined) ?? [];
  return (
    <Section title="Latest requests" intro="From the last 200 entries of the audit log, which has them all." flush>
      {log.isPending && <Waiting />}
      {log.isError && <ProblemNote problem={log.error} onRetry={() => void log.refetch()} />}
      {log.isSuccess && rows.length === 0 && <Empty title="No request yet">Each look-up and each erasure is listed here.</Empty>}
      {rows.length > 0 && <Table caption="Requests about customers" columns={historyColumns} rows={rows} keyOf={({ id }) => id} />}
    </Section>
  );
}

const historyColumns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ action }) => actions[action] },
  { title: 'Who', cell: ({ actor_name: name }) => name },
];

import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath, type Output } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { downloadJson } from '../../ui/export-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import styles from './customer-data.module.css';
import { t } from './messages.ts';

export type CustomerQuery = { readonly customer_id: string } | { readonly order_id: string };
type CustomerExport = Output<'/stores/{store}/customers/export', 'post'>;
export type StoredOrder = CustomerExport['orders'][number];
export type CustomerOrders = CustomerExport & { readonly query: CustomerQuery };
/** Answers a customer who asks the store for their data or its deletion. */
export function CustomerData() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayManage = usePermission(store)('store:manage');
  return (
    <Page title={t.customer_data.customer_data} narrow intro={t.customer_data.answer_a_customers_request_to}>
      {mayManage ? (
        <CustomerLookup store={store} />
      ) : (
        <Section title={t.customer_data.look_up_a_customer}>
          <p style={{ margin: 0 }}>{t.customer_data.only_owners_of_the_store}</p>
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
    return { query, ...(await api.post(apiPath('/stores/{store}/customers/export', { store }), query)) };
  };
  const done = async (result: CustomerOrders) => {
    setFound(result);
    await refresh(client, historyPath(store));
  };
  return (
    <>
      <Section title={t.customer_data.look_up_a_customer} intro={t.customer_data.requires_your_password_the_audit}>
        <Form send={send} done={done} submit={t.customer_data.look_up}>
          <SelectField
            name="by"
            label={t.customer_data.by}
            data={[
              { value: 'customer_id', label: t.customer_data.customer_id },
              { value: 'order_id', label: t.customer_data.order_id },
            ]}
          />
          <TextField name="id" label="ID" description={t.customer_data.exactly_as_your_server_sent} maxLength={500} autoComplete="off" />
        </Form>
      </Section>
      {found !== null && (
        <CustomerOrdersSection key={JSON.stringify(found.query)} store={store} found={found} forget={() => setFound(null)} />
      )}
    </>
  );
}

type CustomerOrdersSectionProps = {
  readonly store: string;
  readonly found: CustomerOrders;
  readonly isOnCustomerPage?: boolean;
  readonly forget: () => void;
};

export function CustomerOrdersSection({
  store,
  found: { query, orders, leads },
  isOnCustomerPage = false,
  forget,
}: CustomerOrdersSectionProps) {
  const client = useQueryClient();
  const erase = async () => {
    const { orders: erased, bodies } = await api.post(apiPath('/stores/{store}/customers/erase', { store }), query);
    forget();
    await refresh(client, historyPath(store));
    toasts.show({ message: t.customer_data.erased_from_orders_and_requests({ erased, bodies }) });
  };
  return (
    <Section
      title={t.customer_data.stored_data}
      intro={t.customer_data.orders_erasing_removes_names_ids({ orders: orders.length, leads: leads.length })}
      flush
      actions={
        <div className={styles.buttons}>
          {'customer_id' in query && !isOnCustomerPage && (
            <ButtonLink variant="default" size="xs" to="/stores/$store/customers/$customer" params={{ store, customer: query.customer_id }}>
              {t.customer_data.open_customer_page}
            </ButtonLink>
          )}
          <Button variant="default" size="xs" onClick={() => downloadJson({ orders, leads }, 'customer-data.json')}>
            {t.customer_data.export_json}
          </Button>
          <ConfirmButton
            label={t.customer_data.erase}
            subject={t.customer_data.customer_data_2}
            danger
            title={t.customer_data.erase_this_customers_data}
            confirm={t.customer_data.erase_permanently}
            run={erase}
          >
            <p>{t.customer_data.this_erases_the_order_name({ orders: orders.length, leads: leads.length })}</p>
          </ConfirmButton>
        </div>
      }
    >
      {orders.length === 0 ? (
        <EmptyState title={t.customer_data.no_matching_orders}>{t.customer_data.ids_must_match_exactly}</EmptyState>
      ) : (
        <Table
          caption={t.customer_data.orders_of_this_customer}
          columns={columnsOf(store)}
          rows={orders}
          keyOf={({ order_id: id }) => id}
        />
      )}
    </Section>
  );
}

const columnsOf = (store: string): ReadonlyArray<Column<StoredOrder>> => [
  {
    title: t.customer_data.order,
    cell: ({ order_id: id, order_name: name }) => (
      <>
        <TextLink to="/stores/$store/conversions" params={{ store }} search={{ order_id: id }}>
          {id}
        </TextLink>
        {name !== null && name !== id && <div className={styles.muted}>{name}</div>}
      </>
    ),
  },
  { title: t.customer_data.date, cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  { title: t.customer_data.customer_id, cell: ({ customer_id: id }) => id ?? t.customer_data.none },
  { title: t.customer_data.code, cell: ({ discount_code: code }) => code ?? t.customer_data.none },
  { title: t.customer_data.subtotal_usd, kind: 'number', cell: ({ subtotal_cents: cents }) => formatDollars(cents) },
];

type AuditEntry = { readonly id: string; readonly at: string; readonly actor_name: string; readonly action: string };

const historyPath = (store: string) => apiPath('/stores/{store}/audit-log', { store }, { limit: 200 });
const actions: Readonly<Record<string, string>> = {
  'customer.exported': t.customer_data.looked_up,
  'customer.erased': t.customer_data.erased,
};

/** The latest audit log entries about customers. */
function RequestHistory({ store }: { readonly store: string }) {
  const log = useQuery(apiQuery(historyPath(store)));
  const rows = log.data?.data.filter(({ action }) => actions[action] !== undefined) ?? [];
  return (
    <Section title={t.customer_data.latest_requests} intro={t.customer_data.from_the_last_200_entries} flush>
      <QueryView query={log} />
      {log.isSuccess && rows.length === 0 && (
        <EmptyState title={t.customer_data.no_requests_yet}>{t.customer_data.look_ups_and_erasures_are}</EmptyState>
      )}
      {rows.length > 0 && (
        <Table caption={t.customer_data.customer_data_requests} columns={historyColumns} rows={rows} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

const historyColumns: ReadonlyArray<Column<AuditEntry>> = [
  { title: t.customer_data.when, cell: ({ at }) => <Time at={at} /> },
  { title: t.customer_data.action, cell: ({ action }) => actions[action] },
  { title: t.customer_data.person, cell: ({ actor_name: name }) => name },
];

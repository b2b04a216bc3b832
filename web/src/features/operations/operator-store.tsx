import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { CreditNote, Invoice, Store } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ArchiveStore } from '../stores/store-settings.tsx';
import { creditNotesPath, invoicesPath } from '../billing/billing-api.ts';
import { InvoiceStatusChip } from '../billing/billing-status-chips.tsx';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { storeQuery } from '../stores/stores-api.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink, ButtonLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { startViewAs } from '../../session/view-as.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { CreditLines } from './credit-lines.tsx';
import { t } from './messages.ts';

/** The operator's view of a store: status, invoices, and the actions only operators have. */
export function OperatorStore() {
  const { storeId: id } = useParams({ from: '/signed-in/operator/stores/$storeId' });
  const { invoice } = useSearch({ from: '/signed-in/operator/stores/$storeId' });
  const navigate = useNavigate({ from: '/operator/stores/$storeId' });
  const open = (chosen: string | undefined) =>
    void navigate({ search: chosen === undefined ? {} : { invoice: chosen }, resetScroll: false });
  const store = useQuery(storeQuery(id));
  const client = useQueryClient();
  const above = <TextLink to="/operator/stores">{t.operator_store.stores}</TextLink>;
  if (store.isPending) return <Page title={t.operator_store.store} above={above} children={<LoadingSkeleton />} />;
  if (store.isError)
    return (
      <Page
        title={t.operator_store.store}
        above={above}
        children={<ErrorAlert error={store.error} onRetry={() => void store.refetch()} />}
      />
    );
  return (
    <Page title={store.data.name} above={above} actions={<StorePageActions currentStore={store.data} />}>
      <Section title={t.operator_store.details}>
        <StoreDetails currentStore={store.data} />
      </Section>
      <InvoiceTable store={id} open={open} />
      {invoice !== undefined && (
        <CreditLines key={invoice} store={id} invoice={invoice} close={() => open(undefined)} done={() => client.invalidateQueries()} />
      )}
      <CreditNoteTable store={id} />
      <ArchiveStore currentStore={store.data} />
    </Page>
  );
}

function StorePageActions({ currentStore: { id, name } }: { readonly currentStore: Store }) {
  return (
    <>
      <ConfirmButton
        label={t.operator_store.view_as_store}
        size="sm"
        title={t.operator_store.view_as_its_team({ name })}
        confirm={t.operator_store.view_store}
        run={() => viewAsStore(id)}
      >
        <p>{t.operator_store.you_see_the_stores_dashboard}</p>
      </ConfirmButton>
      <ButtonLink variant="default" to="/stores/$store" params={{ store: id }}>
        {t.operator_store.open_as_operator}
      </ButtonLink>
    </>
  );
}

async function viewAsStore(id: string): Promise<void> {
  const { name } = await api.post(apiPath('/stores/{store}/view', { store: id }));
  startViewAs({ is: 'store', id, name });
}

function StoreDetails({ currentStore }: { readonly currentStore: Store }) {
  return (
    <DescriptionList
      items={[
        [t.operator_store.state, <StoreStatusChip key="s" status={currentStore.status} />],
        [t.operator_store.integration, <IntegrationStatusChip key="i" integration={currentStore.integration} />],
        [t.operator_store.tracking, <TrackingStatusChip key="t" isOn={currentStore.tracking_on} />],
        [t.operator_store.site, currentStore.site_url],
        [
          t.operator_store.store_id,
          <span key="id">
            <span className="mono">{currentStore.id}</span> <CopyIcon value={currentStore.id} label={t.operator_store.store_id_2} />
          </span>,
        ],
        [t.operator_store.created, <Time key="c" at={currentStore.created_at} />],
      ]}
    />
  );
}

type StoreProps = { readonly store: string };

function InvoiceTable({ store, open }: StoreProps & { readonly open: (invoice: string) => void }) {
  return (
    <Section title={t.operator_store.invoices} flush>
      <ShortList
        caption={t.operator_store.invoices}
        path={invoicesPath(store)}
        keyOf={({ id }) => id}
        columns={invoiceColumns(open)}
        empty={<EmptyState title={t.operator_store.no_invoices_yet}>{t.operator_store.the_first_invoice_is_issued}</EmptyState>}
      />
    </Section>
  );
}

const invoiceColumns = (open: (invoice: string) => void): ReadonlyArray<Column<Invoice>> => [
  { title: t.operator_store.invoice, cell: ({ number }) => <strong>{number}</strong> },
  { title: t.operator_store.issued, cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: t.operator_store.state, cell: (invoice) => <InvoiceStatusChip invoice={invoice} /> },
  { title: t.operator_store.total_usd, kind: 'number', cell: ({ total_cents: cents }) => formatDollars(cents) },
  { title: t.operator_store.lines, kind: 'actions', cell: ({ id, number }) => <CreditLinesButton number={number} open={() => open(id)} /> },
];

const CreditLinesButton = ({ number, open }: { readonly number: string; readonly open: () => void }) => (
  <Button variant="subtle" size="xs" aria-label={t.operator_store.credit_lines_of({ number })} onClick={open}>
    {t.operator_store.credit_lines}
  </Button>
);

function CreditNoteTable({ store }: StoreProps) {
  return (
    <Section title={t.operator_store.credit_notes} flush>
      <ShortList
        caption={t.operator_store.credit_notes}
        path={creditNotesPath(store)}
        keyOf={({ id }) => id}
        columns={noteColumns}
        empty={<EmptyState title={t.operator_store.no_credit_notes}>{t.operator_store.open_the_lines_of_an}</EmptyState>}
      />
    </Section>
  );
}

const noteColumns: ReadonlyArray<Column<CreditNote>> = [
  { title: t.operator_store.credit_note, cell: ({ number }) => <strong>{number}</strong> },
  { title: t.operator_store.issued_2, cell: ({ at }) => <Time at={at} dateOnly /> },
  {
    title: t.operator_store.kind,
    cell: ({ kind }) => (kind === 'before' ? t.operator_store.reduces_the_invoice : t.operator_store.credit_for_the_next_invoice),
  },
  { title: t.operator_store.reason, cell: ({ reason }) => reason },
  {
    title: t.operator_store.including_fee_usd,
    kind: 'number',
    cell: ({ lines_cents: lines, fee_cents: fee }) => formatDollars(sumCents([lines, fee])),
  },
];

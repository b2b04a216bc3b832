import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { CreditNote, Invoice, Store } from '../../api/api-schema.ts';
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

/** The operator's view of a store: status, invoices, and the actions only operators have. */
export function OperatorStore() {
  const { storeId: id } = useParams({ from: '/signed-in/operator/stores/$storeId' });
  const { invoice } = useSearch({ from: '/signed-in/operator/stores/$storeId' });
  const navigate = useNavigate({ from: '/operator/stores/$storeId' });
  const open = (chosen: string | undefined) =>
    void navigate({ search: chosen === undefined ? {} : { invoice: chosen }, resetScroll: false });
  const store = useQuery(storeQuery(id));
  const client = useQueryClient();
  const above = <TextLink to="/operator/stores">Stores</TextLink>;
  if (store.isPending) return <Page title="Store" above={above} children={<LoadingSkeleton />} />;
  if (store.isError)
    return <Page title="Store" above={above} children={<ErrorAlert error={store.error} onRetry={() => void store.refetch()} />} />;
  return (
    <Page title={store.data.name} above={above} actions={<StorePageActions currentStore={store.data} />}>
      <Section title="How it stands">
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
        label="View as the store"
        size="sm"
        title={`View ${name} as its people do?`}
        confirm="View it"
        run={() => viewAsStore(id)}
      >
        <p>You see its dashboard as its people do, and can change nothing. The store’s audit log says that you looked.</p>
      </ConfirmButton>
      <ButtonLink variant="default" to="/stores/$store" params={{ store: id }}>
        Open as operator
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
        ['State', <StoreStatusChip key="s" status={currentStore.status} />],
        ['Integration', <IntegrationStatusChip key="i" integration={currentStore.integration} />],
        ['Tracking', <TrackingStatusChip key="t" isOn={currentStore.tracking_on} />],
        ['Site', currentStore.site_url],
        [
          'Store ID',
          <span key="id">
            <span className="mono">{currentStore.id}</span> <CopyIcon value={currentStore.id} label="the store’s ID" />
          </span>,
        ],
        ['Created', <Time key="c" at={currentStore.created_at} />],
      ]}
    />
  );
}

type StoreProps = { readonly store: string };

function InvoiceTable({ store, open }: StoreProps & { readonly open: (invoice: string) => void }) {
  return (
    <Section title="Invoices" flush>
      <ShortList
        caption="Invoices"
        path={invoicesPath(store)}
        keyOf={({ id }) => id}
        columns={invoiceColumns(open)}
        empty={<EmptyState title="No invoice yet">The first is made once approved commissions are past their hold.</EmptyState>}
      />
    </Section>
  );
}

const invoiceColumns = (open: (invoice: string) => void): ReadonlyArray<Column<Invoice>> => [
  { title: 'Invoice', cell: ({ number }) => <strong>{number}</strong> },
  { title: 'Issued', cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: 'State', cell: (invoice) => <InvoiceStatusChip invoice={invoice} /> },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => formatDollars(cents) },
  { title: 'Lines', kind: 'actions', cell: ({ id, number }) => <CreditLinesButton number={number} open={() => open(id)} /> },
];

const CreditLinesButton = ({ number, open }: { readonly number: string; readonly open: () => void }) => (
  <Button variant="subtle" size="xs" aria-label={`Credit lines of ${number}`} onClick={open}>
    Credit lines
  </Button>
);

function CreditNoteTable({ store }: StoreProps) {
  return (
    <Section title="Credit notes" flush>
      <ShortList
        caption="Credit notes"
        path={creditNotesPath(store)}
        keyOf={({ id }) => id}
        columns={noteColumns}
        empty={<EmptyState title="None">Open an invoice’s lines to credit some of them.</EmptyState>}
      />
    </Section>
  );
}

const noteColumns: ReadonlyArray<Column<CreditNote>> = [
  { title: 'Credit note', cell: ({ number }) => <strong>{number}</strong> },
  { title: 'Made', cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: 'Kind', cell: ({ kind }) => (kind === 'before' ? 'off the bill' : 'for the next bill') },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'With fee, USD', kind: 'number', cell: ({ lines_cents: lines, fee_cents: fee }) => formatDollars(sumCents([lines, fee])) },
];

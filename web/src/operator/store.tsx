import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../api.ts';
import { ArchiveStore } from '../merchant/archive-store.tsx';
import { creditNotesPath, invoicesPath, type CreditNote, type Invoice } from '../merchant/billing-api.ts';
import { InvoiceChip } from '../merchant/billing-chips.tsx';
import { IntegrationChip, StoreChip, TrackingChip } from '../merchant/store-chips.tsx';
import { storeReading, type Store } from '../merchant/stores-api.ts';
import { dollarsOf, totalCents } from '../parts/amounts.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink, ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { beginViewing } from '../shell/viewing.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { CreditLines } from './credit-lines.tsx';

/** A store as an operator sees it: how it stands, what it was billed, and what only an operator can do. */
export function OperatorsStore() {
  const { shop: id } = useParams({ from: '/inside/operator/stores/$shop' });
  const { invoice } = useSearch({ from: '/inside/operator/stores/$shop' });
  const navigate = useNavigate({ from: '/operator/stores/$shop' });
  const open = (chosen: string | undefined) =>
    void navigate({ search: chosen === undefined ? {} : { invoice: chosen }, resetScroll: false });
  const store = useQuery(storeReading(id));
  const client = useQueryClient();
  const above = <TextLink to="/operator/stores">Stores</TextLink>;
  if (store.isPending) return <Page title="Store" above={above} children={<Waiting />} />;
  if (store.isError)
    return <Page title="Store" above={above} children={<ProblemNote problem={store.error} onRetry={() => void store.refetch()} />} />;
  return (
    <Page title={store.data.name} above={above} actions={<Ways shop={store.data} />}>
      <Section title="How it stands">
        <Standing shop={store.data} />
      </Section>
      <Invoices store={id} open={open} />
      {invoice !== undefined && (
        <CreditLines key={invoice} store={id} invoice={invoice} close={() => open(undefined)} done={() => client.invalidateQueries()} />
      )}
      <CreditNotes store={id} />
      <ArchiveStore shop={store.data} />
    </Page>
  );
}

function Ways({ shop: { id, name } }: { readonly shop: Store }) {
  return (
    <>
      <ConfirmButton label="View as the store" size="sm" title={`View ${name} as its people do?`} confirm="View it" run={() => view(id)}>
        <p>You see its dashboard as its people do, and can change nothing. The store’s audit log says that you looked.</p>
      </ConfirmButton>
      <ButtonLink variant="default" to="/stores/$store" params={{ store: id }}>
        Open as operator
      </ButtonLink>
    </>
  );
}

async function view(id: string): Promise<void> {
  const { name } = await api.post<{ readonly name: string }>(`/stores/${id}/view`);
  beginViewing({ is: 'store', id, name });
}

function Standing({ shop }: { readonly shop: Store }) {
  return (
    <Facts
      facts={[
        ['State', <StoreChip key="s" status={shop.status} />],
        ['Integration', <IntegrationChip key="i" integration={shop.integration} />],
        ['Tracking', <TrackingChip key="t" isOn={shop.tracking_on} />],
        ['Site', shop.site_url],
        [
          'Store ID',
          <span key="id">
            <span className="mono">{shop.id}</span> <CopyIcon value={shop.id} label="the store’s ID" />
          </span>,
        ],
        ['Created', <Time key="c" at={shop.created_at} />],
      ]}
    />
  );
}

type PartProps = { readonly store: string };

function Invoices({ store, open }: PartProps & { readonly open: (invoice: string) => void }) {
  return (
    <Section title="Invoices" flush>
      <PagedTable
        caption="Invoices"
        list={listing<Invoice>(invoicesPath(store))}
        keyOf={({ id }) => id}
        columns={invoiceColumns(open)}
        empty={<Empty title="No invoice yet">The first is made once approved commissions are past their hold.</Empty>}
      />
    </Section>
  );
}

const invoiceColumns = (open: (invoice: string) => void): ReadonlyArray<Column<Invoice>> => [
  { title: 'Invoice', cell: ({ number }) => <strong>{number}</strong> },
  { title: 'Issued', cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: 'State', cell: (invoice) => <InvoiceChip invoice={invoice} /> },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => dollarsOf(cents) },
  { title: 'Lines', kind: 'actions', cell: ({ id, number }) => <OpenLines number={number} open={() => open(id)} /> },
];

const OpenLines = ({ number, open }: { readonly number: string; readonly open: () => void }) => (
  <Button variant="subtle" size="xs" aria-label={`Credit lines of ${number}`} onClick={open}>
    Credit lines
  </Button>
);

function CreditNotes({ store }: PartProps) {
  return (
    <Section title="Credit notes" flush>
      <PagedTable
        caption="Credit notes"
        list={listing<CreditNote>(creditNotesPath(store))}
        keyOf={({ id }) => id}
        columns={noteColumns}
        empty={<Empty title="None">Open an invoice’s lines to credit some of them.</Empty>}
      />
    </Section>
  );
}

const noteColumns: ReadonlyArray<Column<CreditNote>> = [
  { title: 'Credit note', cell: ({ number }) => <strong>{number}</strong> },
  { title: 'Made', cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: 'Kind', cell: ({ kind }) => (kind === 'before' ? 'off the bill' : 'for the next bill') },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'With fee, USD', kind: 'number', cell: ({ lines_cents: lines, fee_cents: fee }) => dollarsOf(totalCents([lines, fee])) },
];

import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Invoice, InvoiceTotals } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';
import { formatDollars } from '../../ui/format.ts';
import { DayFilter, Filters, SelectFilter } from '../../ui/filters.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { ExportButtons, ExportCsvButton } from '../../ui/export-buttons.tsx';
import type { PagePosition } from '../../ui/search-params.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { invoiceExportPath, invoicesQuery, invoiceTotalsPath } from './billing-api.ts';
import { InvoiceStatusChip } from './billing-status-chips.tsx';
import styles from './billing.module.css';
import type { InvoiceFilter } from '../stores/store-search-params.ts';

const invoicesPerPage = 20;
const states = [
  ['issued', 'Issued'],
  ['charging', 'Being charged'],
  ['unknown', 'Being looked into'],
  ['paid', 'Paid'],
  ['retrying', 'Charge failed'],
  ['past_due', 'Past due'],
  ['charged_back', 'Taken back'],
  ['void', 'Void'],
] as const;

/** All invoices, latest first. With a filter, totals and export cover the matching ones. */
export function Invoices({ store, show }: { readonly store: string; readonly show: (id: string) => void }) {
  const { cursor, back, state, from, to } = useSearch({ from: '/signed-in/stores/$store/billing' });
  const filter: InvoiceFilter = {
    ...(state !== undefined && { state }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const page = useQuery({ ...invoicesQuery(store, { ...filter, cursor, limit: invoicesPerPage }), placeholderData: keepPreviousData });
  const isNarrowed = Object.keys(filter).length > 0;
  const go = (search: InvoiceFilter & PagePosition) => void navigate({ search, resetScroll: false });
  const narrow = (changed: InvoiceFilter) => go({ ...filter, ...changed });
  const invoices = page.data?.data ?? [];
  return (
    <Section
      title="Invoices"
      flush
      actions={invoices.length > 0 && <ExportCsvButton path={invoiceExportPath(store, filter)} name="invoices.csv" />}
    >
      {(isNarrowed || cursor !== undefined || invoices.length > 0) && (
        <Filters onClear={isNarrowed ? () => go({}) : null}>
          <SelectFilter label="State" value={state} options={states} change={(value) => narrow({ state: value })} />
          <DayFilter label="Issued from" value={from} change={(value) => narrow({ from: value })} />
          <DayFilter label="Issued to" value={to} isEnd change={(value) => narrow({ to: value })} />
        </Filters>
      )}
      {page.isPending && <LoadingSkeleton />}
      {page.isError && (
        <div className={styles.padded}>
          <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {page.isSuccess && invoices.length === 0 && <EmptyInvoices isNarrowed={isNarrowed} showAll={() => go({})} />}
      {invoices.length > 0 && (
        <>
          <ListTotals query={apiQuery(invoiceTotalsPath(store, filter))} one="invoice" more="invoices" beside={totalsText} />
          <Table caption="Invoices" columns={columnsOf(store, show)} rows={invoices} keyOf={({ id }) => id} />
        </>
      )}
      {page.isSuccess && <Pager position={{ cursor, back }} next={page.data.next_cursor} go={(target) => go({ ...filter, ...target })} />}
    </Section>
  );
}

const EmptyInvoices = ({ isNarrowed, showAll }: { readonly isNarrowed: boolean; readonly showAll: () => void }) =>
  isNarrowed ? (
    <EmptyState
      title="No invoice matches"
      action={
        <Button variant="default" size="xs" onClick={showAll}>
          Show all invoices
        </Button>
      }
    >
      None in this state was issued in this time.
    </EmptyState>
  ) : (
    <EmptyState title="No invoice yet">
      The first one is made on the first of a month, once approved commissions are past their hold.
    </EmptyState>
  );

const totalsText = ({ total_cents: total, lines_cents: lines, fee_cents: fee, credit_cents: credit }: InvoiceTotals) => (
  <span>
    {formatDollars(total)} USD
    {(fee > 0 || credit > 0) && `: ${formatDollars(lines)} commissions`}
    {fee > 0 && ` + ${formatDollars(fee)} fee`}
    {credit > 0 && ` − ${formatDollars(credit)} credit`}
  </span>
);

const columnsOf = (store: string, show: (id: string) => void): ReadonlyArray<Column<Invoice>> => [
  {
    title: 'Invoice',
    cell: ({ id, number }) => <OpenButton open={() => show(id)}>{number}</OpenButton>,
  },
  { title: 'Issued', cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: 'State', cell: (invoice) => <InvoiceStatusChip invoice={invoice} /> },
  { title: 'Commissions', kind: 'number', cell: ({ lines_count: count }) => count.toLocaleString('en-GB') },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => formatDollars(cents) },
  {
    title: 'Files',
    kind: 'actions',
    cell: ({ id, number }) => (
      <span className={styles.rowNote}>
        <ExportButtons path={apiPath('/stores/{store}/invoices/{invoice}', { store, invoice: id })} name={number} subject={number} />
      </span>
    ),
  },
];

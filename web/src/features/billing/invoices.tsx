import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Invoice, InvoiceTotals } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { EmptyState, Section } from '../../ui/page.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { ExportButtons, ExportCsvButton } from '../../ui/export-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { invoicesPath, invoiceTotalsPath } from './billing-api.ts';
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
  const search = useSearch({ from: '/signed-in/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const list = useList<'/stores/{store}/invoices', InvoiceFilter>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: invoicesPath(store),
    fields: [
      { type: 'select', name: 'state', label: 'State', options: states },
      { type: 'days', from: { name: 'from', label: 'Issued from' }, to: { name: 'to', label: 'Issued to' } },
    ],
    rowsPerPage: invoicesPerPage,
    defaultSort: '-number',
  });
  return (
    <Section title="Invoices" flush actions={list.rows.length > 0 && <ExportCsvButton path={list.exportPath} name="invoices.csv" />}>
      <ListView
        list={list}
        totals={<ListTotals query={apiQuery(invoiceTotalsPath(store, list.filter))} one="invoice" more="invoices" beside={totalsText} />}
        caption="Invoices"
        columns={columnsOf(store, show)}
        keyOf={({ id }) => id}
        empty={<EmptyInvoices isFiltered={list.isFiltered} showAll={list.clearFilter} />}
      />
    </Section>
  );
}

const EmptyInvoices = ({ isFiltered, showAll }: { readonly isFiltered: boolean; readonly showAll: () => void }) =>
  isFiltered ? (
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
    sort: 'number',
    cell: ({ id, number }) => <OpenButton open={() => show(id)}>{number}</OpenButton>,
  },
  { title: 'Issued', sort: 'issued_at', cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: 'State', cell: (invoice) => <InvoiceStatusChip invoice={invoice} /> },
  { title: 'Commissions', kind: 'number', cell: ({ lines_count: count }) => count.toLocaleString('en-GB') },
  { title: 'Total, USD', kind: 'number', sort: 'total_cents', cell: ({ total_cents: cents }) => formatDollars(cents) },
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

import { Button } from '../../ui/button.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Invoice, InvoiceTotals } from '../../../../sdk/src/api-schema.ts';
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
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const searchLengthMax = 100;
const states = [
  ['issued', t.invoices.issued],
  ['charging', t.invoices.charging],
  ['unknown', t.invoices.checking_charge],
  ['paid', t.invoices.paid],
  ['retrying', t.invoices.charge_declined],
  ['past_due', t.invoices.past_due],
  ['charged_back', t.invoices.charged_back],
  ['void', t.invoices.void],
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
      { type: 'search', name: 'q', label: t.invoices.invoice_number, lengthMax: searchLengthMax },
      { type: 'select', name: 'state', label: t.invoices.state, options: states },
      { type: 'days', from: { name: 'from', label: t.invoices.issued_from }, to: { name: 'to', label: t.invoices.issued_to } },
    ],
    defaultSort: '-number',
  });
  return (
    <Section
      title={t.invoices.invoices}
      flush
      actions={list.rows.length > 0 && <ExportCsvButton path={list.exportPath} name="invoices.csv" />}
    >
      <ListView
        list={list}
        count={apiQuery(invoiceTotalsPath(store, list.filter))}
        totals={<ListTotals query={apiQuery(invoiceTotalsPath(store, list.filter))} label={t.invoices.invoices_2} beside={totalsText} />}
        caption={t.invoices.invoices}
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
      title={t.invoices.no_matching_invoices}
      action={
        <Button variant="default" size="xs" onClick={showAll}>
          {t.invoices.show_all_invoices}
        </Button>
      }
    >
      {t.invoices.no_invoices_with_this_state}
    </EmptyState>
  ) : (
    <EmptyState title={t.invoices.no_invoices_yet}>{t.invoices.the_first_invoice_is_issued}</EmptyState>
  );

const totalsText = ({ total_cents: total, lines_cents: lines, fee_cents: fee, credit_cents: credit }: InvoiceTotals) => (
  <span>
    {t.invoices.total({ total })}
    {(fee > 0 || credit > 0) && t.invoices.commissions_2({ lines: formatDollars(lines) })}
    {fee > 0 && t.invoices.fee({ fee: formatDollars(fee) })}
    {credit > 0 && t.invoices.credit({ credit: formatDollars(credit) })}
  </span>
);

const columnsOf = (store: string, show: (id: string) => void): ReadonlyArray<Column<Invoice>> => [
  {
    title: t.invoices.invoice,
    priority: true,
    sort: 'number',
    cell: ({ id, number }) => <OpenButton open={() => show(id)}>{number}</OpenButton>,
  },
  { title: t.invoices.issued, sort: 'issued_at', priority: true, cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: t.invoices.state, priority: true, cell: (invoice) => <InvoiceStatusChip invoice={invoice} /> },
  { title: t.invoices.commissions, kind: 'number', cell: ({ lines_count: count }) => formats.number(count) },
  {
    title: t.invoices.total_usd,
    kind: 'number',
    sort: 'total_cents',
    priority: true,
    cell: ({ total_cents: cents }) => formatDollars(cents),
  },
  {
    title: t.invoices.download,
    kind: 'actions',
    cell: ({ id, number }) => (
      <span className={styles.rowNote}>
        <ExportButtons path={apiPath('/stores/{store}/invoices/{invoice}', { store, invoice: id })} name={number} subject={number} />
      </span>
    ),
  },
];

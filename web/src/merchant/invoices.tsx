import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { dollarsOf } from '../parts/amounts.ts';
import { DayFilter, Filters, SelectFilter } from '../parts/filters.tsx';
import { ListTotals } from '../parts/list-totals.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Opener } from '../parts/row-buttons.tsx';
import { SaveButtons, SaveCsv } from '../parts/save-buttons.tsx';
import type { Position } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { invoiceFile, invoiceList, invoiceTotals, type Invoice, type InvoiceTotals } from './billing-api.ts';
import { InvoiceChip } from './billing-chips.tsx';
import styles from './billing.module.css';
import type { InvoiceFilter } from './list-search.ts';

const perPage = 20;
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

/** Every bill, the latest first; narrowed, its totals and its file are of what is left. */
export function Invoices({ store, show }: { readonly store: string; readonly show: (id: string) => void }) {
  const { cursor, back, state, from, to } = useSearch({ from: '/inside/stores/$store/billing' });
  const filter: InvoiceFilter = {
    ...(state !== undefined && { state }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const page = useQuery({ ...invoiceList(store, { ...filter, cursor, limit: perPage }), placeholderData: keepPreviousData });
  const isNarrowed = Object.keys(filter).length > 0;
  const go = (search: InvoiceFilter & Position) => void navigate({ search, resetScroll: false });
  const narrow = (changed: InvoiceFilter) => go({ ...filter, ...changed });
  const invoices = page.data?.data ?? [];
  return (
    <Section title="Invoices" flush actions={invoices.length > 0 && <SaveCsv path={invoiceFile(store, filter)} name="invoices.csv" />}>
      {(isNarrowed || cursor !== undefined || invoices.length > 0) && (
        <Filters onClear={isNarrowed ? () => go({}) : null}>
          <SelectFilter label="State" value={state} options={states} change={(asked) => narrow({ state: asked })} />
          <DayFilter label="Issued from" value={from} change={(asked) => narrow({ from: asked })} />
          <DayFilter label="Issued to" value={to} isLast change={(asked) => narrow({ to: asked })} />
        </Filters>
      )}
      {page.isPending && <Waiting />}
      {page.isError && (
        <div className={styles.padded}>
          <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {page.isSuccess && invoices.length === 0 && <NoInvoice isNarrowed={isNarrowed} showAll={() => go({})} />}
      {invoices.length > 0 && (
        <>
          <ListTotals<InvoiceTotals> path={invoiceTotals(store, filter)} one="invoice" more="invoices" beside={moneyOf} />
          <Table caption="Invoices" columns={columnsOf(store, show)} rows={invoices} keyOf={({ id }) => id} />
        </>
      )}
      {page.isSuccess && <Pager position={{ cursor, back }} next={page.data.next_cursor} go={(place) => go({ ...filter, ...place })} />}
    </Section>
  );
}

const NoInvoice = ({ isNarrowed, showAll }: { readonly isNarrowed: boolean; readonly showAll: () => void }) =>
  isNarrowed ? (
    <Empty
      title="No invoice matches"
      action={
        <Button variant="default" size="xs" onClick={showAll}>
          Show all invoices
        </Button>
      }
    >
      None in this state was issued in this time.
    </Empty>
  ) : (
    <Empty title="No invoice yet">The first one is made on the first of a month, once approved commissions are past their hold.</Empty>
  );

const moneyOf = ({ total_cents: total, lines_cents: lines, fee_cents: fee, credit_cents: credit }: InvoiceTotals) => (
  <span>
    {dollarsOf(total)} USD
    {(fee > 0 || credit > 0) && `: ${dollarsOf(lines)} commissions`}
    {fee > 0 && ` + ${dollarsOf(fee)} fee`}
    {credit > 0 && ` − ${dollarsOf(credit)} credit`}
  </span>
);

const columnsOf = (store: string, show: (id: string) => void): ReadonlyArray<Column<Invoice>> => [
  {
    title: 'Invoice',
    cell: ({ id, number }) => <Opener open={() => show(id)}>{number}</Opener>,
  },
  { title: 'Issued', cell: ({ issued_at: at }) => <Time at={at} dateOnly /> },
  { title: 'State', cell: (invoice) => <InvoiceChip invoice={invoice} /> },
  { title: 'Commissions', kind: 'number', cell: ({ lines_count: count }) => count.toLocaleString('en-GB') },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => dollarsOf(cents) },
  {
    title: 'Files',
    kind: 'actions',
    cell: ({ id, number }) => (
      <span className={styles.inRow}>
        <SaveButtons path={`/stores/${store}/invoices/${id}`} name={number} of={number} />
      </span>
    ),
  },
];

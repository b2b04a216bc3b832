import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { dollarsOf } from '../parts/amounts.ts';
import { Empty, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Opener } from '../parts/row-buttons.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { invoiceList, type Invoice } from './billing-api.ts';
import { InvoiceChip } from './billing-chips.tsx';
import styles from './billing.module.css';
import { SaveButtons } from '../parts/save-buttons.tsx';

const perPage = 20;

/** Every bill, the latest first. */
export function Invoices({ store, show }: { readonly store: string; readonly show: (id: string) => void }) {
  const { cursor, back } = useSearch({ from: '/inside/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const page = useQuery({
    ...invoiceList(store, { limit: perPage, ...(cursor !== undefined && { cursor }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Invoices" flush>
      {page.isPending && <Waiting />}
      {page.isError && (
        <div className={styles.padded}>
          <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {page.isSuccess && page.data.data.length === 0 && (
        <Empty title="No invoice yet">The first one is made on the first of a month, once approved commissions are past their hold.</Empty>
      )}
      {page.isSuccess && page.data.data.length > 0 && (
        <Table caption="Invoices" columns={columnsOf(store, show)} rows={page.data.data} keyOf={({ id }) => id} />
      )}
      {page.isSuccess && (
        <Pager
          position={{ cursor, back }}
          next={page.data.next_cursor}
          go={(place) => void navigate({ search: place, resetScroll: false })}
        />
      )}
    </Section>
  );
}

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

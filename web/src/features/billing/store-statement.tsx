import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { StoreStatement as StoreStatementMonth, StoreStatementLine } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiPagedQuery } from '../../ui/queries.ts';
import { formatDollars } from '../../ui/format.ts';
import { StatementPage, monthsSince, statementLinesPerPage } from '../../ui/statement-page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { UtcTime } from '../../ui/time.tsx';
import { overviewQuery } from '../overview/overview-api.ts';
import { accountName, accounts } from './store-statement-api.ts';
import { storeQuery } from '../stores/stores-api.ts';
import { t } from './messages.ts';

/** The store's monthly statement. */
export function StoreStatement() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { period } = useSearch({ from: '/signed-in/stores/$store/statement' });
  const navigate = useNavigate({ from: '/stores/$store/statement' });
  const currentStore = useQuery(storeQuery(store));
  // Reads the current day from the service: in the sandbox its clock may be months ahead of the viewer's.
  const days = useQuery(overviewQuery(store, { last: '1d' }));
  const today = days.data?.to;
  return (
    <StatementPage
      query={(month) =>
        apiPagedQuery({ path: statementPath(store, month), limit: statementLinesPerPage, next: (page) => page.next_cursor })
      }
      exportPath={(month) => statementPath(store, month)}
      month={period ?? today?.slice(0, 7)}
      months={currentStore.data === undefined || today === undefined ? [] : monthsSince(currentStore.data.created_at, today)}
      choose={(month) => void navigate({ search: { period: month }, resetScroll: false })}
      problem={days.error}
      retry={() => void days.refetch()}
      accountsOf={accountsOf}
      renderLines={(lines) => <StatementLines store={store} lines={lines} />}
    />
  );
}

const statementPath = (store: string, period: string) => apiPath('/stores/{store}/statement', { store }, { period });

const accountsOf = ({ opening, closing }: StoreStatementMonth) =>
  accounts.map(([account, name, meaning]) => ({ name, meaning, opening: opening[account], closing: closing[account] }));

function StatementLines({ store, lines }: { readonly store: string; readonly lines: readonly StoreStatementLine[] }) {
  if (lines.length === 0)
    return <EmptyState title={t.store_statement.no_activity_this_month}>{t.store_statement.no_orders_reviews_invoices_or}</EmptyState>;
  return <Table caption={t.store_statement.postings_this_month} columns={lineColumns(store)} rows={lines} keyOf={lineKey} />;
}

const lineKey = ({
  at,
  what,
  commission_id: commission,
  invoice_id: invoice,
  creator_name: name,
  debit,
  credit,
}: StoreStatementLine): string => [at, what, commission, invoice, name, debit, credit].join(' ');

const lineColumns = (store: string): ReadonlyArray<Column<StoreStatementLine>> => [
  { title: t.store_statement.posted_utc, cell: ({ at }) => <UtcTime at={at} /> },
  { title: t.store_statement.description, cell: ({ what }) => what },
  { title: t.store_statement.reference, cell: (line) => <LineSubject store={store} line={line} /> },
  { title: t.store_statement.creator, kind: 'name', cell: ({ creator_name: name }) => name },
  { title: t.store_statement.debit, cell: ({ debit }) => accountName(debit) },
  { title: t.store_statement.credit, cell: ({ credit }) => accountName(credit) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

function LineSubject({ store, line }: { readonly store: string; readonly line: StoreStatementLine }) {
  if (line.commission_id !== null)
    return (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: line.commission_id }}>
        {line.order_id ?? line.subscription_invoice_id ?? line.lead_id ?? t.store_statement.the_conversion}
      </TextLink>
    );
  if (line.invoice_id === null) return null;
  return (
    <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: line.invoice_id }}>
      {`INV-${String(line.invoice_number).padStart(5, '0')}`}
    </TextLink>
  );
}

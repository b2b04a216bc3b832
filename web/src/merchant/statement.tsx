import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { dollarsOf } from '../parts/amounts.ts';
import { BookMonthPage, monthsSince, type BookMonth } from '../parts/book-month.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty } from '../parts/page.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { overviewReading } from './overview-api.ts';
import { accountName, accounts, type Balances, type StatementLine } from './statement-api.ts';
import { storeReading } from './stores-api.ts';

/** A month of the store's book. */
export function Statement() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { period } = useSearch({ from: '/inside/stores/$store/statement' });
  const navigate = useNavigate({ from: '/stores/$store/statement' });
  const shop = useQuery(storeReading(store));
  // The day by the service's clock, which in the sandbox may be months ahead of the viewer's: it says so in its figures.
  const days = useQuery(overviewReading(store, { last: '1d' }));
  const today = days.data?.to;
  return (
    <BookMonthPage<Balances, StatementLine>
      path={`/stores/${store}/statement`}
      month={period ?? today?.slice(0, 7)}
      months={shop.data === undefined || today === undefined ? [] : monthsSince(shop.data.created_at, today)}
      choose={(month) => void navigate({ search: { period: month }, resetScroll: false })}
      problem={days.error}
      retry={() => void days.refetch()}
      accountsOf={accountsOf}
      renderLines={(lines) => <Lines store={store} lines={lines} />}
    />
  );
}

const accountsOf = ({ opening, closing }: BookMonth<Balances, StatementLine>) =>
  accounts.map(([account, name, meaning]) => ({ name, meaning, opening: opening[account], closing: closing[account] }));

function Lines({ store, lines }: { readonly store: string; readonly lines: readonly StatementLine[] }) {
  if (lines.length === 0) return <Empty title="Nothing in this month">No order, decision, invoice or payment was booked in it.</Empty>;
  return <Table caption="Lines of the month" columns={lineColumns(store)} rows={lines} keyOf={keyOfLine} />;
}

const keyOfLine = ({
  at,
  what,
  commission_id: commission,
  invoice_id: invoice,
  creator_name: name,
  debit,
  credit,
}: StatementLine): string => [at, what, commission, invoice, name, debit, credit].join(' ');

const lineColumns = (store: string): ReadonlyArray<Column<StatementLine>> => [
  { title: 'Booked', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ what }) => what },
  { title: 'About', cell: (line) => <About store={store} line={line} /> },
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => name },
  { title: 'Debit', cell: ({ debit }) => accountName(debit) },
  { title: 'Credit', cell: ({ credit }) => accountName(credit) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => dollarsOf(cents) },
];

function About({ store, line }: { readonly store: string; readonly line: StatementLine }) {
  if (line.commission_id !== null)
    return (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: line.commission_id }}>
        {line.order_id ?? line.subscription_invoice_id ?? 'the conversion'}
      </TextLink>
    );
  if (line.invoice_id === null) return null;
  return (
    <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: line.invoice_id }}>
      {`INV-${String(line.invoice_number).padStart(5, '0')}`}
    </TextLink>
  );
}

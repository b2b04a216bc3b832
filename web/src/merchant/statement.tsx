import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { keyOf } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './billing.module.css';
import { overviewReading } from './overview-api.ts';
import { SaveButtons } from './save-buttons.tsx';
import { accountName, accounts, monthsSince, type Statement as Month, type StatementLine } from './statement-api.ts';
import { storeReading } from './stores-api.ts';

const linesPerPage = 50;
const firstPage = (): string | null => null;

/** A month of the store's book: what it began with, every line of it, and what it ended with. */
export function Statement() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { period } = useSearch({ from: '/inside/stores/$store/statement' });
  const today = useServiceDay(store);
  const month = period ?? today?.slice(0, 7);
  const path = `/stores/${store}/statement`;
  const found = useInfiniteQuery({
    queryKey: [...keyOf(path), month ?? '', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      api.get<Month>(`${path}${queryOf({ period: month, limit: linesPerPage, cursor: pageParam ?? undefined })}`, signal),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.next_cursor,
    enabled: month !== undefined,
  });
  const statement = found.data?.pages[0];
  return (
    <Page
      title="Statement"
      intro="Every cent of a month, by the time it was booked, in UTC. Opening and lines add up to closing."
      actions={month !== undefined && <SaveButtons path={`${path}?period=${month}`} name={`statement-${month}`} of="the statement" />}
    >
      {month !== undefined && <MonthChoice store={store} month={month} today={today} statement={statement} />}
      {found.isPending && <Section title="Month" bare children={<Waiting lines={6} />} />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {statement !== undefined && (
        <>
          <Balances statement={statement} />
          <Section title="Lines" flush>
            <Lines store={store} lines={found.data?.pages.flatMap(({ lines }) => lines) ?? []} />
            {found.hasNextPage && (
              <div className={styles.padded}>
                <Button variant="default" size="xs" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

type MonthChoiceProps = {
  readonly store: string;
  readonly month: string;
  readonly today: string | undefined;
  readonly statement: Month | undefined;
};

/** The day by the service's clock, which in the sandbox may be months ahead of the viewer's: it says so in its figures. */
const useServiceDay = (store: string): string | undefined => useQuery(overviewReading(store, { last: '1d' })).data?.to;

function MonthChoice({ store, month, today, statement }: MonthChoiceProps) {
  const shop = useQuery(storeReading(store));
  const navigate = useNavigate({ from: '/stores/$store/statement' });
  const known = shop.data === undefined || today === undefined ? [] : monthsSince(shop.data.created_at, today);
  const months = known.includes(month) ? known : [month, ...known];
  return (
    <div className={styles.month}>
      <NativeSelect
        size="xs"
        label="Month"
        value={month}
        data={months.map((one) => ({ value: one, label: monthWords.format(new Date(`${one}-01T00:00:00Z`)) }))}
        onChange={({ currentTarget }) => void navigate({ search: { period: currentTarget.value }, resetScroll: false })}
      />
      {statement !== undefined &&
        (statement.is_final ? (
          <Chip word="Final" tone="good" meaning="The month is over. Nothing is added to it or changed in it any more." />
        ) : (
          <Chip word="Not over yet" tone="wait" meaning="Lines are added until the month ends, in UTC." />
        ))}
    </div>
  );
}

type Account = { readonly name: string; readonly meaning: string; readonly opening: number; readonly closing: number };

function Balances({ statement }: { readonly statement: Month }) {
  const rows = accounts.map(([account, name, meaning]): Account => ({
    name,
    meaning,
    opening: statement.opening[account],
    closing: statement.closing[account],
  }));
  return (
    <Section title="From opening to closing" flush>
      <Table
        caption="What each account held at the beginning and at the end, in USD"
        columns={balanceColumns}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

const balanceColumns: ReadonlyArray<Column<Account>> = [
  {
    title: 'Account',
    cell: ({ name, meaning }) => (
      <>
        <div>{name}</div>
        <div className={styles.quiet}>{meaning}</div>
      </>
    ),
  },
  { title: 'Opening, USD', kind: 'number', cell: ({ opening }) => signed(opening) },
  { title: 'Moved, USD', kind: 'number', cell: ({ opening, closing }) => signed(closing - opening) },
  { title: 'Closing, USD', kind: 'number', cell: ({ closing }) => <strong>{signed(closing)}</strong> },
];

const signed = (cents: number): string => `${cents < 0 ? '−' : ''}${dollarsOf(Math.abs(cents))}`;

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
  { title: 'Creator', cell: ({ creator_name: name }) => name },
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

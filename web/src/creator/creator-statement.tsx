import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../api.ts';
import { SaveButtons } from '../merchant/save-buttons.tsx';
import { monthsSince } from '../merchant/statement-api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { keyOf } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { balanceReading, creatorReading, monthBefore, useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';

type Balances = {
  readonly available_cents: number;
  readonly in_payout_cents: number;
  readonly paid_cents: number;
  readonly advance_cents: number;
};
type Line = {
  readonly at: string;
  readonly what: string;
  readonly store_name: string;
  readonly commission_id: string | null;
  readonly order_id: string | null;
  readonly subscription_invoice_id: string | null;
  readonly payout_id: string | null;
  readonly debit: string;
  readonly credit: string;
  readonly amount_cents: number;
};
type Month = {
  readonly period: string;
  readonly is_final: boolean;
  readonly opening: Balances;
  readonly lines: readonly Line[];
  readonly closing: Balances;
  readonly next_cursor: string | null;
};

const linesPerPage = 50;
const firstPage = (): string | null => null;

/** A month of a creator's book: what it began with, every line of it, and what it ended with. */
export function CreatorStatement() {
  const creator = useCreatorId();
  const { period } = useSearch({ from: '/inside/creator/statement' });
  const balance = useQuery(balanceReading(creator));
  const today = balance.data && monthBefore(balance.data);
  const month = period ?? today;
  const path = `/creators/${creator}/statement`;
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
      above={<TextLink to="/creator/payouts">Payouts</TextLink>}
      intro="Every cent of a month, by the time it was booked, in UTC. Opening and lines add up to closing."
      actions={month !== undefined && <SaveButtons path={`${path}?period=${month}`} name={`statement-${month}`} of="the statement" />}
    >
      {month !== undefined && <MonthChoice creator={creator} month={month} today={today} statement={statement} />}
      {found.isPending && <Section title="Month" bare children={<Waiting lines={6} />} />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {statement !== undefined && (
        <>
          <Accounts statement={statement} />
          <Section title="Lines" flush>
            <Lines lines={found.data?.pages.flatMap(({ lines }) => lines) ?? []} />
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
  readonly creator: string;
  readonly month: string;
  readonly today: string | undefined;
  readonly statement: Month | undefined;
};

function MonthChoice({ creator, month, today, statement }: MonthChoiceProps) {
  const person = useQuery(creatorReading(creator));
  const navigate = useNavigate({ from: '/creator/statement' });
  const known = person.data === undefined || today === undefined ? [] : monthsSince(person.data.created_at, `${today}-01`);
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

const accounts: ReadonlyArray<readonly [account: keyof Balances, name: string, meaning: string]> = [
  ['available_cents', 'Available', 'Paid by merchants, and free to be paid out.'],
  ['in_payout_cents', 'On its way', 'In a payout that has no end yet.'],
  ['paid_cents', 'Paid to you', 'Since the beginning.'],
  ['advance_cents', 'Of it paid ahead', 'Paid to you although the merchant’s payment was taken back. You keep it.'],
];

function Accounts({ statement }: { readonly statement: Month }) {
  const rows = accounts
    .map(([account, name, meaning]): Account => ({
      name,
      meaning,
      opening: statement.opening[account],
      closing: statement.closing[account],
    }))
    // Most creators never have an advance; a row of zeros would only ask what it is.
    .filter(({ name, opening, closing }) => name !== 'Of it paid ahead' || opening !== 0 || closing !== 0);
  return (
    <Section title="From opening to closing" flush>
      <Table
        caption="What each account held at the beginning and at the end, in USD"
        columns={accountColumns}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

const accountColumns: ReadonlyArray<Column<Account>> = [
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

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  if (lines.length === 0)
    return <Empty title="Nothing in this month">No merchant paid for a sale of yours in it, and nothing was paid out.</Empty>;
  return <Table caption="Lines of the month" columns={lineColumns} rows={lines} keyOf={keyOfLine} />;
}

const keyOfLine = ({ at, what, store_name: store, commission_id: commission, payout_id: payout, debit, credit }: Line): string =>
  [at, what, store, commission, payout, debit, credit].join(' ');

const lineColumns: ReadonlyArray<Column<Line>> = [
  { title: 'Booked', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Shop', cell: ({ store_name: store }) => store },
  {
    title: 'About',
    cell: ({ payout_id: payout, order_id: order, subscription_invoice_id: invoice }) =>
      payout === null ? (
        (order ?? invoice)
      ) : (
        <TextLink to="/creator/payouts/$payout" params={{ payout }}>
          the payout
        </TextLink>
      ),
  },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => dollarsOf(cents) },
];

import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Cents, dollarsOf } from './amounts.ts';
import styles from './book-month.module.css';
import { Chip } from './chip.tsx';
import { countOf } from './count-of.ts';
import { Page, Section } from './page.tsx';
import { ProblemNote } from './problem-note.tsx';
import { readingInPages } from './reading.ts';
import { SaveButtons } from './save-buttons.tsx';
import { askedOf } from './search.ts';
import { ShowMore } from './show-more.tsx';
import { Table, Waiting, type Column } from './table.tsx';

/** A month of somebody's book, as the service tells it page by page. */
export type BookMonth<Balances, Line> = {
  readonly period: string;
  readonly is_final: boolean;
  readonly sold: { readonly orders: number; readonly revenue_cents: Cents; readonly earned_cents: Cents };
  readonly opening: Balances;
  readonly lines: readonly Line[];
  readonly closing: Balances;
  readonly next_cursor: string | null;
};

/** An account of the book, under the name that its reader knows. */
export type BookAccount = { readonly name: string; readonly meaning: string; readonly opening: Cents; readonly closing: Cents };

type BookProps<Balances, Line> = {
  readonly path: string;
  /** `2026-03`; not there as long as nobody knows which month it is. */
  readonly month: string | undefined;
  readonly months: readonly string[];
  readonly choose: (month: string) => void;
  /** Why nobody knows which month it is. */
  readonly problem: Error | null;
  readonly retry: () => void;
  readonly above?: ReactNode;
  readonly accountsOf: (month: BookMonth<Balances, Line>) => readonly BookAccount[];
  readonly renderLines: (lines: readonly Line[]) => ReactNode;
};

const linesPerPage = 50;

/** What a month began with, every line of it, and what it ended with. */
export function BookMonthPage<Balances, Line>(props: BookProps<Balances, Line>) {
  const { path, month, problem, above, accountsOf, renderLines } = props;
  const ofMonth = askedOf(path, { period: month });
  const found = useInfiniteQuery({
    ...readingInPages<BookMonth<Balances, Line>>({
      path: ofMonth,
      limit: linesPerPage,
      next: (page) => page.next_cursor,
    }),
    enabled: month !== undefined,
  });
  const whole = found.data?.pages[0];
  const isUnknown = month === undefined && problem !== null;
  return (
    <Page
      title="Statement"
      above={above}
      intro="Every cent of a month, by the time it was booked, in UTC. Opening and lines add up to closing."
      actions={month !== undefined && <SaveButtons path={ofMonth} name={`statement-${month}`} of="the statement" />}
    >
      {month !== undefined && <MonthChoice {...props} month={month} isFinal={whole?.is_final} />}
      {isUnknown && <ProblemNote problem={problem} onRetry={props.retry} />}
      {!isUnknown && found.isPending && <Section title="Month" bare children={<Waiting lines={6} />} />}
      {found.isError && !found.isFetchNextPageError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {whole !== undefined && (
        <>
          <Accounts accounts={accountsOf(whole)} />
          <Sold sold={whole.sold} />
          <Section title="Lines" flush>
            {renderLines(found.data?.pages.flatMap(({ lines }) => lines) ?? [])}
            {found.hasNextPage && (
              <div className={styles.more}>
                <ShowMore of={found} />
              </div>
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

type SoldProps = { readonly sold: BookMonth<unknown, unknown>['sold'] };

/** The figures of all other screens, by when the orders happened: the lines below are by when each was posted. */
const Sold = ({ sold: { orders, revenue_cents: revenue, earned_cents: earned } }: SoldProps) => (
  <p className={styles.sold}>
    {countOf(orders, 'order')} of this month, {dollarsOf(revenue)} USD revenue, {dollarsOf(earned)} USD earned (without what was rejected or
    reversed since).
  </p>
);

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What stands in an address may be no month; then it is shown as it is, beside what the service says to it. */
function labelOf(month: string): string {
  const begin = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isNaN(begin) ? month : monthWords.format(begin);
}

type MonthChoiceProps = {
  readonly month: string;
  readonly months: readonly string[];
  readonly choose: (month: string) => void;
  readonly isFinal: boolean | undefined;
};

function MonthChoice({ month, months: known, choose, isFinal }: MonthChoiceProps) {
  const months = known.includes(month) ? known : [month, ...known];
  return (
    <div className={styles.month}>
      <NativeSelect
        size="xs"
        label="Month"
        value={month}
        data={months.map((one) => ({ value: one, label: labelOf(one) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <span className={styles.standing}>
        {isFinal === true && (
          <Chip word="Final" tone="good" meaning="The month is over. Nothing is added to it or changed in it any more." />
        )}
        {isFinal === false && <Chip word="Not over yet" tone="wait" meaning="Lines are added until the month ends, in UTC." />}
      </span>
    </div>
  );
}

const Accounts = ({ accounts }: { readonly accounts: readonly BookAccount[] }) => (
  <Section title="From opening to closing" flush>
    <Table
      caption="What each account held at the beginning and at the end, in USD"
      columns={accountColumns}
      rows={accounts}
      keyOf={({ name }) => name}
    />
  </Section>
);

const accountColumns: ReadonlyArray<Column<BookAccount>> = [
  {
    title: 'Account',
    cell: ({ name, meaning }) => (
      <>
        <div>{name}</div>
        <div className={styles.meaning}>{meaning}</div>
      </>
    ),
  },
  { title: 'Opening, USD', kind: 'number', cell: ({ opening }) => dollarsOf(opening) },
  { title: 'Moved, USD', kind: 'number', cell: ({ opening, closing }) => dollarsOf(BigInt(closing) - BigInt(opening)) },
  { title: 'Closing, USD', kind: 'number', cell: ({ closing }) => <strong>{dollarsOf(closing)}</strong> },
];

const monthsMost = 120;

/** Months in UTC from the one in which somebody began to today's, the latest first. */
export function monthsSince(made: string, today: string): readonly string[] {
  const at = (moment: string): number => Number(moment.slice(0, 4)) * 12 + Number(moment.slice(5, 7)) - 1;
  const count = Math.min(monthsMost, at(today) - at(made) + 1);
  return Array.from({ length: Math.max(1, count) }, (_, back) => {
    const month = at(today) - back;
    return `${Math.floor(month / 12)}-${((month % 12) + 1).toString().padStart(2, '0')}`;
  });
}

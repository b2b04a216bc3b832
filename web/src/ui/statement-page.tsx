import { SelectInput } from './inputs.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CreatorStatement, StoreStatement } from '../../../sdk/src/api-schema.ts';
import type { Cents } from '../../../sdk/src/exact-json.ts';
import { language } from '../messages/messages.ts';
import { formatDollars } from './format.ts';
import styles from './statement-page.module.css';
import { Chip } from './chip.tsx';
import { Page, Section } from './page.tsx';
import { ErrorAlert } from './error-alert.tsx';
import type { PagedQuery } from './queries.ts';
import { ExportButtons } from './export-buttons.tsx';
import { ShowMore, Table, LoadingSkeleton, type Column } from './table.tsx';
import { t } from './messages.ts';

/** One month of a statement. */
type Statement = StoreStatement | CreatorStatement;

/** A ledger account, under the name its reader knows. */
export type StatementAccount = { readonly name: string; readonly meaning: string; readonly opening: Cents; readonly closing: Cents };

type StatementPageProps<Month extends Statement> = {
  /** One month, with `2026-03` as its period. */
  readonly query: (period: string) => PagedQuery<Month>;
  /** The same as a file. */
  readonly exportPath: (period: string) => string;
  /** `2026-03`; undefined until the current month is known. */
  readonly month: string | undefined;
  readonly months: readonly string[];
  readonly choose: (month: string) => void;
  /** Why the current month is not known. */
  readonly problem: Error | null;
  readonly retry: () => void;
  readonly above?: ReactNode;
  readonly accountsOf: (month: Month) => readonly StatementAccount[];
  readonly renderLines: (lines: ReadonlyArray<Month['lines'][number]>) => ReactNode;
};

export const statementLinesPerPage = 50;

/** The opening balances of a month, every line, and the closing balances. */
export function StatementPage<Month extends Statement>(props: StatementPageProps<Month>) {
  const { query, exportPath, month, problem, above, accountsOf, renderLines } = props;
  const found = useInfiniteQuery({ ...query(month ?? ''), enabled: month !== undefined });
  const pages = found.data?.pages ?? [];
  const whole = pages[0];
  const isUnknown = month === undefined && problem !== null;
  return (
    <Page
      title={t.statement_page.statement}
      above={above}
      intro={t.statement_page.all_ledger_entries_of}
      actions={
        month !== undefined && (
          <ExportButtons path={exportPath(month)} name={`statement-${month}`} subject={t.statement_page.the_statement} />
        )
      }
    >
      {month !== undefined && <MonthChoice {...props} month={month} isFinal={whole?.is_final} />}
      {isUnknown && <ErrorAlert error={problem} onRetry={props.retry} />}
      {!isUnknown && found.isPending && <Section title={t.statement_page.month} bare children={<LoadingSkeleton lines={6} />} />}
      <ErrorAlert error={found.isFetchNextPageError ? null : found.error} onRetry={() => void found.refetch()} />
      {whole !== undefined && (
        <>
          <AccountTable accounts={accountsOf(whole)} />
          <OrdersSummary sold={whole.sold} />
          <Section title={t.statement_page.entries} flush>
            {renderLines(pages.flatMap(({ lines }): ReadonlyArray<Month['lines'][number]> => lines))}
            {found.hasNextPage && (
              <div className={styles.more}>
                <ShowMore list={found} />
              </div>
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

type OrdersSummaryProps = { readonly sold: Statement['sold'] };

/** These totals go by the order's date, like those on all other screens; the lines below go by posting date. */
const OrdersSummary = ({ sold: { orders, revenue_cents: revenue, earned_cents: earned } }: OrdersSummaryProps) => (
  <p className={styles.salesSummary}>{t.statement_page.orders_this_month_revenue_in({ orders, revenue, earned })}</p>
);

const monthFormat = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The URL may hold an invalid month: it is shown unchanged, next to the service's error. */
function monthLabel(month: string): string {
  const begin = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isNaN(begin) ? month : monthFormat.format(begin);
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
      <SelectInput
        size="xs"
        label={t.statement_page.month}
        value={month}
        data={months.map((one) => ({ value: one, label: monthLabel(one) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <span className={styles.balanceRow}>
        {isFinal === true && <Chip label={t.statement_page.final} tone="good" meaning={t.statement_page.the_month_has_ended_its} />}
        {isFinal === false && (
          <Chip label={t.statement_page.in_progress} tone="wait" meaning={t.statement_page.entries_are_added_until_the} />
        )}
      </span>
    </div>
  );
}

const AccountTable = ({ accounts }: { readonly accounts: readonly StatementAccount[] }) => (
  <Section title={t.statement_page.balances} flush>
    <Table caption={t.statement_page.opening_and_closing_balance_of} columns={accountColumns} rows={accounts} keyOf={({ name }) => name} />
  </Section>
);

const accountColumns: ReadonlyArray<Column<StatementAccount>> = [
  {
    title: t.statement_page.account,
    cell: ({ name, meaning }) => (
      <>
        <div>{name}</div>
        <div className={styles.meaning}>{meaning}</div>
      </>
    ),
  },
  { title: t.statement_page.opening_usd, kind: 'number', cell: ({ opening }) => formatDollars(opening) },
  { title: t.statement_page.change_usd, kind: 'number', cell: ({ opening, closing }) => formatDollars(BigInt(closing) - BigInt(opening)) },
  { title: t.statement_page.closing_usd, kind: 'number', cell: ({ closing }) => <strong>{formatDollars(closing)}</strong> },
];

const monthsMax = 120;

/** The months (UTC) from the one in which the account was created to the current one, latest first. */
export function monthsSince(made: string, today: string): readonly string[] {
  const at = (moment: string): number => Number(moment.slice(0, 4)) * 12 + Number(moment.slice(5, 7)) - 1;
  const count = Math.min(monthsMax, at(today) - at(made) + 1);
  return Array.from({ length: Math.max(1, count) }, (_, back) => {
    const month = at(today) - back;
    return `${Math.floor(month / 12)}-${((month % 12) + 1).toString().padStart(2, '0')}`;
  });
}

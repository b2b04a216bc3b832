import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorBalances, CreatorStatement as CreatorStatementMonth, CreatorStatementLine } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiPagedQuery } from '../../ui/queries.ts';
import { formatDollars } from '../../ui/format.ts';
import { StatementPage, monthsSince, statementLinesPerPage } from '../../ui/statement-page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { UtcTime } from '../../ui/time.tsx';
import { balanceQuery, creatorQuery, currentMonth, useCreatorId } from './creator-api.ts';
import { t } from './messages.ts';

/** A creator's monthly statement. */
export function CreatorStatement() {
  const creator = useCreatorId();
  const { period } = useSearch({ from: '/signed-in/creator/statement' });
  const navigate = useNavigate({ from: '/creator/statement' });
  const creatorResult = useQuery(creatorQuery(creator));
  const balance = useQuery(balanceQuery(creator));
  const today = balance.data && currentMonth(balance.data);
  return (
    <StatementPage
      query={(month) =>
        apiPagedQuery({ path: statementPath(creator, month), limit: statementLinesPerPage, next: (page) => page.next_cursor })
      }
      exportPath={(month) => statementPath(creator, month)}
      month={period ?? today}
      months={creatorResult.data === undefined || today === undefined ? [] : monthsSince(creatorResult.data.created_at, `${today}-01`)}
      choose={(month) => void navigate({ search: { period: month }, resetScroll: false })}
      problem={balance.error}
      retry={() => void balance.refetch()}
      above={<TextLink to="/creator/payouts">{t.creator_payouts.payouts}</TextLink>}
      accountsOf={accountsOf}
      renderLines={(lines) => <StatementLines lines={lines} />}
    />
  );
}

const accounts: ReadonlyArray<readonly [account: keyof CreatorBalances, name: string, meaning: string]> = [
  ['available_cents', t.creator_statement.available, t.creator_statement.paid_by_merchants_and_ready],
  ['in_payout_cents', t.creator_statement.in_transit, t.creator_statement.included_in_a_payout_that],
  ['paid_cents', t.creator_statement.paid_out, t.creator_statement.total_to_date],
  ['advance_cents', t.creator_statement.advance, t.creator_statement.paid_to_you_although_the],
];

const statementPath = (creator: string, period: string) => apiPath('/creators/{creator}/statement', { creator }, { period });

const accountsOf = ({ opening, closing }: CreatorStatementMonth) =>
  accounts
    // Most creators never have an advance, so a row of zeros is hidden.
    .filter(([account]) => account !== 'advance_cents' || opening[account] !== 0 || closing[account] !== 0)
    .map(([account, name, meaning]) => ({ name, meaning, opening: opening[account], closing: closing[account] }));

function StatementLines({ lines }: { readonly lines: readonly CreatorStatementLine[] }) {
  if (lines.length === 0)
    return (
      <EmptyState title={t.creator_statement.no_activity_this_month}>{t.creator_statement.no_merchant_payments_or_payouts}</EmptyState>
    );
  return <Table caption={t.creator_statement.entries_of_the_month} columns={lineColumns(lines)} rows={lines} keyOf={lineKey} />;
}

const lineKey = ({
  at,
  what,
  store_name: store,
  commission_id: commission,
  payout_id: payout,
  debit,
  credit,
}: CreatorStatementLine): string => [at, what, store, commission, payout, debit, credit].join(' ');

/** By the debited account, then the credited one. */
const entryTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  from_stores: {
    available: t.statement_entries.commission_paid_by_the_merchant,
    advance: t.statement_entries.merchant_paid_after_an_earlier,
  },
  available: {
    from_stores: t.statement_entries.reversed_because_of_a_refund,
    advance: t.statement_entries.payout_returned_not_paid_by,
    in_payout: t.statement_entries.added_to_a_payout,
  },
  advance: { from_stores: t.statement_entries.merchant_payment_reversed_you_keep },
  in_payout: { paid: t.statement_entries.paid_out, available: t.statement_entries.payout_failed_included_in_the },
  paid: { available: t.statement_entries.payout_returned_included_in_the },
};

/** The service describes entries in English only. */
const entryText = ({ debit, credit, what }: CreatorStatementLine): string => entryTexts[debit]?.[credit] ?? what;

const lineColumns = (lines: readonly CreatorStatementLine[]): ReadonlyArray<Column<CreatorStatementLine>> => [
  { title: t.creator_statement.date_utc, cell: ({ at }) => <UtcTime at={at} /> },
  { title: t.creator_statement.description, cell: entryText },
  { title: t.creator_statement.store, cell: ({ store_name: store }) => store },
  {
    title: t.creator_statement.reference,
    cell: ({ payout_id: payout, order_id: order, subscription_invoice_id: invoice, lead_id: lead }) =>
      payout === null ? (
        // Only the commission of a bonus has none of these.
        (order ?? invoice ?? lead ?? t.sale_drawer.bonus)
      ) : (
        <TextLink to="/creator/payouts/$payout" params={{ payout }}>
          {t.creator_statement.view_payout}
        </TextLink>
      ),
  },
  ...accounts
    .filter(([account]) => account !== 'advance_cents' || lines.some((line) => changeOf(account, line) !== 0n))
    .map(([account, name]) => ({
      title: t.creator_statement.amount_of_account({ account: name }),
      kind: 'number' as const,
      cell: (line: CreatorStatementLine) => {
        const change = changeOf(account, line);
        return change === 0n ? null : formatDollars(change);
      },
    })),
];

/** Every account but the advance grows by what is credited to it. */
function changeOf(account: keyof CreatorBalances, { debit, credit, amount_cents: cents }: CreatorStatementLine): bigint {
  const amount = BigInt(cents);
  const grown = (credit === nameInLines[account] ? amount : 0n) - (debit === nameInLines[account] ? amount : 0n);
  return account === 'advance_cents' ? -grown : grown;
}

const nameInLines: Readonly<Record<keyof CreatorBalances, string>> = {
  available_cents: 'available',
  in_payout_cents: 'in_payout',
  paid_cents: 'paid',
  advance_cents: 'advance',
};

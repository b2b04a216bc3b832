import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorBalances, CreatorStatement as CreatorStatementMonth, CreatorStatementLine } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiPagedQuery } from '../../ui/queries.ts';
import { formatDollars } from '../../ui/format.ts';
import { StatementPage, monthsSince, statementLinesPerPage } from '../../ui/statement-page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { balanceQuery, creatorQuery, currentMonth, useCreatorId } from './creator-api.ts';

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
      above={<TextLink to="/creator/payouts">Payouts</TextLink>}
      accountsOf={accountsOf}
      renderLines={(lines) => <StatementLines lines={lines} />}
    />
  );
}

const accounts: ReadonlyArray<readonly [account: keyof CreatorBalances, name: string, meaning: string]> = [
  ['available_cents', 'Available', 'Paid by merchants, and free to be paid out.'],
  ['in_payout_cents', 'On its way', 'In a payout that has no end yet.'],
  ['paid_cents', 'Paid to you', 'Since the beginning.'],
  ['advance_cents', 'Of it paid ahead', 'Paid to you although the merchant’s payment was taken back. You keep it.'],
];

const statementPath = (creator: string, period: string) => apiPath('/creators/{creator}/statement', { creator }, { period });

const accountsOf = ({ opening, closing }: CreatorStatementMonth) =>
  accounts
    .map(([account, name, meaning]) => ({ name, meaning, opening: opening[account], closing: closing[account] }))
    // Most creators never have an advance, so a row of zeros is hidden.
    .filter(({ name, opening: before, closing: after }) => name !== 'Of it paid ahead' || before !== 0 || after !== 0);

function StatementLines({ lines }: { readonly lines: readonly CreatorStatementLine[] }) {
  if (lines.length === 0)
    return <EmptyState title="Nothing in this month">No merchant paid for a sale of yours in it, and nothing was paid out.</EmptyState>;
  return <Table caption="Lines of the month" columns={lineColumns} rows={lines} keyOf={lineKey} />;
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

const lineColumns: ReadonlyArray<Column<CreatorStatementLine>> = [
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
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

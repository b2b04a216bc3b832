import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type TrialBalance = {
  readonly book: 'stores' | 'creators';
  readonly account: string;
  readonly debitCents: bigint;
  readonly creditCents: bigint;
};

/** The totals of every account in both books, over all stores and creators. */
export const trialBalance = (db: Queryable): Promise<TrialBalance[]> =>
  db.all(sql`
    select 'stores' as book, account, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents
    from balances group by account
    union all
    select 'creators', account, sum(debit_cents), sum(credit_cents) from creator_balances group by account
    order by book desc, account`);

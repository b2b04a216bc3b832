import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

export type TrialBalance = {
  readonly book: 'stores' | 'creators';
  readonly account: string;
  readonly debitCents: bigint;
  readonly creditCents: bigint;
};

/** Every account of both books, all stores and all creators together, whatever they sum up to. Each book's debits equal its credits. */
export const trialBalance = (db: Queryable): Promise<TrialBalance[]> =>
  db.all(sql`
    select 'stores' as book, account, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents
    from balances group by account
    union all
    select 'creators', account, sum(debit_cents), sum(credit_cents) from creator_balances group by account
    order by book desc, account`);

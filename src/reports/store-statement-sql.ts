import type { Source, StoreAccount } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { Period } from './period.ts';

export type StoreTransfer = {
  readonly sourceKind: Source['kind'];
  readonly sourceId: Id;
  readonly creatorId: Id<'crt'>;
  readonly debit: StoreAccount;
  readonly credit: StoreAccount;
  readonly amountCents: Cents;
  readonly at: Date;
};

/** In order of time, by the index transfers_by_time. */
export const listStoreTransfers = (
  db: Queryable,
  storeId: Id<'store'>,
  { from, to }: Period,
  { after, limit }: Page,
): Promise<StoreTransfer[]> =>
  db.all(sql`
    select source_kind, source_id, creator_id, debit, credit, amount_cents, at from transfers
    where store_id = ${storeId} and at >= ${from} and at < ${to} ${
      after === null
        ? emptySql
        : sql`and (at, source_id, creator_id, debit, credit) >
            (${new Date(Number(after[0]))}::timestamptz, ${after[1]}::uuid, ${after[2]}::uuid, ${after[3]}::text, ${after[4]}::text)`
    }
    order by at, source_id, creator_id, debit, credit limit ${limit + 1}`);

export const storeTransferCursor = ({ at, sourceId, creatorId, debit, credit }: StoreTransfer): readonly string[] => [
  at.getTime().toString(),
  sourceId,
  creatorId,
  debit,
  credit,
];

export type StoreAccountTotals = { readonly account: StoreAccount; readonly debitCents: bigint; readonly creditCents: bigint };

/** The stored balances minus the transfers since `at`, so that a recent month does not read years of transfers. */
export const storeAccountTotalsAt = (db: Queryable, storeId: Id<'store'>, at: Date): Promise<StoreAccountTotals[]> =>
  db.all(sql`
    with since as (select debit, credit, amount_cents from transfers where store_id = ${storeId} and at >= ${at})
    select account, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents from (
      select account, debit_cents, credit_cents from balances where store_id = ${storeId}
      union all select debit, -amount_cents, 0 from since
      union all select credit, 0, -amount_cents from since
    ) as all_of_it group by account`);

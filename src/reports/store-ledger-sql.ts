import type { Source, StoreAccount } from '../ledger/posting.ts';
import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { Period } from './period.ts';

/** One transfer of a store's book, as it was posted. */
export type StoreTransfer = {
  readonly sourceKind: Source['kind'];
  readonly sourceId: Id;
  readonly creatorId: Id<'crt'>;
  readonly debit: StoreAccount;
  readonly credit: StoreAccount;
  readonly amountCents: Cents;
  readonly at: Date;
};

/** In the order of posting, by transfers_by_time. */
export const storeTransfers = (
  db: Queryable,
  storeId: Id<'store'>,
  { from, to }: Period,
  { after, limit }: Page,
): Promise<StoreTransfer[]> =>
  db.all(sql`
    select source_kind, source_id, creator_id, debit, credit, amount_cents, at from transfers
    where store_id = ${storeId} and at >= ${from} and at < ${to} ${
      after === null
        ? nothing
        : sql`and (at, source_id, creator_id, debit, credit) >
            (${new Date(Number(after[0]))}::timestamptz, ${after[1]}::uuid, ${after[2]}::uuid, ${after[3]}::text, ${after[4]}::text)`
    }
    order by at, source_id, creator_id, debit, credit limit ${limit + 1}`);

export const placeOf = ({ at, sourceId, creatorId, debit, credit }: StoreTransfer): readonly string[] => [
  at.getTime().toString(),
  sourceId,
  creatorId,
  debit,
  credit,
];

/** What an account had moved by a moment. */
export type AccountSum = { readonly account: StoreAccount; readonly debitCents: bigint; readonly creditCents: bigint };

/** What is kept beside the transfers, less what came since: a month that ended lately costs no look at the years before it. */
export const storeSumsAt = (db: Queryable, storeId: Id<'store'>, at: Date): Promise<AccountSum[]> =>
  db.all(sql`
    with since as (select debit, credit, amount_cents from transfers where store_id = ${storeId} and at >= ${at})
    select account, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents from (
      select account, debit_cents, credit_cents from balances where store_id = ${storeId}
      union all select debit, -amount_cents, 0 from since
      union all select credit, 0, -amount_cents from since
    ) as all_of_it group by account`);

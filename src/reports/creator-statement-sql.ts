import type { CreatorAccount, CreatorSource } from '../ledger/creator-postings.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { Period } from './period.ts';

/** One transfer of a creator's book, with its commission or payout. */
export type CreatorTransfer = {
  readonly sourceKind: CreatorSource['kind'];
  readonly sourceId: Id;
  readonly storeId: Id<'store'>;
  readonly debit: CreatorAccount;
  readonly credit: CreatorAccount;
  readonly amountCents: Cents;
  readonly at: Date;
  readonly commissionId: Id<'com'> | null;
  readonly payoutId: Id<'pay'> | null;
};

/** In order of time, by the index creator_transfers_by_time. */
export const listCreatorTransfers = (
  db: Queryable,
  creatorId: Id<'crt'>,
  { from, to }: Period,
  { after, limit }: Page,
): Promise<CreatorTransfer[]> =>
  db.all(sql`
    select t.source_kind, t.source_id, t.store_id, t.debit, t.credit, t.amount_cents, t.at, e.commission_id,
      case when t.source_kind <> 'entry' then t.source_id end as payout_id
    from creator_transfers t left join creator_entries e on e.creator_id = t.creator_id and e.entry_id = t.source_id
    where t.creator_id = ${creatorId} and t.at >= ${from} and t.at < ${to} ${
      after === null
        ? emptySql
        : sql`and (t.at, t.source_id, t.store_id, t.debit, t.credit) >
            (${new Date(Number(after[0]))}::timestamptz, ${after[1]}::uuid, ${after[2]}::uuid, ${after[3]}::text, ${after[4]}::text)`
    }
    order by t.at, t.source_id, t.store_id, t.debit, t.credit limit ${limit + 1}`);

export const creatorTransferCursor = ({ at, sourceId, storeId, debit, credit }: CreatorTransfer): readonly string[] => [
  at.getTime().toString(),
  sourceId,
  storeId,
  debit,
  credit,
];

export type CreatorAccountTotals = { readonly account: CreatorAccount; readonly debitCents: bigint; readonly creditCents: bigint };

/** The stored balances minus the transfers since `at`. */
export const creatorAccountTotalsAt = (db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<CreatorAccountTotals[]> =>
  db.all(sql`
    with since as (select debit, credit, amount_cents from creator_transfers where creator_id = ${creatorId} and at >= ${at})
    select account, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents from (
      select account, debit_cents, credit_cents from creator_balances where creator_id = ${creatorId}
      union all select debit, -amount_cents, 0 from since
      union all select credit, 0, -amount_cents from since
    ) as all_of_it group by account`);

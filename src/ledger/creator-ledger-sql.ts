import type { Queryable, Transaction } from '../db/database.ts';
import { bigints, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { sum, type Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import { type Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';
import type { CreatorAccount, CreatorPosting } from './creator-postings.ts';

/** Writes transfers of one creator and adds them to the balances. The caller makes sure that the source is posted once. */
export async function postCreatorTransfers(tx: Transaction, creatorId: Id<'crt'>, postings: readonly CreatorPosting[]): Promise<void> {
  if (postings.length === 0) return;
  invariant(
    postings.every((posting) => posting.creatorId === creatorId),
    'a call posts to the book of one creator',
  );
  const transfers = sql`
    insert into creator_transfers (creator_id, source_kind, source_id, store_id, debit, credit, amount_cents, at)
    select ${creatorId}::uuid, * from unnest(
      ${texts(postings.map(({ source }) => source.kind))}, ${uuids(postings.map(({ source }) => source.id))},
      ${uuids(postings.map(({ storeId }) => storeId))}, ${texts(postings.map(({ debit }) => debit))},
      ${texts(postings.map(({ credit }) => credit))}, ${bigints(postings.map(({ amount }) => amount))},
      ${timestamps(postings.map(({ at }) => at))})`;
  const [written] = await Promise.all([tx.run(transfers), addToBalances(tx, creatorId, postings)]);
  invariant(written === postings.length, 'every posting is written once');
}

type BalanceChange = { readonly account: CreatorAccount; readonly storeId: Id<'store'>; readonly debit: Cents; readonly credit: Cents };

async function addToBalances(tx: Transaction, creatorId: Id<'crt'>, postings: readonly CreatorPosting[]): Promise<void> {
  const changes = balanceChanges(postings);
  await tx.run(sql`
    insert into creator_balances as sums (creator_id, account, store_id, debit_cents, credit_cents)
    select ${creatorId}::uuid, account, store_id, debit_cents, credit_cents from unnest(
      ${texts(changes.map(({ account }) => account))}, ${uuids(changes.map(({ storeId }) => storeId))},
      ${bigints(changes.map(({ debit }) => debit))}, ${bigints(changes.map(({ credit }) => credit))}
    ) as fresh (account, store_id, debit_cents, credit_cents)
    order by account, store_id
    on conflict (creator_id, account, store_id) do update
    set debit_cents = sums.debit_cents + excluded.debit_cents, credit_cents = sums.credit_cents + excluded.credit_cents`);
}

/** One row for each account, because an upsert cannot affect the same row twice. */
function balanceChanges(postings: readonly CreatorPosting[]): readonly BalanceChange[] {
  const sides = postings.flatMap(({ storeId, debit, credit, amount }) => [
    { account: debit, storeId, debit: amount, credit: sum([]) },
    { account: credit, storeId, debit: sum([]), credit: amount },
  ]);
  const together = new Map<string, BalanceChange>();
  for (const side of sides) {
    const key = `${side.account} ${side.storeId}`;
    const before = together.get(key);
    const debit = sum([side.debit, before?.debit ?? sum([])]);
    together.set(key, { ...side, debit, credit: sum([side.credit, before?.credit ?? sum([])]) });
  }
  return [...together.values()];
}

export type CreatorBalance = { readonly account: CreatorAccount; readonly storeId: Id<'store'>; readonly amount: bigint };

/** Credit minus debit by account and store, so `from_stores` and `advance` are negative. */
export function creatorBalances(db: Queryable, creatorId: Id<'crt'>): Promise<CreatorBalance[]> {
  return db.all(sql`
    select account, store_id, credit_cents - debit_cents as amount from creator_balances
    where creator_id = ${creatorId} order by account, store_id`);
}

export const countCreatorTransfers = rowsOf(sql`creator_transfers`);

/** Balances that are not the sum of their transfers. Reads all creators; for verification only. */
export function creatorBalanceDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with entries as (
      select creator_id, debit as account, store_id, amount_cents as debit_cents, 0::bigint as credit_cents from creator_transfers
      union all
      select creator_id, credit, store_id, 0, amount_cents from creator_transfers
    ), recomputed as (
      select creator_id, account, store_id, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents
      from entries group by creator_id, account, store_id
    )
    select coalesce(recomputed.store_id, kept.store_id)::text as store_id,
           format('creator %s, %s: stored %s/%s, transfers sum up to %s/%s', coalesce(recomputed.creator_id, kept.creator_id),
             coalesce(recomputed.account, kept.account), kept.debit_cents, kept.credit_cents,
             recomputed.debit_cents, recomputed.credit_cents) as detail
    from recomputed full join creator_balances kept using (creator_id, account, store_id)
    where recomputed.debit_cents is distinct from kept.debit_cents or recomputed.credit_cents is distinct from kept.credit_cents`,
  );
}

import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { PayoutKey } from './payout.ts';

// What is free to be paid, as far as the creator's book knows. Whether it still is says the commission's own row, when it is claimed.

/** By earnings_free. */
export async function freeCents(db: Queryable, creatorId: Id<'crt'>): Promise<Cents> {
  const { free } = await db.one<{ free: Cents }>(sql`
    select coalesce(sum(amount_cents), 0) as free from earnings
    where creator_id = ${creatorId} and payout_id is null and collected > 0`);
  return free;
}

export async function storesWithFree(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from earnings where creator_id = ${creatorId} and payout_id is null and collected > 0 order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

type InStore = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'> };
type Stretch = { readonly after: Id<'com'> | null; readonly limit: number };

export type FreeEarning = { readonly commissionId: Id<'com'>; readonly amountCents: Cents };

export const freeEarnings = (db: Queryable, { creatorId, storeId }: InStore, { after, limit }: Stretch): Promise<readonly FreeEarning[]> =>
  db.all(sql`
    select commission_id, amount_cents from earnings
    where creator_id = ${creatorId} and store_id = ${storeId} and payout_id is null and collected > 0
      ${after === null ? nothing : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);

type Claimed = PayoutKey & { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> };

/**
 * Answers how many of them are in the payout now. Twice is the same as once. Locks in the order of their ids, as delivery does; in a
 * statement of its own, for joined with its change it was planned by stale counts and read all earnings once for each of them.
 */
export async function putIntoPayout(tx: Transaction, { creatorId, payoutId, storeId, commissionIds }: Claimed): Promise<number> {
  const locked = await tx.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from earnings
    where creator_id = ${creatorId} and store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[])
      and (payout_id is null or payout_id = ${payoutId})
    order by commission_id for update`);
  return tx.run(sql`
    update earnings set payout_id = ${payoutId}
    where creator_id = ${creatorId} and store_id = ${storeId}
      and commission_id = any(${locked.map(({ commissionId }) => commissionId)}::uuid[])`);
}

export async function insertLines(tx: Transaction, { creatorId, payoutId, storeId, commissionIds }: Claimed): Promise<void> {
  await tx.run(sql`
    insert into payout_lines (creator_id, payout_id, store_id, commission_id, amount_cents)
    select creator_id, payout_id, store_id, commission_id, amount_cents from earnings
    where creator_id = ${creatorId} and payout_id = ${payoutId} and store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[])
    on conflict do nothing`);
}

/** The payout failed or came back: so many are free for the next one; answers how many. By earnings_of_payout. */
export const takeOutOfPayout = (db: Queryable, { creatorId, payoutId }: PayoutKey, limit: number): Promise<number> =>
  db.run(sql`
    update earnings set payout_id = null
    where creator_id = ${creatorId} and (store_id, commission_id) in (
      select store_id, commission_id from earnings
      where creator_id = ${creatorId} and payout_id = ${payoutId} order by store_id, commission_id limit ${limit} for update)`);

/** What the payout gathered, by store. */
export const gatheredByStore = (
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
): Promise<ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>> =>
  db.all(sql`
    select store_id, sum(amount_cents) as amount from payout_lines
    where creator_id = ${creatorId} and payout_id = ${payoutId} group by store_id order by store_id`);

/** The creators with something free. Crosses all creators: the index holds nothing else. */
export async function creatorsWithFree(
  db: Queryable,
  { after, limit }: { readonly after: Id<'crt'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select distinct creator_id from earnings
    where payout_id is null and collected > 0 ${after === null ? nothing : sql`and creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

/** Whether anything was ever collected for a creator, in any store. */
export const hasEarnings = async (db: Queryable, creatorId: Id<'crt'>): Promise<boolean> =>
  (await db.find(sql`select 1 as one from earnings where creator_id = ${creatorId} limit 1`)) !== null;

export type FreePair = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'> };

/** Which of these creators have something free in which stores. By earnings_free. */
export const pairsWithFree = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<FreePair[]> =>
  db.all(sql`
    select distinct creator_id, store_id from earnings
    where creator_id = any(${creatorIds}::uuid[]) and payout_id is null and collected > 0
    order by creator_id, store_id`);

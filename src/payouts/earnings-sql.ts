import type { Queryable, Transaction } from '../db/database.ts';
import { bigints, emptySql, ints, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { PayoutKey } from './payout.ts';
import type { OutboxEntry } from '../commissions/creator-outbox-sql.ts';
import { invariant } from '../core/invariant.ts';

// Free earnings by the creator's ledger. The commission row decides whether one is still free when it is claimed.

/** By earnings_free. */
export async function sumFreeEarnings(db: Queryable, creatorId: Id<'crt'>): Promise<Cents> {
  const { free } = await db.one<{ free: Cents }>(sql`
    select coalesce(sum(amount_cents), 0) as free from earnings
    where creator_id = ${creatorId} and payout_id is null and collected > 0`);
  return free;
}

export async function listStoresWithFreeEarnings(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from earnings where creator_id = ${creatorId} and payout_id is null and collected > 0 order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

type InStore = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'> };

type EarningsPage = { readonly after: Id<'com'> | null; readonly limit: number };

export type FreeEarning = { readonly commissionId: Id<'com'>; readonly amountCents: Cents };

export const listFreeEarnings = (
  db: Queryable,
  { creatorId, storeId }: InStore,
  { after, limit }: EarningsPage,
): Promise<readonly FreeEarning[]> =>
  db.all(sql`
    select commission_id, amount_cents from earnings
    where creator_id = ${creatorId} and store_id = ${storeId} and payout_id is null and collected > 0
      ${after === null ? emptySql : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);

type Claimed = PayoutKey & { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> };

/**
 * Returns how many of them are in the payout now; safe to repeat. Locks in ID order, as delivery does. The lock is a separate statement:
 * combined with the update, stale statistics led to a plan that read all earnings once per row.
 */
export async function putIntoPayout(tx: Transaction, { creatorId, payoutId, storeId, commissionIds }: Claimed): Promise<number> {
  const locked = await tx.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from earnings
    where creator_id = ${creatorId} and store_id = ${storeId} and commission_id = any(${uuids(commissionIds)})
      and (payout_id is null or payout_id = ${payoutId})
    order by commission_id for update`);
  return tx.run(sql`
    update earnings set payout_id = ${payoutId}
    where creator_id = ${creatorId} and store_id = ${storeId}
      and commission_id = any(${uuids(locked.map(({ commissionId }) => commissionId))})`);
}

export async function insertLines(tx: Transaction, { creatorId, payoutId, storeId, commissionIds }: Claimed): Promise<void> {
  await tx.run(sql`
    insert into payout_lines (creator_id, payout_id, store_id, commission_id, amount_cents)
    select creator_id, payout_id, store_id, commission_id, amount_cents from earnings
    where creator_id = ${creatorId} and payout_id = ${payoutId} and store_id = ${storeId} and commission_id = any(${uuids(commissionIds)})
    on conflict do nothing`);
}

/** Frees earnings of a payout that failed or was returned, and returns how many. By earnings_of_payout. */
export const takeOutOfPayout = (db: Queryable, { creatorId, payoutId }: PayoutKey, limit: number): Promise<number> =>
  db.run(sql`
    update earnings set payout_id = null
    where creator_id = ${creatorId} and (store_id, commission_id) in (
      select store_id, commission_id from earnings
      where creator_id = ${creatorId} and payout_id = ${payoutId} order by store_id, commission_id limit ${limit} for update)`);

/** The claimed amounts of a payout, by store. */
export const sumDraftByStore = (
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
): Promise<ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>> =>
  db.all(sql`
    select store_id, sum(amount_cents) as amount from payout_lines
    where creator_id = ${creatorId} and payout_id = ${payoutId} group by store_id order by store_id`);

/** Creators with free earnings. Crosses all creators, by a partial index. */
export async function listCreatorsWithFreeEarnings(
  db: Queryable,
  { after, limit }: { readonly after: Id<'crt'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select distinct creator_id from earnings
    where payout_id is null and collected > 0 ${after === null ? emptySql : sql`and creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

/** Whether anything was ever collected for a creator, in any store. */
export const hasEarnings = async (db: Queryable, creatorId: Id<'crt'>): Promise<boolean> =>
  (await db.find(sql`select 1 as one from earnings where creator_id = ${creatorId} limit 1`)) !== null;

export type FreePair = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'> };

/** The stores in which these creators have free earnings. By earnings_free. */
export const listPairsWithFreeEarnings = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<FreePair[]> =>
  db.all(sql`
    select distinct creator_id, store_id from earnings
    where creator_id = any(${uuids(creatorIds)}) and payout_id is null and collected > 0
    order by creator_id, store_id`);

type EntriesOfCreator = { readonly creatorId: Id<'crt'>; readonly entries: readonly OutboxEntry[] };

/** Inserts the entries that are missing, and returns their IDs: of two deliveries the second gets none. */
export async function insertEntries(tx: Transaction, { creatorId, entries }: EntriesOfCreator): Promise<ReadonlySet<Id<'entry'>>> {
  const rows = await tx.all<{ entryId: Id<'entry'> }>(sql`
    insert into creator_entries (creator_id, entry_id, store_id, commission_id, kind, amount_cents, at)
    select ${creatorId}::uuid, * from unnest(
      ${uuids(entries.map(({ entryId }) => entryId))}, ${uuids(entries.map(({ storeId }) => storeId))},
      ${uuids(entries.map(({ commissionId }) => commissionId))}, ${texts(entries.map(({ kind }) => kind))},
      ${bigints(entries.map(({ amountCents }) => amountCents))}, ${timestamps(entries.map(({ at }) => at))}
    ) as fresh (entry_id, store_id, commission_id, kind, amount_cents, at)
    order by entry_id
    on conflict (creator_id, entry_id) do nothing returning entry_id`);
  return new Set(rows.map(({ entryId }) => entryId));
}

/** What an entry adds to the two counters of its earning. */
const counts = {
  collected: { collected: 1, advanced: 0 },
  charged_back: { collected: -1, advanced: 0 },
  credited: { collected: -1, advanced: 0 },
  refunded: { collected: 0, advanced: 0 },
  advanced: { collected: 0, advanced: 1 },
  repaid: { collected: 0, advanced: -1 },
  advance_ended: { collected: -1, advanced: -1 },
} as const satisfies Readonly<Record<OutboxEntry['kind'], { readonly collected: number; readonly advanced: number }>>;

/**
 * The order of the entries does not matter, because processes whose clocks differ write their IDs: the counters are sums, and what was
 * refunded is taken off at the end. Entries of one commission must not be split so that a refund comes before its collection.
 */
export async function addToEarnings(tx: Transaction, { creatorId, entries }: EntriesOfCreator): Promise<void> {
  const refunds = entries.filter(({ kind }) => kind === 'refunded');
  const counted = entries.filter(({ kind }) => kind !== 'refunded');
  const amounts = await countEarnings(tx, { creatorId, entries: counted });
  const refunded = sumByCommission(refunds);
  for (const entry of counted) {
    const before = amounts.get(commissionKey(entry));
    invariant(before !== undefined, 'every counted entry has an earning');
    const after = before - (refunded.get(commissionKey(entry))?.cents ?? 0n);
    invariant(entry.amountCents <= before && entry.amountCents >= after, 'a commission changes its amount by refunds only');
  }
  await reduceEarnings(tx, creatorId, [...refunded.values()]);
}

type InCommission = Pick<OutboxEntry, 'storeId' | 'commissionId'>;
type Refunded = InCommission & { readonly cents: bigint };

const commissionKey = ({ storeId, commissionId }: InCommission): string => `${storeId} ${commissionId}`;

function sumByCommission(refunds: readonly OutboxEntry[]): ReadonlyMap<string, Refunded> {
  const sums = new Map<string, Refunded>();
  for (const { storeId, commissionId, amountCents } of refunds) {
    const key = commissionKey({ storeId, commissionId });
    sums.set(key, { storeId, commissionId, cents: (sums.get(key)?.cents ?? 0n) + amountCents });
  }
  return sums;
}

/** A commission whose refund is not delivered yet is in no payout: see `assignToPayout`. */
async function reduceEarnings(tx: Transaction, creatorId: Id<'crt'>, refunded: readonly Refunded[]): Promise<void> {
  if (refunded.length === 0) return;
  const reduced = await tx.run(sql`
    update earnings e set amount_cents = e.amount_cents - refunded.cents
    from unnest(
      ${uuids(refunded.map(({ storeId }) => storeId))}, ${uuids(refunded.map(({ commissionId }) => commissionId))},
      ${bigints(refunded.map(({ cents }) => cents))}) as refunded (store_id, commission_id, cents)
    where e.creator_id = ${creatorId} and e.store_id = refunded.store_id and e.commission_id = refunded.commission_id
      and e.payout_id is null`);
  invariant(reduced === refunded.length, 'a refunded earning was collected, and is in no payout');
}

/**
 * Adds sums, one row per commission, because a statement must not update a row twice. Returns the amount of each earning before the
 * refunds: of a new one the highest amount of its entries, because refunds only lower it.
 */
async function countEarnings(tx: Transaction, { creatorId, entries }: EntriesOfCreator): Promise<ReadonlyMap<string, Cents>> {
  if (entries.length === 0) return new Map();
  const touched = await tx.all<InCommission & { readonly amountCents: Cents }>(sql`
    insert into earnings as sums (creator_id, store_id, commission_id, amount_cents, collected, advanced)
    select ${creatorId}::uuid, store_id, commission_id, max(amount_cents), sum(collected), sum(advanced) from unnest(
      ${uuids(entries.map(({ storeId }) => storeId))}, ${uuids(entries.map(({ commissionId }) => commissionId))},
      ${bigints(entries.map(({ amountCents }) => amountCents))}, ${ints(entries.map(({ kind }) => counts[kind].collected))},
      ${ints(entries.map(({ kind }) => counts[kind].advanced))}
    ) as fresh (store_id, commission_id, amount_cents, collected, advanced)
    group by store_id, commission_id order by store_id, commission_id
    on conflict (creator_id, store_id, commission_id) do update
    set collected = sums.collected + excluded.collected, advanced = sums.advanced + excluded.advanced
    returning store_id, commission_id, amount_cents`);
  return new Map(touched.map((one) => [commissionKey(one), one.amountCents]));
}

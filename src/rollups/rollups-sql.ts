import type { Database, Queryable, Transaction } from '../db/database.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { bigints, dates, emptySql, inserting, numerics, smallints, sql, type Sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { nextWriterSlot } from '../core/writer-slot.ts';

/**
 * The rollup kinds that count arrivals at a link. A `click` is a person's; the other kinds are counted separately, so that a creator sees
 * why there were more arrivals than clicks.
 */
export const arrivalKinds = ['click', 'head', 'prefetch', 'bot', 'subresource', 'paused'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** The count and amounts of one kind of event on a UTC day. Undoing adds a negative count. */
export type StoreRollup = {
  readonly storeId: Id<'store'>;
  readonly day: string;
  readonly what: string;
  readonly count: bigint;
  readonly eligibleCents: bigint;
  readonly commissionCents: bigint;
};
export type LinkRollup = StoreRollup & { readonly linkNumber: bigint };

/** The statements that add to the rollups of links and of their stores. */
export const linkRollupInserts = (rollups: readonly LinkRollup[]): readonly Sql[] =>
  rollups.length === 0 ? [] : [...linkDayInserts(rollups, nextWriterSlot()), ...storeDayInserts(rollups, nextWriterSlot())];

export async function addLinkRollups(db: Queryable, rollups: readonly LinkRollup[]): Promise<void> {
  await insertRows(db, linkRollupInserts(rollups));
}

export async function addStoreRollups(db: Queryable, rollups: readonly StoreRollup[]): Promise<void> {
  if (rollups.length > 0) await insertRows(db, storeDayInserts(rollups, nextWriterSlot()));
}

/** Sums can exceed a bigint, so amounts are added as numeric. */
function linkDayInserts(rollups: readonly LinkRollup[], slot: number): readonly Sql[] {
  const rows = sumByKey(rollups, ({ storeId, linkNumber, day, what }) => `${storeId} ${linkNumber} ${day} ${what}`);
  return inserting`
    insert into link_days as sums (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
    ${[
      uuids(rows.map(({ storeId }) => storeId)),
      bigints(rows.map(({ linkNumber }) => linkNumber)),
      dates(rows.map(({ day }) => day)),
      texts(rows.map(({ what }) => what)),
      smallints(rows.map(() => slot)),
      bigints(rows.map(({ count }) => count)),
      numerics(rows.map(({ eligibleCents }) => eligibleCents)),
      numerics(rows.map(({ commissionCents }) => commissionCents)),
    ]}
    on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`;
}

function storeDayInserts(rollups: readonly StoreRollup[], slot: number): readonly Sql[] {
  const rows = sumByKey(rollups, ({ storeId, day, what }) => `${storeId} ${day} ${what}`);
  return inserting`
    insert into store_days as sums (store_id, day, what, slot, count, eligible_cents, commission_cents)
    ${[
      uuids(rows.map(({ storeId }) => storeId)),
      dates(rows.map(({ day }) => day)),
      texts(rows.map(({ what }) => what)),
      smallints(rows.map(() => slot)),
      bigints(rows.map(({ count }) => count)),
      numerics(rows.map(({ eligibleCents }) => eligibleCents)),
      numerics(rows.map(({ commissionCents }) => commissionCents)),
    ]}
    on conflict (store_id, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`;
}

/** One row for each key, because an upsert cannot affect a row twice; sorted, so that two writers cannot deadlock. */
function sumByKey<Rollup extends StoreRollup>(rollups: readonly Rollup[], keyOf: (rollup: Rollup) => string): readonly Rollup[] {
  const sums = new Map<string, Rollup>();
  for (const rollup of rollups) {
    const key = keyOf(rollup);
    const before = sums.get(key);
    sums.set(key, before === undefined ? rollup : added(before, rollup));
  }
  return sortedByKey([...sums], ([key]) => key).map(([, rollup]) => rollup);
}

const added = <Rollup extends StoreRollup>(one: Rollup, other: StoreRollup): Rollup => ({
  ...one,
  count: one.count + other.count,
  eligibleCents: one.eligibleCents + other.eligibleCents,
  commissionCents: one.commissionCents + other.commissionCents,
});

const foldedSlot = -1;
const foldRowsMax = 5_000;

/** Past days of all stores, or of one. */
export type FoldScope = { readonly today: string; readonly only: Id<'store'> | null };
export type Fold = (database: Database, which: FoldScope) => Promise<number>;

const isFoldable = ({ today, only }: FoldScope): Sql => sql`day < ${today}::date and slot <> ${foldedSlot} ${ofStore({ only })}`;
/** A cluster locks rows only in a statement of one store, and does not infer the store from the inner query. */
const ofStore = ({ only }: Pick<FoldScope, 'only'>): Sql => (only === null ? emptySql : sql`and store_id = ${only}`);

/**
 * Deletes the writers' rows of past days and adds them to one row, in one transaction. A row that a late writer inserts meanwhile is
 * folded next time.
 */
export const foldLinkDays: Fold = (database, which) =>
  database.transaction(async (tx) => {
    const taken = await tx.all<LinkRollup>(sql`
      delete from link_days where (store_id, link_number, day, what, slot) in (
        select store_id, link_number, day, what, slot from link_days where ${isFoldable(which)} limit ${foldRowsMax} for update skip locked)
        ${ofStore(which)}
      returning store_id, link_number, day, what, count, eligible_cents, commission_cents`);
    await insertRows(tx, linkDayInserts(taken, foldedSlot));
    return taken.length;
  });

export const foldStoreDays: Fold = (database, which) =>
  database.transaction(async (tx) => {
    const taken = await tx.all<StoreRollup>(sql`
      delete from store_days where (store_id, day, what, slot) in (
        select store_id, day, what, slot from store_days where ${isFoldable(which)} limit ${foldRowsMax} for update skip locked)
        ${ofStore(which)}
      returning store_id, day, what, count, eligible_cents, commission_cents`);
    await insertRows(tx, storeDayInserts(taken, foldedSlot));
    return taken.length;
  });

/** Reads across all stores; called in a cluster, and after folding them together failed. */
export async function listStoresToFold(db: Queryable, today: string): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from link_days where ${isFoldable({ today, only: null })}
    union select store_id from store_days where ${isFoldable({ today, only: null })}`);
  return rows.map(({ storeId }) => storeId);
}

type RebuiltRollups = { readonly storeId: Id<'store'>; readonly links: readonly LinkRollup[]; readonly stores: readonly StoreRollup[] };

/**
 * Replaces stored rollups by recounted ones. Must run in a repeatable-read transaction: if a writer changed a row since the snapshot, it
 * fails and is retried; a row inserted since then belongs to events that were not counted here, and stays.
 */
export async function replaceRollups(tx: Transaction, { storeId, links, stores }: RebuiltRollups, what: readonly string[]): Promise<void> {
  await tx.run(sql`delete from link_days where store_id = ${storeId} and what = any(${texts(what)})`);
  await tx.run(sql`delete from store_days where store_id = ${storeId} and what = any(${texts(what)})`);
  await insertRows(tx, linkDayInserts(links, foldedSlot));
  await insertRows(tx, storeDayInserts([...links, ...stores], foldedSlot));
}

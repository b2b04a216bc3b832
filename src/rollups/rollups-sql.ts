import type { Database, Queryable, Transaction } from '../db/database.ts';
import { bigints, dates, emptySql, prepared, sql, type Sql, texts, uuids } from '../db/sql.ts';
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

/** Adds to the rollups of links and of their stores. Sums can exceed a bigint, so amounts are sent as text and added as numeric. */
export async function addLinkRollups(db: Queryable, rollups: readonly LinkRollup[]): Promise<void> {
  if (rollups.length === 0) return;
  await Promise.all([addToLinkDays(db, rollups, nextWriterSlot()), addStoreRollups(db, sumByStore(rollups))]);
}

export async function addStoreRollups(db: Queryable, rollups: readonly StoreRollup[]): Promise<void> {
  if (rollups.length > 0) await addToStoreDays(db, rollups, nextWriterSlot());
}

/** Sorted by key, so that two writers cannot deadlock; `addToStoreDays` does the same. */
async function addToLinkDays(db: Queryable, rollups: readonly LinkRollup[], slot: number): Promise<void> {
  await db.run(prepared`
    insert into link_days as sums (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, link_number, day, what, ${slot}::smallint, sum(count), sum(eligible_cents::numeric), sum(commission_cents::numeric)
    from unnest(
      ${uuids(rollups.map(({ storeId }) => storeId))}, ${bigints(rollups.map(({ linkNumber }) => linkNumber))},
      ${dates(rollups.map(({ day }) => day))}, ${texts(rollups.map(({ what }) => what))}, ${bigints(rollups.map(({ count }) => count))},
      ${texts(rollups.map(({ eligibleCents }) => String(eligibleCents)))},
      ${texts(rollups.map(({ commissionCents }) => String(commissionCents)))}
    ) as fresh (store_id, link_number, day, what, count, eligible_cents, commission_cents)
    group by store_id, link_number, day, what
    order by store_id, link_number, day, what
    on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`);
}

async function addToStoreDays(db: Queryable, rollups: readonly StoreRollup[], slot: number): Promise<void> {
  await db.run(prepared`
    insert into store_days as sums (store_id, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, day, what, ${slot}::smallint, sum(count), sum(eligible_cents::numeric), sum(commission_cents::numeric)
    from unnest(
      ${uuids(rollups.map(({ storeId }) => storeId))}, ${dates(rollups.map(({ day }) => day))},
      ${texts(rollups.map(({ what }) => what))}, ${bigints(rollups.map(({ count }) => count))},
      ${texts(rollups.map(({ eligibleCents }) => String(eligibleCents)))},
      ${texts(rollups.map(({ commissionCents }) => String(commissionCents)))}
    ) as fresh (store_id, day, what, count, eligible_cents, commission_cents)
    group by store_id, day, what
    order by store_id, day, what
    on conflict (store_id, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`);
}

/** A batch mostly belongs to few stores, so it sends one row for each store instead of one for each link. */
function sumByStore(rollups: readonly LinkRollup[]): readonly StoreRollup[] {
  const sums = new Map<string, StoreRollup>();
  for (const { storeId, day, what, count, eligibleCents, commissionCents } of rollups) {
    const key = `${storeId} ${day} ${what}`;
    const before = sums.get(key);
    sums.set(key, {
      storeId,
      day,
      what,
      count: count + (before?.count ?? 0n),
      eligibleCents: eligibleCents + (before?.eligibleCents ?? 0n),
      commissionCents: commissionCents + (before?.commissionCents ?? 0n),
    });
  }
  return [...sums.values()];
}

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
    await addToLinkDays(tx, taken, foldedSlot);
    return taken.length;
  });

export const foldStoreDays: Fold = (database, which) =>
  database.transaction(async (tx) => {
    const taken = await tx.all<StoreRollup>(sql`
      delete from store_days where (store_id, day, what, slot) in (
        select store_id, day, what, slot from store_days where ${isFoldable(which)} limit ${foldRowsMax} for update skip locked)
        ${ofStore(which)}
      returning store_id, day, what, count, eligible_cents, commission_cents`);
    await addToStoreDays(tx, taken, foldedSlot);
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
  await addToLinkDays(tx, links, foldedSlot);
  await addToStoreDays(tx, [...sumByStore(links), ...stores], foldedSlot);
}

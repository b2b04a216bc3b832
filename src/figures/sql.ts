import type { Database, Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, prepared, sql, type Sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { nextSlot } from '../platform/slots.ts';

/** How often something happened on a day (UTC), and what it came to. What is taken back is counted below 0. */
export type StoreFigure = {
  readonly storeId: Id<'store'>;
  readonly day: string;
  readonly what: string;
  readonly count: bigint;
  readonly eligibleCents: bigint;
  readonly commissionCents: bigint;
};
export type LinkFigure = StoreFigure & { readonly linkNumber: bigint };

/** Adds to the figures of links and of their stores. Their sums exceed a bigint, so they are sent as text and added as numeric. */
export async function addLinkFigures(db: Queryable, figures: readonly LinkFigure[]): Promise<void> {
  if (figures.length === 0) return;
  await Promise.all([addToLinkDays(db, figures, nextSlot()), addStoreFigures(db, togetherByStore(figures))]);
}

export async function addStoreFigures(db: Queryable, figures: readonly StoreFigure[]): Promise<void> {
  if (figures.length > 0) await addToStoreDays(db, figures, nextSlot());
}

/** Sorted by key, so that two writers can wait for each other but never in a circle; the stores' days likewise. */
async function addToLinkDays(db: Queryable, figures: readonly LinkFigure[], slot: number): Promise<void> {
  await db.run(prepared`
    insert into link_days as sums (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, link_number, day, what, ${slot}::smallint, sum(count), sum(eligible_cents::numeric), sum(commission_cents::numeric)
    from unnest(
      ${figures.map(({ storeId }) => storeId)}::uuid[], ${figures.map(({ linkNumber }) => linkNumber)}::bigint[],
      ${figures.map(({ day }) => day)}::date[], ${figures.map(({ what }) => what)}::text[], ${figures.map(({ count }) => count)}::bigint[],
      ${figures.map(({ eligibleCents }) => String(eligibleCents))}::text[],
      ${figures.map(({ commissionCents }) => String(commissionCents))}::text[]
    ) as fresh (store_id, link_number, day, what, count, eligible_cents, commission_cents)
    group by store_id, link_number, day, what
    order by store_id, link_number, day, what
    on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`);
}

async function addToStoreDays(db: Queryable, figures: readonly StoreFigure[], slot: number): Promise<void> {
  await db.run(prepared`
    insert into store_days as sums (store_id, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, day, what, ${slot}::smallint, sum(count), sum(eligible_cents::numeric), sum(commission_cents::numeric)
    from unnest(
      ${figures.map(({ storeId }) => storeId)}::uuid[], ${figures.map(({ day }) => day)}::date[],
      ${figures.map(({ what }) => what)}::text[], ${figures.map(({ count }) => count)}::bigint[],
      ${figures.map(({ eligibleCents }) => String(eligibleCents))}::text[],
      ${figures.map(({ commissionCents }) => String(commissionCents))}::text[]
    ) as fresh (store_id, day, what, count, eligible_cents, commission_cents)
    group by store_id, day, what
    order by store_id, day, what
    on conflict (store_id, day, what, slot) do update set count = sums.count + excluded.count,
      eligible_cents = sums.eligible_cents + excluded.eligible_cents,
      commission_cents = sums.commission_cents + excluded.commission_cents`);
}

/** A batch is mostly of a few stores: the database is sent a row of each, not one of each link. */
function togetherByStore(figures: readonly LinkFigure[]): readonly StoreFigure[] {
  const sums = new Map<string, StoreFigure>();
  for (const { storeId, day, what, count, eligibleCents, commissionCents } of figures) {
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

/** Which rows of days that are over are folded: those of all stores, or of one. */
export type FoldWhich = { readonly today: string; readonly only: Id<'store'> | null };
export type Fold = (database: Database, which: FoldWhich) => Promise<number>;

const foldable = ({ today, only }: FoldWhich): Sql =>
  sql`day < ${today}::date and slot <> ${foldedSlot} ${only === null ? nothing : sql`and store_id = ${only}`}`;

/**
 * Takes the writers' rows of days that are over and adds them to one row. Taking (delete … returning) and adding are one
 * transaction: whatever a late writer adds meanwhile is a new row, for the next time.
 */
export const foldLinkDays: Fold = (database, which) =>
  database.transaction(async (tx) => {
    const taken = await tx.all<LinkFigure>(sql`
      delete from link_days where (store_id, link_number, day, what, slot) in (
        select store_id, link_number, day, what, slot from link_days where ${foldable(which)} limit ${foldRowsMax} for update skip locked)
      returning store_id, link_number, day, what, count, eligible_cents, commission_cents`);
    await addToLinkDays(tx, taken, foldedSlot);
    return taken.length;
  });

export const foldStoreDays: Fold = (database, which) =>
  database.transaction(async (tx) => {
    const taken = await tx.all<StoreFigure>(sql`
      delete from store_days where (store_id, day, what, slot) in (
        select store_id, day, what, slot from store_days where ${foldable(which)} limit ${foldRowsMax} for update skip locked)
      returning store_id, day, what, count, eligible_cents, commission_cents`);
    await addToStoreDays(tx, taken, foldedSlot);
    return taken.length;
  });

/** The stores with rows to fold. Crosses all stores: asked only where folding them together failed. */
export async function storesToFold(db: Queryable, today: string): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from link_days where ${foldable({ today, only: null })}
    union select store_id from store_days where ${foldable({ today, only: null })}`);
  return rows.map(({ storeId }) => storeId);
}

type Rebuilt = { readonly storeId: Id<'store'>; readonly links: readonly LinkFigure[]; readonly stores: readonly StoreFigure[] };

/**
 * Puts figures that were counted anew in the place of those kept. Its transaction sees one moment: a writer that changed a row
 * since makes it fail, to be run again; a row that came since is of what was not counted here, and stays.
 */
export async function replaceFigures(tx: Transaction, { storeId, links, stores }: Rebuilt, what: readonly string[]): Promise<void> {
  await tx.run(sql`delete from link_days where store_id = ${storeId} and what = any(${what}::text[])`);
  await tx.run(sql`delete from store_days where store_id = ${storeId} and what = any(${what}::text[])`);
  await addToLinkDays(tx, links, foldedSlot);
  await addToStoreDays(tx, [...togetherByStore(links), ...stores], foldedSlot);
}

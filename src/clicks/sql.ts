import type { Database, Queryable } from '../platform/database/database.ts';
import { sql, type Sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** A person who came by a link, with all that a later order needs of it. */
export type Click = {
  readonly storeId: Id<'store'>;
  readonly clickId: Id<'click'>;
  readonly linkNumber: bigint;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly subId: string | null;
  readonly referrerHost: string | null;
  readonly addressHash: Buffer;
};

/** All values come as arrays, so that one statement writes any number of clicks. */
const rowsOf = (clicks: readonly Click[]): Sql => sql`
  select * from unnest(
    ${clicks.map(({ storeId }) => storeId)}::uuid[], ${clicks.map(({ clickId }) => clickId)}::uuid[],
    ${clicks.map(({ linkNumber }) => linkNumber)}::bigint[], ${clicks.map(({ programId }) => programId)}::uuid[],
    ${clicks.map(({ creatorId }) => creatorId)}::uuid[], ${clicks.map(({ subId }) => subId)}::text[],
    ${clicks.map(({ referrerHost }) => referrerHost)}::text[], ${clicks.map(({ addressHash }) => addressHash)}::bytea[])`;

/** Their ids were minted just now. To look for each of them first, and to tell which were new, costs the database a third more. */
export async function insertClicks(db: Queryable, clicks: readonly Click[]): Promise<void> {
  await db.run(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash) ${rowsOf(clicks)}`);
}

/** For those that may be there already (a commit's answer got lost): says which were new, for none is counted twice. */
export async function insertClicksAgain(db: Queryable, clicks: readonly Click[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ clickId: string }>(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash) ${rowsOf(clicks)}
    on conflict do nothing returning click_id`);
  return new Set(rows.map(({ clickId }) => clickId));
}

/** What happens on a link in a day: clicks that can earn, arrivals of other kinds, orders. */
export type LinkDay = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly day: string;
  readonly what: string;
  readonly count: bigint;
};

/** How many processes can write figures without waiting for each other. */
const slots = 16;
/** Processes have slots of their own as far as there are enough: else they wait for each other, they are not wrong. */
const ownSlot = process.pid % slots;

/** Adds to the daily figures, sorted by their key so that two writers can wait for each other but never in a circle. */
export async function addToLinkDays(db: Queryable, days: readonly LinkDay[]): Promise<void> {
  await db.run(sql`
    insert into link_days as sums (store_id, link_number, day, what, slot, count)
    select store_id, link_number, day, what, ${ownSlot}::smallint, sum(count) from unnest(
      ${days.map(({ storeId }) => storeId)}::uuid[], ${days.map(({ linkNumber }) => linkNumber)}::bigint[],
      ${days.map(({ day }) => day)}::date[], ${days.map(({ what }) => what)}::text[], ${days.map(({ count }) => count)}::bigint[]
    ) as fresh (store_id, link_number, day, what, count)
    group by store_id, link_number, day, what
    order by store_id, link_number, day, what
    on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count`);
}

const foldedSlot = -1;
const foldRowsMax = 5_000;

/**
 * Takes the writers' rows of days that are over and adds them to one row. Taking (delete … returning) and adding are one
 * transaction: whatever a late writer adds meanwhile is a new row, for the next time.
 */
export async function foldLinkDays(database: Database, today: string): Promise<number> {
  return database.transaction(async (tx) => {
    const taken = await tx.all<{ storeId: string; linkNumber: bigint; day: string; what: string; count: bigint }>(sql`
      delete from link_days where (store_id, link_number, day, what, slot) in (
        select store_id, link_number, day, what, slot from link_days
        where day < ${today}::date and slot <> ${foldedSlot} limit ${foldRowsMax} for update skip locked)
      returning store_id, link_number, day, what, count`);
    await tx.run(sql`
      insert into link_days as folded (store_id, link_number, day, what, slot, count)
      select store_id, link_number, day, what, ${foldedSlot}::smallint, sum(count) from unnest(
        ${taken.map(({ storeId }) => storeId)}::uuid[], ${taken.map(({ linkNumber }) => linkNumber)}::bigint[],
        ${taken.map(({ day }) => day)}::date[], ${taken.map(({ what }) => what)}::text[], ${taken.map(({ count }) => count)}::bigint[]
      ) as rows (store_id, link_number, day, what, count)
      group by store_id, link_number, day, what
      order by store_id, link_number, day, what
      on conflict (store_id, link_number, day, what, slot) do update set count = folded.count + excluded.count`);
    return taken.length;
  });
}

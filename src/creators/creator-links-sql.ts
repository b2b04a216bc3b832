import { arrivalKinds } from '../rollups/rollups-sql.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { containsText } from '../db/like-pattern.ts';
import { bigints, emptySql, sql, texts, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Link } from './links-sql.ts';

type CreatorLinksQuery = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly programId: Id<'prog'> | null;
  /** A part of the code or of the destination. */
  readonly search?: string | null;
};

/** Newest first, by the index links_of_creator of each store. */
export const listLinksOfCreator = (
  db: Queryable,
  { creatorId, storeIds, programId, search = null }: CreatorLinksQuery,
  { after, limit }: Page,
): Promise<Link[]> =>
  db.all(sql`
    select store_id, link_number, code, program_id, member_id, creator_id, destination_url, created_at from links
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}
      ${programId === null ? emptySql : sql`and program_id = ${programId}`}
      ${search === null ? emptySql : sql`and ${containsText(sql`code || ' ' || coalesce(destination_url, '')`, search)}`}
      ${after === null ? emptySql : sql`and (created_at, code) < (${new Date(Number(after[0]))}, ${after[1]})`}
    order by created_at desc, code desc limit ${limit + 1}`);

export type LinkTotals = {
  readonly linkNumber: bigint;
  /** All arrivals, including bots and previews. */
  readonly arrivals: bigint;
  /** Arrivals of people; only these can lead to an order. */
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
};

const noTotals: Omit<LinkTotals, 'linkNumber'> = { arrivals: 0n, clicks: 0n, orders: 0n, revenueCents: 0n, earnedCents: 0n };

/** For the links of one page, by primary key: a few rows per link and day. */
export async function listLinkTotals(
  db: Queryable,
  links: ReadonlyArray<Pick<Link, 'storeId' | 'linkNumber'>>,
): Promise<(link: Pick<Link, 'linkNumber'>) => Omit<LinkTotals, 'linkNumber'>> {
  if (links.length === 0) return () => noTotals;
  const rows = await queryByStore(links, (storeId, ofStore) =>
    db.all<LinkTotals>(sql`
      select link_number,
        coalesce(sum(count) filter (where what = any(${texts([...arrivalKinds])})), 0) as arrivals,
        coalesce(sum(count) filter (where what = 'click'), 0) as clicks,
        ${salesTotals}
      from link_days as d
      where store_id = ${storeId} and link_number = any(${bigints(ofStore.map(({ linkNumber }) => linkNumber))})
      group by link_number`),
  );
  const sums = new Map(rows.map((row) => [row.linkNumber, row]));
  return ({ linkNumber }) => sums.get(linkNumber) ?? noTotals;
}

/** Null if the creator has no link with this code. */
export async function findLinkNumber(
  db: Queryable,
  { creatorId, storeIds, code }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly code: string },
): Promise<bigint | null> {
  const link = await db.find<{ linkNumber: bigint }>(sql`
    select link_number from links where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and code = ${code}`);
  return link?.linkNumber ?? null;
}

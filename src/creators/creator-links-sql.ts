import { arrivalKinds } from '../rollups/rollups-sql.ts';
import { resultSorts, type WithResult } from '../rollups/result-sorts.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { containsText } from '../db/like-pattern.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { bigints, emptySql, sql, texts, uuids, type Sql } from '../db/sql.ts';
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

type ListedLink = Link & WithResult;

/** The results that the list can be sorted by. A link without any has 0. */
const results = resultSorts<ListedLink>({
  arrivals: sql`greatest(r.arrivals, 0)`,
  clicks: sql`greatest(r.clicks, 0)`,
  orders: sql`greatest(r.orders, 0)`,
  earned_cents: sql`greatest(r.earned_cents, 0)`,
});

const codeColumn: SortColumn<ListedLink> = { expression: sql`l.code`, type: 'word', value: ({ code }) => code };

/**
 * By time: the index links_of_creator of each store. Every other sort reads all links of the creator, at most 10,000 of each membership;
 * a sort by a result also reads their rollups.
 */
export const linkSorts: ListSorts<ListedLink> = {
  columns: {
    created_at: { expression: sql`l.created_at`, type: 'time', value: ({ createdAt }) => createdAt },
    code: codeColumn,
    ...results.columns,
  },
  unique: codeColumn,
  defaultSort: '-created_at',
};

const newestFirst = orderOf(linkSorts);

export function listLinksOfCreator(
  db: Queryable,
  { creatorId, storeIds, programId, search = null }: CreatorLinksQuery,
  { after, limit, order = newestFirst }: Page & { readonly order?: ListOrder<ListedLink> },
): Promise<ListedLink[]> {
  const result = results.sumOf(order.sort);
  return db.all(sql`
    select l.store_id, l.link_number, l.code, l.program_id, l.member_id, l.creator_id, l.destination_url, l.created_at,
      ${result ?? sql`0::bigint`} as result
    from links l ${result === undefined ? emptySql : resultsOf(storeIds, creatorId)}
    where l.store_id = any(${uuids(storeIds)}) and l.creator_id = ${creatorId}
      ${programId === null ? emptySql : sql`and l.program_id = ${programId}`}
      ${search === null ? emptySql : sql`and ${containsText(sql`l.code || ' ' || coalesce(l.destination_url, '')`, search)}`}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

/** The sums of each link, by primary key. */
const resultsOf = (storeIds: CreatorLinksQuery['storeIds'], creatorId: Id<'crt'>): Sql => sql`
  left join (
    select d.store_id, d.link_number, ${visitTotals}, ${salesTotals}
    from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = any(${uuids(storeIds)}) and l.creator_id = ${creatorId}
    group by d.store_id, d.link_number) as r on r.store_id = l.store_id and r.link_number = l.link_number`;

const visitTotals = sql`
  coalesce(sum(d.count) filter (where d.what = any(${texts([...arrivalKinds])})), 0) as arrivals,
  coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks`;

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
      select link_number, ${visitTotals}, ${salesTotals}
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

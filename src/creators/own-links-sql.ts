import { arrivalKinds } from '../figures/arrivals.ts';
import { soldOfDays } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Link } from './links-sql.ts';

type Asked = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly programId: Id<'prog'> | null;
};

/** A creator's own links, newest first; by links_of_creator of each of their stores. */
export const linksOfCreator = (db: Queryable, { creatorId, storeIds, programId }: Asked, { after, limit }: Page): Promise<Link[]> =>
  db.all(sql`
    select store_id, link_number, code, program_id, member_id, creator_id, destination_url, created_at from links
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId}
      ${programId === null ? nothing : sql`and program_id = ${programId}`}
      ${after === null ? nothing : sql`and (created_at, code) < (${new Date(Number(after[0]))}, ${after[1]})`}
    order by created_at desc, code desc limit ${limit + 1}`);

export type LinkSums = {
  readonly linkNumber: bigint;
  /** Every arrival, whoever it was. */
  readonly arrivals: bigint;
  /** Those of people, which is what an order can come from. */
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly earnedCents: bigint;
};

const none: Omit<LinkSums, 'linkNumber'> = { arrivals: 0n, clicks: 0n, orders: 0n, earnedCents: 0n };

/** Of the links of one page, by primary key: a link has some rows a day at most. */
export async function sumsOfLinks(
  db: Queryable,
  links: ReadonlyArray<Pick<Link, 'storeId' | 'linkNumber'>>,
): Promise<(link: Pick<Link, 'linkNumber'>) => Omit<LinkSums, 'linkNumber'>> {
  if (links.length === 0) return () => none;
  const rows = await db.all<LinkSums>(sql`
    select link_number,
      coalesce(sum(count) filter (where what = any(${[...arrivalKinds]}::text[])), 0) as arrivals,
      coalesce(sum(count) filter (where what = 'click'), 0) as clicks,
      ${soldOfDays}
    from link_days as d
    where (store_id, link_number) in (
      select * from unnest(${links.map(({ storeId }) => storeId)}::uuid[], ${links.map(({ linkNumber }) => linkNumber)}::bigint[]))
    group by store_id, link_number`);
  const sums = new Map(rows.map((row) => [row.linkNumber, row]));
  return ({ linkNumber }) => sums.get(linkNumber) ?? none;
}

/** Null where the creator has no such link. */
export async function linkNumberOfCode(
  db: Queryable,
  { creatorId, storeIds, code }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly code: string },
): Promise<bigint | null> {
  const link = await db.find<{ linkNumber: bigint }>(sql`
    select link_number from links where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and code = ${code}`);
  return link?.linkNumber ?? null;
}

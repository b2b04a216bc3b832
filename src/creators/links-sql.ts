import type { LandingOrigin } from '../merchants/decide-site.ts';
import { countedOrigins, originOf, type Move, type OfStore, type OriginRow } from '../merchants/site-sql.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Member, ProgramKey } from './members-sql.ts';

export type Link = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly code: string;
  readonly programId: Id<'prog'>;
  readonly memberId: Id<'mem'>;
  readonly creatorId: Id<'crt'>;
  /** Null: the program's landing page. */
  readonly destinationUrl: string | null;
  readonly createdAt: Date;
};

const columns = sql`store_id, link_number, code, program_id, member_id, creator_id, destination_url, created_at`;

/** False if the code, or the random number, is taken. The directory makes both unique across stores. */
export async function claimLinkCode(
  db: Queryable,
  { code, linkNumber, storeId }: Pick<Link, 'code' | 'linkNumber' | 'storeId'>,
): Promise<boolean> {
  const claimed = await db.run(sql`
    insert into link_codes (code, link_number, store_id) values (${code}, ${linkNumber}, ${storeId}) on conflict do nothing`);
  return claimed === 1;
}

export async function codeIsTaken(db: Queryable, code: string): Promise<boolean> {
  return (await db.find(sql`select 1 as one from link_codes where code = ${code}`)) !== null;
}

export async function insertLink(db: Queryable, link: Link): Promise<Link> {
  return db.one(sql`
    insert into links (store_id, link_number, code, program_id, member_id, creator_id, destination_url, created_at)
    values (${link.storeId}, ${link.linkNumber}, ${link.code}, ${link.programId}, ${link.memberId}, ${link.creatorId},
            ${link.destinationUrl}, ${link.createdAt})
    returning ${columns}`);
}

export async function countLinks(db: Queryable, { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from links where store_id = ${storeId} and member_id = ${memberId}`);
  return Number(count);
}

/** Newest first, by the index links_of_program. */
export async function listLinks(db: Queryable, { storeId, programId }: ProgramKey, { after, limit }: Page): Promise<Link[]> {
  const position = after === null ? emptySql : sql`and (created_at, code) < (${new Date(Number(after[0]))}, ${after[1]})`;
  return db.all(sql`
    select ${columns} from links
    where store_id = ${storeId} and program_id = ${programId} ${position}
    order by created_at desc, code desc limit ${limit + 1}`);
}

/** Counts the links with their own destination by origin. */
export async function countLinkOrigins(
  db: Queryable,
  { storeId, most }: OfStore & { readonly most: number },
): Promise<readonly LandingOrigin[]> {
  return countedOrigins(
    await db.all<OriginRow>(sql`
      select substring(destination_url from ${originOf}) as origin, count(*) as count, max(length(destination_url)) as length_max
      from links where store_id = ${storeId} and destination_url is not null group by 1 order by 1 limit ${most}`),
  );
}

/** Replaces the origin and keeps path and query. */
export const moveLinkDestinations = (db: Queryable, { storeId, from, to }: Move): Promise<number> =>
  db.run(sql`
    update links set destination_url = ${to} || substr(destination_url, length(substring(destination_url from ${originOf})) + 1)
    where store_id = ${storeId} and substring(destination_url from ${originOf}) = any(${texts(from)})`);

import type { Queryable } from '../db/database.ts';
import { bigints, prepared, sql, texts, uuids } from '../db/sql.ts';
import type { Link } from './links-sql.ts';

/** What a redirect needs of a link. */
export type ResolvedLink = Pick<Link, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'> & {
  readonly destination: string;
  readonly earns: boolean;
};

type CodeEntry = Pick<Link, 'code' | 'storeId' | 'linkNumber'>;

/**
 * Two statements, because the code directory and the stores may be on different machines; both by primary keys. A link earns while its
 * member is approved, its program is published, and its store is neither archived nor past due.
 */
export async function resolveLinksByCode(db: Queryable, codes: readonly string[]): Promise<ReadonlyMap<string, ResolvedLink>> {
  const entries = await db.all<CodeEntry>(sql`select code, store_id, link_number from link_codes where code = any(${texts(codes)})`);
  if (entries.length === 0) return new Map();
  const links = await db.all<ResolvedLink & { readonly code: string }>(sql`
    select l.code, l.store_id, l.link_number, l.program_id, l.creator_id, coalesce(l.destination_url, p.landing_url) as destination,
           m.status = 'approved' and p.status = 'published' and s.archived_at is null and s.past_due_at is null as earns
    from unnest(${uuids(entries.map(({ storeId }) => storeId))}, ${bigints(entries.map(({ linkNumber }) => linkNumber))})
      as wanted (store_id, link_number)
    join links l on l.store_id = wanted.store_id and l.link_number = wanted.link_number
    join members m on m.store_id = l.store_id and m.member_id = l.member_id
    join programs p on p.store_id = l.store_id and p.program_id = l.program_id
    join stores s on s.store_id = l.store_id`);
  return new Map(links.map((link) => [link.code, link]));
}

export type LinkOwner = Pick<Link, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'>;

/** By primary key. The owner of a link number never changes. */
export const resolveLinksByNumber = (db: Queryable, links: ReadonlyArray<Pick<Link, 'storeId' | 'linkNumber'>>): Promise<LinkOwner[]> =>
  links.length === 0
    ? Promise.resolve([])
    : db.all(prepared`
        select wanted.store_id, wanted.link_number, program_id, creator_id
        from (
          select distinct * from unnest(
            ${uuids(links.map(({ storeId }) => storeId))}, ${bigints(links.map(({ linkNumber }) => linkNumber))})
        ) as wanted (store_id, link_number)
        cross join lateral (
          select program_id, creator_id from links
          where store_id = wanted.store_id and link_number = wanted.link_number limit 1) as link`);

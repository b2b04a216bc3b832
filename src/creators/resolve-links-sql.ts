import type { Queryable } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { bigints, prepared, sql, texts } from '../db/sql.ts';
import type { Link } from './links-sql.ts';

/** What a redirect needs of a link. */
export type ResolvedLink = Pick<Link, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'> & {
  readonly destination: string;
  readonly earns: boolean;
};

export type LinkLocation = Pick<Link, 'code' | 'storeId' | 'linkNumber'>;

/** Reads the directory of codes, of which every node of a cluster has a copy. */
export async function locateLinks(db: Queryable, codes: readonly string[]): Promise<ReadonlyMap<string, LinkLocation>> {
  const found = await db.all<LinkLocation>(sql`select code, store_id, link_number from link_codes where code = any(${texts(codes)})`);
  return new Map(found.map((location) => [location.code, location]));
}

/**
 * By primary keys. A link earns while its member is approved, its program is published, and its store is neither archived nor past due.
 */
export async function resolveLinks(db: Queryable, locations: readonly LinkLocation[]): Promise<ReadonlyMap<string, ResolvedLink>> {
  const links = await queryByStore(locations, (storeId, ofStore) =>
    db.all<ResolvedLink & { readonly code: string }>(sql`
    select l.code, l.store_id, l.link_number, l.program_id, l.creator_id, coalesce(l.destination_url, p.landing_url) as destination,
           m.status = 'approved' and p.status = 'published' and s.archived_at is null and s.past_due_at is null as earns
    from links l
    join members m on m.store_id = l.store_id and m.member_id = l.member_id
    join programs p on p.store_id = l.store_id and p.program_id = l.program_id
    join stores s on s.store_id = l.store_id
    where l.store_id = ${storeId} and l.link_number = any(${bigints(ofStore.map(({ linkNumber }) => linkNumber))})`),
  );
  return new Map(links.map((link) => [link.code, link]));
}

export type LinkOwner = Pick<Link, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'>;

/** By primary key. The owner of a link number never changes. */
export const resolveLinksByNumber = (db: Queryable, links: ReadonlyArray<Pick<Link, 'storeId' | 'linkNumber'>>): Promise<LinkOwner[]> =>
  queryByStore(links, (storeId, ofStore) =>
    // Planned for few links of a store, `= any(…)` would read all links of the store, by the index of its creators.
    db.all<LinkOwner>(prepared`
      select link.store_id, link.link_number, link.program_id, link.creator_id
      from unnest(${bigints([...new Set(ofStore.map(({ linkNumber }) => linkNumber))])}) as wanted (link_number)
      cross join lateral (
        select store_id, link_number, program_id, creator_id from links
        where store_id = ${storeId} and link_number = wanted.link_number limit 1) as link`),
  );

import { containsLowered, containsText, prefixPattern } from '../db/like-pattern.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { readPublicId, type Id } from '../core/ids.ts';

export type InstallationSearch = { readonly text: string; readonly limit: number };
export type FoundStore = { readonly storeId: Id<'store'>; readonly name: string; readonly siteUrl: string };
export type FoundCreator = { readonly creatorId: Id<'crt'>; readonly name: string; readonly email: string };

/** Any part of a name is compared in the newest rows only. The lists of operators search all rows. */
const comparedMax = 20_000;
/** The index entries of stores_by_name and creators_by_name contain this many characters. */
const indexedLength = 100;
const startOf = (text: string): string => prefixPattern([...text].slice(0, indexedLength).join(''));

/** The beginning of any name by the index stores_by_name, or any part of a newer one, or the public ID. */
export function findStores(db: Queryable, { text, limit }: InstallationSearch): Promise<FoundStore[]> {
  const storeId = readPublicId('store', text);
  if (storeId !== null) return db.all(sql`select store_id, name, site_url from stores where store_id = ${storeId}`);
  return db.all(sql`
    select * from (
      (select store_id, name, site_url from stores
        where lower(left(name, 100)) like lower(${startOf(text)}::text) and strpos(lower(name), lower(${text}::text)) = 1
        order by lower(left(name, 100)) using ~<~, store_id limit ${limit})
      union
      (select store_id, name, site_url
        from (select store_id, name, site_url from stores order by store_id desc limit ${comparedMax}) as newest
        where ${containsText(sql`name`, text)} or ${containsText(sql`site_url`, text)} limit ${limit})
    ) as found
    order by (strpos(lower(name), lower(${text}::text)) = 1) desc, lower(name), store_id limit ${limit}`);
}

/** The beginning of any name by the index creators_by_name, or any part of a newer one, or the public ID. */
export function findCreators(db: Queryable, { text, limit }: InstallationSearch): Promise<FoundCreator[]> {
  const creatorId = readPublicId('crt', text);
  if (creatorId !== null) return db.all(sql`select creator_id, name, email from creators where creator_id = ${creatorId}`);
  return db.all(sql`
    select * from (
      (select creator_id, name, email from creators
        where lower(left(name, 100)) like lower(${startOf(text)}::text) and strpos(lower(name), lower(${text}::text)) = 1
        order by lower(left(name, 100)) using ~<~, creator_id limit ${limit})
      union
      (select creator_id, name, email
        from (select creator_id, name, email, search_text from creators order by creator_id desc limit ${comparedMax}) as newest
        where ${containsLowered(sql`search_text`, text)} limit ${limit})
    ) as found
    order by (strpos(lower(name), lower(${text}::text)) = 1) desc, lower(name), creator_id limit ${limit}`);
}

import { containsText, prefixPattern } from '../db/like-pattern.ts';
import type { Queryable } from '../db/database.ts';
import { sql, type Sql } from '../db/sql.ts';
import { readPublicId, type Id } from '../core/ids.ts';

export type InstallationSearch = { readonly text: string; readonly limit: number };
export type FoundStore = { readonly storeId: Id<'store'>; readonly name: string; readonly siteUrl: string };
export type FoundCreator = { readonly creatorId: Id<'crt'>; readonly name: string; readonly email: string };

/** Any part of a name is compared in the newest rows only. The lists of operators search all rows. */
const comparedMax = 20_000;
/** The index entries of stores_by_name and creators_by_name contain this many characters. */
const indexedLength = 100;
const startOf = (text: string): string => prefixPattern([...text].slice(0, indexedLength).join(''));

/** Finds stores by name or address, or by the public ID. */
export function findStores(db: Queryable, search: InstallationSearch): Promise<FoundStore[]> {
  const storeId = readPublicId('store', search.text);
  if (storeId !== null) return db.all(sql`select store_id, name, site_url from stores where store_id = ${storeId}`);
  return db.all(findByText({ table: sql`stores`, id: sql`store_id`, other: sql`site_url` }, search));
}

/** Finds creators by name or email address, or by the public ID. */
export function findCreators(db: Queryable, search: InstallationSearch): Promise<FoundCreator[]> {
  const creatorId = readPublicId('crt', search.text);
  if (creatorId !== null) return db.all(sql`select creator_id, name, email from creators where creator_id = ${creatorId}`);
  return db.all(findByText({ table: sql`creators`, id: sql`creator_id`, other: sql`email` }, search));
}

type Searched = { readonly table: Sql; readonly id: Sql; readonly other: Sql };

/** The beginning of any name by the indexes stores_by_name and creators_by_name, or any part of the name or the other column of a newer row. */
const findByText = ({ table, id, other }: Searched, { text, limit }: InstallationSearch): Sql => sql`
  select * from (
    (select ${id}, name, ${other} from ${table}
      where lower(left(name, 100)) like lower(${startOf(text)}::text) and strpos(lower(name), lower(${text}::text)) = 1
      order by lower(left(name, 100)) using ~<~, ${id} limit ${limit})
    union
    (select ${id}, name, ${other}
      from (select ${id}, name, ${other} from ${table} order by ${id} desc limit ${comparedMax}) as newest
      where ${containsText(sql`name`, text)} or ${containsText(other, text)} limit ${limit})
  ) as found
  order by (strpos(lower(name), lower(${text}::text)) = 1) desc, lower(name), ${id} limit ${limit}`;

import { containsText } from '../db/like-pattern.ts';
import { sql, type Sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** More creators than this have too little in common with the text. */
const creatorsMax = 200;

/**
 * The creators of a store with this text in their name, as an array that PostgreSQL computes once for a query. Names are stored with the
 * creators, so it reads the members of the store, at most thousands.
 */
export const creatorsNamedSql = (storeId: Id<'store'>, text: string): Sql => sql`
  array(
    select m.creator_id from members m join creators c on c.creator_id = m.creator_id
    where m.store_id = ${storeId} and ${containsText(sql`c.name`, text)} limit ${creatorsMax})`;

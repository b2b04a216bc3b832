import { containsText } from '../db/like-pattern.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** More creators than this have too little in common with the text. */
const creatorsMax = 200;

type NameQuery = { readonly storeId: Id<'store'>; readonly text: string; readonly most?: number };

/**
 * The creators of a store with this text in their name. Names are stored with the creators, which may be on other machines than the
 * store, so it reads the members of the store first, at most thousands.
 */
export async function findCreatorsNamed(
  db: Queryable,
  { storeId, text, most = creatorsMax }: NameQuery,
): Promise<ReadonlyArray<Id<'crt'>>> {
  const members = await listCreatorIdsOfStore(db, storeId);
  const named = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from creators where creator_id = any(${uuids(members)}) and ${containsText(sql`name`, text)} limit ${most}`);
  return named.map(({ creatorId }) => creatorId);
}

/** All that are or were members of any program, by an index of members. */
export async function listCreatorIdsOfStore(db: Queryable, storeId: Id<'store'>): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`select distinct creator_id from members where store_id = ${storeId}`);
  return rows.map(({ creatorId }) => creatorId);
}

import type { Id } from '../core/ids.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids, type Sql } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';

type InStores = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

const isFound = async (db: Queryable, question: Sql): Promise<boolean> => (await db.find(question)) !== null;

/** By the index members_of_creator of each store. */
export const isMemberSomewhere = (db: Queryable, { creatorId, storeIds }: InStores): Promise<boolean> =>
  isFound(
    db,
    sql`
      select 1 as one from members
      where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and ${inStates(joinedStatuses, sql`status`)} limit 1`,
  );

/** By the index links_of_creator of each store. */
export const hasLink = (db: Queryable, { creatorId, storeIds }: InStores): Promise<boolean> =>
  isFound(db, sql`select 1 as one from links where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} limit 1`);

/** By the index links_of_creator of each store, then each link's days by primary key. */
export const hasClick = (db: Queryable, { creatorId, storeIds }: InStores): Promise<boolean> =>
  isFound(
    db,
    sql`
      select 1 as one from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
      where l.store_id = any(${uuids(storeIds)}) and l.creator_id = ${creatorId} and d.what = 'click' limit 1`,
  );

/** By the index commissions_by_creator of each store. */
export const hasSale = (db: Queryable, { creatorId, storeIds }: InStores): Promise<boolean> =>
  isFound(db, sql`select 1 as one from commissions where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} limit 1`);

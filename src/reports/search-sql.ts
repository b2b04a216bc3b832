import { containsText, prefixPattern } from '../db/like-pattern.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import { listCreatorIdsOfStore } from '../creators/search-creators-sql.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import type { RelationshipState } from '../subscriptions/relationship-states.ts';

export type StoreSearch = { readonly storeId: Id<'store'>; readonly text: string; readonly limit: number };

export type FoundCreator = { readonly creatorId: Id<'crt'>; readonly name: string };

/** Members of the store by a part of the name, or by public ID. Compares member by member; a store has at most thousands. */
export async function findCreatorsOfStore(db: Queryable, { storeId, text, limit }: StoreSearch): Promise<FoundCreator[]> {
  const creatorId = readPublicId('crt', text);
  const matches = creatorId === null ? containsText(sql`name`, text) : sql`creator_id = ${creatorId}`;
  return db.all(sql`
    select creator_id, name from creators
    where creator_id = any(${uuids(await listCreatorIdsOfStore(db, storeId))}) and ${matches}
    order by lower(name), creator_id limit ${limit}`);
}

/** The index entries of relationships_by_beginning and orders_of_customer contain this many characters. */
const indexedLength = 100;
const indexedPrefix = (text: string): string => [...text].slice(0, indexedLength).join('');

export type FoundSubscription = {
  readonly bindingId: Id<'bind'>;
  readonly relationshipId: string;
  readonly state: RelationshipState;
  readonly creatorId: Id<'crt'>;
};

/** In the order of the index relationships_by_beginning, so that the whole ID comes first and only the limit is read. */
export function findSubscriptionsByStart(db: Queryable, { storeId, text, limit }: StoreSearch): Promise<FoundSubscription[]> {
  return db.all(sql`
    select binding_id, relationship_id, state, creator_id from relationships
    where store_id = ${storeId} and environment = 'live' and left(relationship_id, 100) like ${prefixPattern(indexedPrefix(text))}
      and starts_with(relationship_id, ${text})
    order by left(relationship_id, 100) using ~<~, binding_id limit ${limit}`);
}

/** The latest orders of the customer with this ID, by the index orders_of_customer. */
export async function findCommissionsOfCustomer(db: Queryable, { storeId, text, limit }: StoreSearch): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ readonly commissionId: Id<'com'> }>(sql`
    select commission_id from orders
    where store_id = ${storeId} and left(customer_id, 100) = ${indexedPrefix(text)} and customer_id = ${text}
    order by recorded_at desc limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

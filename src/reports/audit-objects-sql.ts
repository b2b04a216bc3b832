import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

type StoreObjectKey = { readonly storeId: Id<'store'>; readonly id: Id };

/** What a store calls one of its objects. A membership has no name of its own: it is shown as its creator. */
export type StoreObject = { readonly id: Id } & (
  | { readonly type: 'program' | 'group' | 'code' | 'commission'; readonly name: string }
  | { readonly type: 'invoice'; readonly number: bigint }
  | { readonly type: 'membership'; readonly creatorId: Id<'crt'> }
);

/** By primary keys. The objects may belong to different stores. */
export const listStoreObjects = (db: Queryable, keys: readonly StoreObjectKey[]): Promise<StoreObject[]> =>
  queryByStore(keys, (storeId, ofStore) => {
    const ids = uuids(ofStore.map(({ id }) => id));
    return db.all<StoreObject>(sql`
      select 'program' as type, program_id as id, name, null::bigint as number, null::uuid as creator_id
      from programs where store_id = ${storeId} and program_id = any(${ids})
      union all
      select 'group', group_id, name, null, null from member_groups where store_id = ${storeId} and group_id = any(${ids})
      union all
      select 'code', code_id, code, null, null from discount_codes where store_id = ${storeId} and code_id = any(${ids})
      union all
      select 'commission', commission_id, source_text, null, null
      from commissions where store_id = ${storeId} and commission_id = any(${ids})
      union all
      select 'invoice', invoice_id, null, number, null
      from invoices where store_id = ${storeId} and invoice_id = any(${ids}) and number is not null
      union all
      select 'membership', member_id, null, null, creator_id
      from members where store_id = ${storeId} and member_id = any(${ids})`);
  });

/** Names of accounts. An erased account has none. */
export async function personNames(db: Queryable, userIds: ReadonlyArray<Id<'user'>>): Promise<ReadonlyMap<Id<'user'>, string>> {
  const rows = await db.all<{ userId: Id<'user'>; name: string }>(sql`
    select user_id, name from users where user_id = any(${uuids(userIds)})`);
  return new Map(rows.map(({ userId, name }) => [userId, name]));
}

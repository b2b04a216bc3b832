import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** The wishes of somebody who goes, in the stores they worked for. */
export const deleteWishesOf = (
  db: Queryable,
  { userId, storeIds }: { readonly userId: Id<'user'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<number> => db.run(sql`delete from store_mails_off where store_id = any(${storeIds}::uuid[]) and user_id = ${userId}`);

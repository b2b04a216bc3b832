import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Deletes a person's email preferences in the stores they worked for. */
export const deleteEmailChoicesOf = (
  db: Queryable,
  { userId, storeIds }: { readonly userId: Id<'user'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<number> => db.run(sql`delete from store_mails_off where store_id = any(${uuids(storeIds)}) and user_id = ${userId}`);

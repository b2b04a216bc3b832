import { roleHolds, type StorePermission } from '../people/permissions.ts';
import { teamOf, type Member } from '../people/team-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { peopleNotWanting, type StoreMailKind } from './store-mails-sql.ts';

type Telling = { readonly storeId: Id<'store'>; readonly kind: StoreMailKind; readonly may: StorePermission };

/** The people of a store who may do something about it, and want to hear of it. */
export async function peopleToTell(db: Queryable, { storeId, kind, may }: Telling): Promise<readonly Member[]> {
  const [team, unwilling] = [await teamOf(db, storeId), await peopleNotWanting(db, storeId, kind)];
  return team.filter(({ userId, role }) => roleHolds(role, may) && !unwilling.has(userId));
}

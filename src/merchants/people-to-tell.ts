import { roleHasPermission, type StorePermission } from '../people/permissions.ts';
import { listTeamMembers, type Member } from '../people/team-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { peopleNotWanting, type StoreMailKind } from './store-mails-sql.ts';

type Telling = { readonly storeId: Id<'store'>; readonly kind: StoreMailKind; readonly may: StorePermission };

/** The people of a store who have the permission to act and want these emails. */
export async function peopleToTell(db: Queryable, { storeId, kind, may }: Telling): Promise<readonly Member[]> {
  const [team, unwilling] = [await listTeamMembers(db, storeId), await peopleNotWanting(db, storeId, kind)];
  return team.filter(({ userId, role }) => roleHasPermission(role, may) && !unwilling.has(userId));
}

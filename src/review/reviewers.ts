import { roles, type Role } from '../people/permissions.ts';
import { teamOf } from '../people/team-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';

/** The people of a store who may decide on commissions: who is told that something waits. */
export const reviewersOf = async (db: Queryable, storeId: Id<'store'>) => (await teamOf(db, storeId)).filter(({ role }) => mayReview(role));

function mayReview(role: Role): boolean {
  const permissions: readonly string[] = roles[role];
  return permissions.includes('commissions:review');
}

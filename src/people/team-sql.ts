import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Role } from './permissions.ts';

export type RoleInStore = { readonly userId: Id<'user'>; readonly storeId: Id<'store'>; readonly role: Role };

/** Returns 0 if the person already has a role there, which stays: an invitation must not demote the last owner. */
export function insertRole(db: Queryable, { userId, storeId, role, now }: RoleInStore & { readonly now: Date }): Promise<number> {
  return db.run(sql`
    insert into store_roles (user_id, store_id, role, since) values (${userId}, ${storeId}, ${role}, ${now})
    on conflict do nothing`);
}

export type Member = {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly since: Date;
};

/** Uses the index store_roles_of_store. */
export function listTeamMembers(db: Queryable, storeId: Id<'store'>): Promise<Member[]> {
  return db.all<Member>(sql`
    select user_id, email, name, role, since from store_roles join users using (user_id)
    where store_id = ${storeId} order by since, user_id`);
}

export function listRolesOf(db: Queryable, userId: Id<'user'>): Promise<Array<Pick<RoleInStore, 'storeId' | 'role'>>> {
  return db.all(sql`select store_id, role from store_roles where user_id = ${userId} order by since, store_id`);
}

/** Locks the owners' rows, so that two owners who remove each other are serialized. The caller must read the team after it. */
export async function lockOwners(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.all(sql`select user_id from store_roles where store_id = ${storeId} and role = 'owner' order by user_id for update`);
}

export async function updateRole(db: Queryable, { userId, storeId, role }: RoleInStore): Promise<void> {
  await db.run(sql`update store_roles set role = ${role} where user_id = ${userId} and store_id = ${storeId}`);
}

export async function deleteRole(db: Queryable, { userId, storeId }: Omit<RoleInStore, 'role'>): Promise<void> {
  await db.run(sql`delete from store_roles where user_id = ${userId} and store_id = ${storeId}`);
}

/** One address for each owner of a store. Reads all stores, because announcements to all of them are rare. */
export async function listAllOwnerEmails(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ email: string }>(sql`
    select distinct email from store_roles join users using (user_id) where role = 'owner' and store_id is not null order by email`);
  return rows.map(({ email }) => email);
}

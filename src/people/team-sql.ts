import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Role } from './permissions.ts';

export type RoleInStore = { readonly userId: Id<'user'>; readonly storeId: Id<'store'>; readonly role: Role };

/** 0 where the person has a role there already, which then stays: an invitation must not take from the last owner. */
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

/** By store_roles_of_store. */
export function teamOf(db: Queryable, storeId: Id<'store'>): Promise<Member[]> {
  return db.all<Member>(sql`
    select user_id, email, name, role, since from store_roles join users using (user_id)
    where store_id = ${storeId} order by since, user_id`);
}

export function rolesOf(db: Queryable, userId: Id<'user'>): Promise<Array<Pick<RoleInStore, 'storeId' | 'role'>>> {
  return db.all(sql`select store_id, role from store_roles where user_id = ${userId} order by since, store_id`);
}

/** Locks the owners' rows, so that two owners who remove each other at once go one after the other. Read the team after it. */
export async function lockOwners(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.all(sql`select user_id from store_roles where store_id = ${storeId} and role = 'owner' order by user_id for update`);
}

export async function updateRole(db: Queryable, { userId, storeId, role }: RoleInStore): Promise<void> {
  await db.run(sql`update store_roles set role = ${role} where user_id = ${userId} and store_id = ${storeId}`);
}

export async function deleteRole(db: Queryable, { userId, storeId }: Omit<RoleInStore, 'role'>): Promise<void> {
  await db.run(sql`delete from store_roles where user_id = ${userId} and store_id = ${storeId}`);
}

/** One address for each owner of a store. Crosses all stores: a change for all of them is announced a few times in a life. */
export async function ownersOfAllStores(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ email: string }>(sql`
    select distinct email from store_roles join users using (user_id) where role = 'owner' and store_id is not null order by email`);
  return rows.map(({ email }) => email);
}

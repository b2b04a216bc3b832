import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type User = {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
  readonly creatorId: Id<'crt'> | null;
  /** Null until the second factor was confirmed by a first code; from then on signing in asks for one. */
  readonly totpConfirmedAt: Date | null;
};

const columns = sql`user_id, email, name, password_hash, is_operator, creator_id, totp_confirmed_at`;

export type NewUser = Pick<User, 'userId' | 'email' | 'name' | 'passwordHash' | 'isOperator'> & { readonly now: Date };

/** 0 where somebody has the address already: the unique key decides between two at once. */
export function insertUser(db: Queryable, { userId, email, name, passwordHash, isOperator, now }: NewUser): Promise<number> {
  return db.run(sql`
    insert into users (user_id, email, name, password_hash, is_operator, created_at)
    values (${userId}, ${email}, ${name}, ${passwordHash}, ${isOperator}, ${now})
    on conflict (email) do nothing`);
}

export function userByEmail(db: Queryable, email: string): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where email = ${email}`);
}

export function userById(db: Queryable, userId: Id<'user'>): Promise<User> {
  return db.one<User>(sql`select ${columns} from users where user_id = ${userId}`);
}

/** Null where there is no such person, or none any more. */
export function findUser(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId}`);
}

/** Locked until the end of the transaction: a sign-in and a change of the password go one after the other. */
export function lockUser(db: Queryable, userId: Id<'user'>): Promise<User> {
  return db.one<User>(sql`select ${columns} from users where user_id = ${userId} for no key update`);
}

/** The same, whether there is such a person or not: a key that they make meanwhile waits, or was made before. */
export async function lockPerson(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.all(sql`select user_id from users where user_id = ${userId} for no key update`);
}

/** Null where the person was erased in the meantime. */
export function findAndLockUser(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId} for no key update`);
}

/** Shared: several exports of one person run side by side, and an erasure waits for them. Null where the person was erased. */
export function findAndShareUser(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId} for share`);
}

export async function updateName(db: Queryable, { userId, name }: Pick<User, 'userId' | 'name'>): Promise<void> {
  await db.run(sql`update users set name = ${name} where user_id = ${userId}`);
}

export async function updatePassword(db: Queryable, { userId, passwordHash }: Pick<User, 'userId' | 'passwordHash'>): Promise<void> {
  await db.run(sql`update users set password_hash = ${passwordHash} where user_id = ${userId}`);
}

export async function updateIsOperator(db: Queryable, { userId, isOperator }: Pick<User, 'userId' | 'isOperator'>): Promise<void> {
  await db.run(sql`
    update users set is_operator = ${isOperator}, operator_since = null, operator_established_at = null, operator_invited_by = null
    where user_id = ${userId}`);
}

/** 0 where the person is another creator already, or the creator another person. */
export function updateCreator(
  db: Queryable,
  { userId, creatorId }: { readonly userId: Id<'user'>; readonly creatorId: Id<'crt'> },
): Promise<number> {
  return db.run(sql`
    update users set creator_id = ${creatorId}
    where user_id = ${userId} and coalesce(creator_id, ${creatorId}) = ${creatorId}
      and not exists (select 1 from users as other where other.creator_id = ${creatorId} and other.user_id <> ${userId})`);
}

export function userOfCreator(db: Queryable, creatorId: Id<'crt'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where creator_id = ${creatorId}`);
}

/** All of them: an installation has a handful. */
export function operators(db: Queryable, { most }: { readonly most: number }): Promise<User[]> {
  return db.all<User>(sql`select ${columns} from users where is_operator order by email limit ${most}`);
}

/** Locks every operator's row, so that two who take the right from each other at once go one after the other. */
export async function lockOperators(db: Queryable): Promise<void> {
  await db.all(sql`select user_id from users where is_operator order by user_id for no key update`);
}

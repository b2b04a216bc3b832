import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { defaultLanguage, type Language } from '../../locales/languages.ts';

export type User = {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
  readonly creatorId: Id<'crt'> | null;
  /** Null until a first code confirms the second factor; from then on sign-in requires one. */
  readonly totpConfirmedAt: Date | null;
  /** The language of emails to this person. */
  readonly language: Language;
};

const columns = sql`user_id, email, name, password_hash, is_operator, creator_id, totp_confirmed_at, language`;

export type NewUser = Pick<User, 'userId' | 'email' | 'name' | 'passwordHash' | 'isOperator'> & {
  readonly language?: Language;
  readonly now: Date;
};

/** Returns 0 if the address is taken: the unique key decides between concurrent requests. */
export function insertUser(
  db: Queryable,
  { userId, email, name, passwordHash, isOperator, language = defaultLanguage, now }: NewUser,
): Promise<number> {
  return db.run(sql`
    insert into users (user_id, email, name, password_hash, is_operator, language, created_at)
    values (${userId}, ${email}, ${name}, ${passwordHash}, ${isOperator}, ${language}, ${now})
    on conflict (email) do nothing`);
}

export function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where email = ${email}`);
}

export function getUser(db: Queryable, userId: Id<'user'>): Promise<User> {
  return db.one<User>(sql`select ${columns} from users where user_id = ${userId}`);
}

/** Null if the person does not exist or was erased. */
export function findUser(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId}`);
}

/** Null if no account has this address. */
export const findRecipient = (db: Queryable, email: string): Promise<Pick<User, 'userId' | 'language'> | null> =>
  db.find(sql`select user_id, language from users where email = ${email}`);

/** Locked until the end of the transaction, so that a sign-in and a password change are serialized. */
export function lockUser(db: Queryable, userId: Id<'user'>): Promise<User> {
  return db.one<User>(sql`select ${columns} from users where user_id = ${userId} for no key update`);
}

/** Locks the row like `lockUser`, whether or not the person exists: a key that they create meanwhile waits, or was created before. */
export async function lockUserIfPresent(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.all(sql`select user_id from users where user_id = ${userId} for no key update`);
}

/** Null if the person was erased in the meantime. */
export function findAndLockUser(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId} for no key update`);
}

/** A shared lock: several exports of one person run concurrently, and an erasure waits for them. Null if the person was erased. */
export function findAndLockUserShared(db: Queryable, userId: Id<'user'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where user_id = ${userId} for share`);
}

export async function updateName(db: Queryable, { userId, name }: Pick<User, 'userId' | 'name'>): Promise<void> {
  await db.run(sql`update users set name = ${name} where user_id = ${userId}`);
}

export async function updateLanguage(db: Queryable, { userId, language }: Pick<User, 'userId' | 'language'>): Promise<void> {
  await db.run(sql`update users set language = ${language} where user_id = ${userId}`);
}

export async function updatePassword(db: Queryable, { userId, passwordHash }: Pick<User, 'userId' | 'passwordHash'>): Promise<void> {
  await db.run(sql`update users set password_hash = ${passwordHash} where user_id = ${userId}`);
}

export async function updateIsOperator(db: Queryable, { userId, isOperator }: Pick<User, 'userId' | 'isOperator'>): Promise<void> {
  await db.run(sql`
    update users set is_operator = ${isOperator}, operator_since = null, operator_established_at = null, operator_invited_by = null
    where user_id = ${userId}`);
}

/** Returns 0 if the person already belongs to another creator, or the creator to another person. */
export function updateCreator(
  db: Queryable,
  { userId, creatorId }: { readonly userId: Id<'user'>; readonly creatorId: Id<'crt'> },
): Promise<number> {
  return db.run(sql`
    update users set creator_id = ${creatorId}
    where user_id = ${userId} and coalesce(creator_id, ${creatorId}) = ${creatorId}
      and not exists (select 1 from users as other where other.creator_id = ${creatorId} and other.user_id <> ${userId})`);
}

export function findUserOfCreator(db: Queryable, creatorId: Id<'crt'>): Promise<User | null> {
  return db.find<User>(sql`select ${columns} from users where creator_id = ${creatorId}`);
}

/** Reads all of them, because an installation has only a few. */
export function listOperatorUsers(db: Queryable, { most }: { readonly most: number }): Promise<User[]> {
  return db.all<User>(sql`select ${columns} from users where is_operator order by email limit ${most}`);
}

/** Locks every operator's row, so that two operators who remove each other are serialized. */
export async function lockOperators(db: Queryable): Promise<void> {
  await db.all(sql`select user_id from users where is_operator order by user_id for no key update`);
}

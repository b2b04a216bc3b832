import type { Queryable } from '../db/database.ts';
import { byteas, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

type OfUser = { readonly userId: Id<'user'> };

export function getSealedTotp(db: Queryable, userId: Id<'user'>): Promise<{ readonly totpSealed: Buffer | null }> {
  return db.one(sql`select totp_sealed from users where user_id = ${userId}`);
}

/** Returns 0 if a second factor is on: switching it off first requires its own proof. */
export function startTotp(db: Queryable, { userId, totpSealed }: OfUser & { readonly totpSealed: Buffer }): Promise<number> {
  return db.run(sql`
    update users set totp_sealed = ${totpSealed}, totp_last_step = null where user_id = ${userId} and totp_confirmed_at is null`);
}

export function confirmTotp(db: Queryable, { userId, now }: OfUser & { readonly now: Date }): Promise<number> {
  return db.run(sql`
    update users set totp_confirmed_at = ${now} where user_id = ${userId} and totp_sealed is not null and totp_confirmed_at is null`);
}

export function getSealedReplacement(db: Queryable, userId: Id<'user'>): Promise<{ readonly totpReplacementSealed: Buffer | null }> {
  return db.one(sql`select totp_replacement_sealed from users where user_id = ${userId}`);
}

/** Returns 0 if no second factor is on. */
export function startTotpReplacement(db: Queryable, { userId, totpSealed }: OfUser & { readonly totpSealed: Buffer }): Promise<number> {
  return db.run(sql`
    update users set totp_replacement_sealed = ${totpSealed} where user_id = ${userId} and totp_confirmed_at is not null`);
}

/**
 * The new app's code has proved that it has the secret, and that code is used up. The confirmation time is the new app's, so that undoing a
 * change of email address also removes an app with which a thief replaced the owner's.
 */
export function replaceTotp(db: Queryable, { userId, step, now }: OfUser & { readonly step: number; readonly now: Date }): Promise<number> {
  return db.run(sql`
    update users set totp_sealed = totp_replacement_sealed, totp_replacement_sealed = null, totp_last_step = ${step},
      totp_confirmed_at = ${now}
    where user_id = ${userId} and totp_replacement_sealed is not null and totp_confirmed_at is not null`);
}

/** Returns 0 if this step's code or a later one was already used: the row lock lets only one of two concurrent requests through. */
export function markTotpStepUsed(db: Queryable, { userId, step }: OfUser & { readonly step: number }): Promise<number> {
  return db.run(sql`
    update users set totp_last_step = ${step} where user_id = ${userId} and coalesce(totp_last_step < ${step}, true)`);
}

export async function clearTotp(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(
    sql`
    update users set totp_sealed = null, totp_replacement_sealed = null, totp_confirmed_at = null, totp_last_step = null
    where user_id = ${userId}`,
  );
}

export async function insertRecoveryCodes(
  db: Queryable,
  { userId, codeHashes, keyId }: OfUser & { readonly codeHashes: readonly Buffer[]; readonly keyId: Buffer },
): Promise<void> {
  await db.run(sql`
    insert into recovery_codes (user_id, code_hash, key_id) select ${userId}::uuid, unnest(${byteas(codeHashes)}), ${keyId}::bytea`);
}

export function markRecoveryCodeUsed(
  db: Queryable,
  { userId, codeHashes, now }: OfUser & { readonly codeHashes: readonly Buffer[]; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update recovery_codes set used_at = ${now} 
    where user_id = ${userId} and code_hash = any(${byteas(codeHashes)}) and used_at is null`);
}

/** People whose unused recovery codes were hashed with a key other than this one. */
export async function countPeopleWithCodesOfOtherKeys(db: Queryable, keyId: Buffer): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(distinct user_id) as count from recovery_codes where used_at is null and key_id is distinct from ${keyId}::bytea`);
  return Number(count);
}

export async function deleteRecoveryCodes(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`delete from recovery_codes where user_id = ${userId}`);
}

export async function countUnusedRecoveryCodes(db: Queryable, userId: Id<'user'>): Promise<number> {
  const { unused } = await db.one<{ unused: bigint }>(sql`
    select count(*) as unused from recovery_codes where user_id = ${userId} and used_at is null`);
  return Number(unused);
}

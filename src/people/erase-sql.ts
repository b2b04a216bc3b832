import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { RevokedKey } from './api-keys-sql.ts';

/** Replaces an erased name. */
export const erasedName = 'erased';

/**
 * The stores in which a person acted, directly or by their keys, including stores that they left. Reads the whole log, because it runs only
 * when a person is erased.
 */
export async function listStoresActedIn(db: Queryable, actors: readonly string[]): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from audit_log where actor = any(${texts(actors)}) and store_id is not null`);
  return rows.map(({ storeId }) => storeId);
}

type ErasedPerson = { readonly actor: string; readonly email: string; readonly creatorId: Id<'crt'> | null };

/**
 * The action stays in the log; the name, the network address and the typed input are removed. This includes entries in which others typed
 * the address, in any case, because a body is logged as it was received.
 */
export async function erasePersonFromAudit(db: Queryable, { actor, email, creatorId }: ErasedPerson): Promise<void> {
  await db.run(sql`
    update audit_log set actor_name = ${erasedName}, address_hash = null, details = '{}' where actor = ${actor}`);
  await db.run(sql`
    update audit_log set details = '{}', subject = replace(subject, ${email}, ${erasedName})
    where (${email} <> '' and (position(lower(${email}) in lower(details::text)) > 0 or position(${email} in subject) > 0))
      or creator_id = ${creatorId}::uuid`);
  for (const role of ['asked_by', 'link_opened_by', 'used_while_signed_in_as']) {
    await db.run(sql`update audit_log set details = details - ${`${role}_name`}::text where details ->> ${role}::text = ${actor}`);
  }
}

export async function deletePersonTraces(db: Queryable, { actor, email }: Omit<ErasedPerson, 'creatorId'>): Promise<void> {
  await db.run(sql`delete from invitations where email = ${email}`);
  await db.run(sql`delete from one_time_links where email = ${email}`);
  await db.run(sql`update one_time_links set asked_by_name = ${erasedName} where asked_by = ${actor}`);
  await db.run(sql`update one_time_links set opened_by_name = ${erasedName} where opened_by = ${actor}`);
  await db.run(sql`delete from idempotency_keys where actor = ${actor}`);
}

/** Deletes open invitations, because their inviter is gone. */
export async function deleteInvitationsBy(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`delete from invitations where invited_by = ${userId} and accepted_at is null`);
}

/** Their sessions, roles, recovery codes and links are deleted with the row. */
export const deleteUser = (db: Queryable, userId: Id<'user'>): Promise<number> => db.run(sql`delete from users where user_id = ${userId}`);

/** The creator has no person any more, and open invitations end too: an invitation has an address and a link that would still work. */
export async function closeCreator(db: Queryable, { creatorId, at }: { readonly creatorId: Id<'crt'>; readonly at: Date }): Promise<void> {
  await db.run(sql`delete from invitations where kind = 'creator' and creator_id = ${creatorId}`);
  await db.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${at}), name = ${erasedName} where creator_id = ${creatorId}`);
}

/** Keys that the person created, also by a key: the log and every review by a key contain its name. */
export async function listKeysMadeBy(db: Queryable, userId: Id<'user'>): Promise<ReadonlyArray<Id<'key'>>> {
  const rows = await db.all<{ apiKeyId: Id<'key'> }>(sql`select api_key_id from api_keys where made_by = ${userId} order by api_key_id`);
  return rows.map(({ apiKeyId }) => apiKeyId);
}

/** Returns the keys that were active until now. */
export async function eraseKeys(db: Queryable, { userId, at }: { readonly userId: Id<'user'>; readonly at: Date }): Promise<RevokedKey[]> {
  const ended = await db.all<RevokedKey>(sql`
    update api_keys set revoked_at = ${at} where made_by = ${userId} and revoked_at is null returning api_key_id, store_id, creator_id`);
  await db.run(sql`update api_keys set name = ${erasedName} where made_by = ${userId}`);
  return ended;
}

/** Actions of programs stay in the log with their input; only the names of their keys are removed, also from entries about other keys. */
export async function eraseKeysFromAudit(db: Queryable, actors: readonly string[]): Promise<void> {
  await db.run(sql`
    update audit_log set actor_name = ${erasedName}, details = case when action = 'api_key.made' then '{}' else details end
    where actor = any(${texts(actors)})`);
}

/** Hashes of addresses are stored as long as a break-in may be investigated. Deletes by primary key: IDs contain the time. */
export const clearAddressHashes = (
  db: Queryable,
  { before, from, most }: { readonly before: Id; readonly from: Id; readonly most: number },
): Promise<number> =>
  db.run(sql`
    update audit_log set address_hash = null where audit_entry_id in (
      select audit_entry_id from audit_log
      where audit_entry_id >= ${from} and audit_entry_id < ${before} and address_hash is not null limit ${most})`);

export const deleteOldInvitations = (db: Queryable, { before, most }: { readonly before: Date; readonly most: number }): Promise<number> =>
  db.run(sql`
    delete from invitations where invitation_id in (select invitation_id from invitations where expires_at < ${before} limit ${most})`);

export const deleteOldIdempotencyKeys = (
  db: Queryable,
  { before, most }: { readonly before: Date; readonly most: number },
): Promise<number> =>
  db.run(sql`
    delete from idempotency_keys where (actor, key_hash) in (
      select actor, key_hash from idempotency_keys where made_at < ${before} limit ${most})`);

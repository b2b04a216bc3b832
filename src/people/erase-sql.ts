import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { EndedKey } from './keys-sql.ts';

/** What stands where a name was. */
export const erasedName = 'erased';

/**
 * Where somebody has acted, by themselves or by their keys, also in stores that they left. Reads the whole log: it is asked when a
 * person goes, and by nobody else.
 */
export async function storesActedIn(db: Queryable, actors: readonly string[]): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from audit_log where actor = any(${actors}::text[]) and store_id is not null`);
  return rows.map(({ storeId }) => storeId);
}

type Somebody = { readonly actor: string; readonly email: string; readonly creatorId: Id<'crt'> | null };

/**
 * That something was done stays; who it was by name, from where, and what was typed goes. Also where others typed the address, in
 * whatever case: a body stands in the log as it came.
 */
export async function eraseFromAudit(db: Queryable, { actor, email, creatorId }: Somebody): Promise<void> {
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

export async function deleteTracesOf(db: Queryable, { actor, email }: Omit<Somebody, 'creatorId'>): Promise<void> {
  await db.run(sql`delete from invitations where email = ${email}`);
  await db.run(sql`delete from one_time_links where email = ${email}`);
  await db.run(sql`update one_time_links set asked_by_name = ${erasedName} where asked_by = ${actor}`);
  await db.run(sql`update one_time_links set opened_by_name = ${erasedName} where opened_by = ${actor}`);
  await db.run(sql`delete from idempotency_keys where actor = ${actor}`);
}

/** Nobody vouches for them any more. */
export async function deleteInvitationsBy(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`delete from invitations where invited_by = ${userId} and accepted_at is null`);
}

/** Their sessions, roles, recovery codes and links go with the row. */
export const deleteUser = (db: Queryable, userId: Id<'user'>): Promise<number> => db.run(sql`delete from users where user_id = ${userId}`);

/** Nobody speaks for the creator any more, and nobody is asked to: an invitation has an address, and a link that would still work. */
export async function closeCreator(db: Queryable, { creatorId, at }: { readonly creatorId: Id<'crt'>; readonly at: Date }): Promise<void> {
  await db.run(sql`delete from invitations where kind = 'creator' and creator_id = ${creatorId}`);
  await db.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${at}), name = ${erasedName} where creator_id = ${creatorId}`);
}

/** Whatever somebody made, also by a key: the log and every decision of a key have its name. */
export async function keysMadeBy(db: Queryable, userId: Id<'user'>): Promise<ReadonlyArray<Id<'key'>>> {
  const rows = await db.all<{ apiKeyId: Id<'key'> }>(sql`select api_key_id from api_keys where made_by = ${userId} order by api_key_id`);
  return rows.map(({ apiKeyId }) => apiKeyId);
}

/** Gives those that worked until now. */
export async function eraseKeys(db: Queryable, { userId, at }: { readonly userId: Id<'user'>; readonly at: Date }): Promise<EndedKey[]> {
  const ended = await db.all<EndedKey>(sql`
    update api_keys set revoked_at = ${at} where made_by = ${userId} and revoked_at is null returning api_key_id, store_id, creator_id`);
  await db.run(sql`update api_keys set name = ${erasedName} where made_by = ${userId}`);
  return ended;
}

/** What programs did stays in the log with what they sent; only what their keys were called goes, also where one named another. */
export async function eraseKeysFromAudit(db: Queryable, actors: readonly string[]): Promise<void> {
  await db.run(sql`
    update audit_log set actor_name = ${erasedName}, details = case when action = 'api_key.made' then '{}' else details end
    where actor = any(${actors}::text[])`);
}

/** Hashes of addresses are kept for as long as somebody may ask who broke in. By primary key: ids are times. */
export const forgetAddresses = (
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

export const deleteOldReplies = (db: Queryable, { before, most }: { readonly before: Date; readonly most: number }): Promise<number> =>
  db.run(sql`
    delete from idempotency_keys where (actor, key_hash) in (
      select actor, key_hash from idempotency_keys where made_at < ${before} limit ${most})`);

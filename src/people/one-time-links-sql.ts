import type { Queryable } from '../db/database.ts';
import { byteas, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type LinkRow = {
  readonly purpose: 'first_operator' | 'sign_up' | 'reset_password' | 'accept_invitation';
  readonly email: string | null;
  readonly userId: Id<'user'> | null;
  readonly invitationId: Id<'invite'> | null;
  readonly expiresAt: Date;
  /** `user_…` or `key_…`, with the name at that time; null if the request was not signed in. */
  readonly requestedBy: string | null;
  readonly requestedByName: string | null;
};

/** An operator who read the link in a stored email before it was used. */
export type LinkOpener = { readonly openedBy: string | null; readonly openedByName: string | null };

export async function insertLink(db: Queryable, row: LinkRow & { readonly tokenHash: Buffer; readonly now: Date }): Promise<void> {
  await db.run(sql`
    insert into one_time_links (token_hash, purpose, email, user_id, invitation_id, made_at, expires_at, asked_by, asked_by_name)
    values (${row.tokenHash}, ${row.purpose}, ${row.email}, ${row.userId}, ${row.invitationId}, ${row.now}, ${row.expiresAt},
            ${row.requestedBy}, ${row.requestedByName})`);
}

export function findUsableLink(
  db: Queryable,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<(LinkRow & LinkOpener) | null> {
  return db.find<LinkRow & LinkOpener>(sql`
    select purpose, email, user_id, invitation_id, expires_at, asked_by as requested_by, asked_by_name as requested_by_name, opened_by,
      opened_by_name
    from one_time_links
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`);
}

/** Returns 0 if it was already used: the row lock lets only one of two concurrent requests through. */
export function markLinkUsed(db: Queryable, { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date }): Promise<number> {
  return db.run(sql`
    update one_time_links set used_at = ${now} where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`);
}

/** Stores only the first reader, because later ones may only have read it again. */
export async function markLinksOpenedBy(
  db: Queryable,
  {
    tokenHashes,
    openedBy,
    openedByName,
  }: { readonly tokenHashes: readonly Buffer[]; readonly openedBy: string; readonly openedByName: string },
): Promise<void> {
  await db.run(sql`
    update one_time_links set opened_by = ${openedBy}, opened_by_name = ${openedByName}
    where token_hash = any(${byteas(tokenHashes)}) and opened_by is null and used_at is null`);
}

/** After a password reset the owner no longer needs the other reset links; a thief might use them. */
export async function deleteResetLinks(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`delete from one_time_links where user_id = ${userId} and purpose = 'reset_password' and used_at is null`);
}

export async function deleteFirstOperatorLinks(db: Queryable): Promise<void> {
  await db.run(sql`delete from one_time_links where purpose = 'first_operator' and used_at is null`);
}

export function deleteExpiredLinks(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`
    delete from one_time_links where token_hash in (select token_hash from one_time_links where expires_at <= ${now} limit ${most})`);
}

import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type LinkRow = {
  readonly purpose: 'first_operator' | 'sign_up' | 'reset_password' | 'accept_invitation';
  readonly email: string | null;
  readonly userId: Id<'user'> | null;
  readonly invitationId: Id<'invite'> | null;
  readonly expiresAt: Date;
};

export async function insertLink(db: Queryable, row: LinkRow & { readonly tokenHash: Buffer; readonly now: Date }): Promise<void> {
  await db.run(sql`
    insert into one_time_links (token_hash, purpose, email, user_id, invitation_id, made_at, expires_at)
    values (${row.tokenHash}, ${row.purpose}, ${row.email}, ${row.userId}, ${row.invitationId}, ${row.now}, ${row.expiresAt})`);
}

export function usableLink(db: Queryable, { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date }): Promise<LinkRow | null> {
  return db.find<LinkRow>(sql`
    select purpose, email, user_id, invitation_id, expires_at from one_time_links
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`);
}

/** 0 where it was used meanwhile: of two at once the row's lock lets one through. */
export function markUsed(db: Queryable, { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date }): Promise<number> {
  return db.run(sql`
    update one_time_links set used_at = ${now} where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`);
}

/** Whoever chose a new password has no use for the other links that would change it again; a thief might. */
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

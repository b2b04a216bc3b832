import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type EmailChange = {
  readonly emailChangeId: Id<'echg'>;
  readonly userId: Id<'user'>;
  readonly formerEmail: string;
  readonly email: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly confirmedAt: Date | null;
};

const columns = sql`email_change_id, user_id, former_email, email, asked_at as requested_at, expires_at, confirmed_at`;
type OfUser = { readonly userId: Id<'user'> };

/** Replaces an earlier request that was not confirmed, so that only the newest link works. */
export async function insertEmailChange(
  db: Queryable,
  change: Omit<EmailChange, 'confirmedAt'> & { readonly confirmHash: Buffer },
): Promise<void> {
  const { emailChangeId, userId, formerEmail, email, requestedAt, expiresAt, confirmHash } = change;
  await db.run(sql`delete from email_changes where user_id = ${userId} and confirmed_at is null`);
  await db.run(sql`
    insert into email_changes (email_change_id, user_id, former_email, email, asked_at, expires_at, confirm_hash)
    values (${emailChangeId}, ${userId}, ${formerEmail}, ${email}, ${requestedAt}, ${expiresAt}, ${confirmHash})`);
}

/** The person's newest pending change. */
export const findPendingEmailChange = (db: Queryable, { userId, now }: OfUser & { readonly now: Date }): Promise<EmailChange | null> =>
  db.find(sql`
    select ${columns} from email_changes where user_id = ${userId} and confirmed_at is null and expires_at > ${now}
    order by asked_at desc limit 1`);

export async function deletePendingEmailChange(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`delete from email_changes where user_id = ${userId} and confirmed_at is null`);
}

type Token = { readonly tokenHash: Buffer; readonly now: Date };

export const findChangeToConfirm = (db: Queryable, { tokenHash, now }: Token): Promise<EmailChange | null> =>
  db.find(sql`
    select ${columns} from email_changes where confirm_hash = ${tokenHash} and confirmed_at is null and expires_at > ${now}`);

export const findChangeToUndo = (db: Queryable, { tokenHash, now }: Token): Promise<EmailChange | null> =>
  db.find(sql`select ${columns} from email_changes where undo_hash = ${tokenHash} and undone_at is null and undo_until > ${now}`);

/** Returns 0 if another request was first. */
export const markConfirmed = (
  db: Queryable,
  {
    emailChangeId,
    now,
    undoHash,
    undoUntil,
  }: Pick<EmailChange, 'emailChangeId'> & {
    readonly now: Date;
    readonly undoHash: Buffer;
    readonly undoUntil: Date;
  },
): Promise<number> =>
  db.run(sql`
    update email_changes set confirmed_at = ${now}, undo_hash = ${undoHash}, undo_until = ${undoUntil}
    where email_change_id = ${emailChangeId} and confirmed_at is null and expires_at > ${now}`);

/** Ends this change and all later ones, so that none of their links works. Returns 0 if this one was already undone. */
export async function markUndone(
  db: Queryable,
  { emailChangeId, userId, requestedAt, now }: EmailChange & { readonly now: Date },
): Promise<number> {
  const undone = await db.run(sql`
    update email_changes set undone_at = ${now} where email_change_id = ${emailChangeId} and undone_at is null and undo_until > ${now}`);
  await db.run(sql`
    update email_changes set undone_at = coalesce(undone_at, ${now}), expires_at = least(expires_at, ${now})
    where user_id = ${userId} and asked_at > ${requestedAt}`);
  return undone;
}

/** Returns 0 if another account has the address: the unique key decides between concurrent requests. */
export async function updateEmail(db: Queryable, { userId, email }: OfUser & { readonly email: string }): Promise<number> {
  return db.run(sql`
    update users set email = ${email}
    where user_id = ${userId} and not exists (select 1 from users as other where other.email = ${email} and other.user_id <> ${userId})`);
}

export async function clearPassword(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.run(sql`update users set password_hash = null where user_id = ${userId}`);
}

/**
 * A person's distinct former addresses, which emails and audit entries may still name. Excludes addresses that another account has now,
 * because their emails belong to that account.
 */
export async function listFormerEmails(db: Queryable, userId: Id<'user'>): Promise<readonly string[]> {
  const rows = await db.all<{ email: string }>(sql`
    select distinct had.email from (
      select former_email as email from email_changes where user_id = ${userId} and confirmed_at is not null
      union all select email from email_changes where user_id = ${userId} and confirmed_at is not null) as had
    where not exists (select 1 from users where users.email = had.email)`);
  return rows.map(({ email }) => email);
}

/** Active keys that the person created since a given time. */
export async function activeKeysMadeSince(
  db: Queryable,
  { userId, since }: OfUser & { readonly since: Date },
): Promise<ReadonlyArray<Id<'key'>>> {
  const rows = await db.all<{ apiKeyId: Id<'key'> }>(sql`
    select api_key_id from api_keys where made_by = ${userId} and created_at >= ${since} and revoked_at is null`);
  return rows.map(({ apiKeyId }) => apiKeyId);
}

import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type MailState = 'waiting' | 'sent' | 'failed' | 'kept';

export type NewMail = {
  readonly mailId: Id<'mail'>;
  readonly now: Date;
  readonly to: string;
  readonly subject: string;
  readonly bodySealed: Buffer;
  readonly storeId: Id<'store'> | null;
};

export async function insertMail(db: Queryable, { mailId, now, to, subject, bodySealed, storeId }: NewMail): Promise<void> {
  await db.run(sql`
    insert into mails (mail_id, made_at, to_address, subject, body_sealed, store_id, state, try_at)
    values (${mailId}, ${now}, ${to}, ${subject}, ${bodySealed}, ${storeId}, 'waiting', ${now})`);
}

export type ClaimedMail = {
  readonly mailId: Id<'mail'>;
  readonly toAddress: string;
  readonly subject: string;
  readonly bodySealed: Buffer;
  readonly attempts: number;
};

/**
 * The mail that has waited longest, taken until the lease ends. Two senders never get the same one: its row is locked
 * while it is chosen, and who comes meanwhile looks past it.
 */
export function claimWaitingMail(
  db: Queryable,
  { now, leaseEnds }: { readonly now: Date; readonly leaseEnds: Date },
): Promise<ClaimedMail | null> {
  return db.find<ClaimedMail>(sql`
    update mails set attempts = attempts + 1, try_at = ${leaseEnds}
    where mail_id = (
      select mail_id from mails where state = 'waiting' and try_at <= ${now} order by try_at limit 1 for update skip locked)
    returning mail_id, to_address, subject, body_sealed, attempts`);
}

type Ended = {
  readonly mailId: Id<'mail'>;
  /** Without what nobody needs any more: the secrets of its links. */ readonly bodySealed: Buffer;
};

export async function markSent(db: Queryable, { mailId, bodySealed, now }: Ended & { readonly now: Date }): Promise<void> {
  await db.run(sql`
    update mails set state = 'sent', sent_at = ${now}, last_error = null, body_sealed = ${bodySealed} where mail_id = ${mailId}`);
}

export async function markForRetry(
  db: Queryable,
  { mailId, tryAt, error }: { readonly mailId: Id<'mail'>; readonly tryAt: Date; readonly error: string },
): Promise<void> {
  await db.run(sql`update mails set try_at = ${tryAt}, last_error = ${error} where mail_id = ${mailId}`);
}

export async function markFailed(db: Queryable, { mailId, bodySealed, error }: Ended & { readonly error: string }): Promise<void> {
  await db.run(sql`update mails set state = 'failed', last_error = ${error}, body_sealed = ${bodySealed} where mail_id = ${mailId}`);
}

/** Where nothing is sent, mails stay where the dashboard shows them. */
export function keepWaitingMails(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`
    update mails set state = 'kept'
    where mail_id in (
      select mail_id from mails where state = 'waiting' and try_at <= ${now} order by try_at limit ${most} for update skip locked)`);
}

export type MailRow = {
  readonly mailId: Id<'mail'>;
  readonly madeAt: Date;
  readonly toAddress: string;
  readonly subject: string;
  readonly storeId: Id<'store'> | null;
  readonly state: MailState;
  readonly attempts: number;
  readonly sentAt: Date | null;
  readonly lastError: string | null;
};

export type MailsAsked = {
  readonly storeId: Id<'store'> | null;
  /** The id of the last mail of the page before. */
  readonly before: string | null;
  readonly limit: number;
};

/** The newest first: a mail's id is its time. Of one store (by mails_of_store), or of all, which only operators ask. */
export function mailsPage(db: Queryable, { storeId, before, limit }: MailsAsked): Promise<MailRow[]> {
  return db.all<MailRow>(sql`
    select mail_id, made_at, to_address, subject, store_id, state, attempts, sent_at, last_error from mails
    where true ${storeId === null ? nothing : sql`and store_id = ${storeId}`}
      ${before === null ? nothing : sql`and mail_id < ${before}`}
    order by mail_id desc limit ${limit}`);
}

export function mailById(db: Queryable, mailId: Id<'mail'>): Promise<(MailRow & { readonly bodySealed: Buffer }) | null> {
  return db.find(sql`
    select mail_id, made_at, to_address, subject, store_id, state, attempts, sent_at, last_error, body_sealed
    from mails where mail_id = ${mailId}`);
}

/** Old mails go, whatever became of them. An id below the oldest is older: ids are times. */
export function deleteMailsBelow(db: Queryable, { oldest, most }: { readonly oldest: Id<'mail'>; readonly most: number }): Promise<number> {
  return db.run(
    sql`delete from mails where mail_id in (select mail_id from mails where mail_id < ${oldest} order by mail_id limit ${most})`,
  );
}

import type { Queryable } from '../db/database.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql, texts } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { firstIdAt, type Id } from '../core/ids.ts';

export type EmailState = 'waiting' | 'sent' | 'failed' | 'kept';

export type NewEmail = {
  readonly mailId: Id<'mail'>;
  readonly now: Date;
  readonly to: string;
  readonly subject: string;
  readonly bodySealed: Buffer;
  readonly storeId: Id<'store'> | null;
  /** Null if the email is not a notification. */
  readonly inbox: { readonly userId: Id<'user'>; readonly path: string | null } | null;
};

export async function insertEmail(db: Queryable, { mailId, now, to, subject, bodySealed, storeId, inbox }: NewEmail): Promise<void> {
  await db.run(sql`
    insert into mails (mail_id, made_at, to_address, subject, body_sealed, store_id, state, try_at, user_id, inbox_path)
    values (${mailId}, ${now}, ${to}, ${subject}, ${bodySealed}, ${storeId}, 'waiting', ${now},
      ${inbox?.userId ?? null}, ${inbox?.path ?? null})`);
}

type PastEmails = {
  readonly to: readonly string[];
  /** The real time from which they were enqueued. */
  readonly since: Date;
  readonly at: Date;
  readonly isRead: boolean;
};

/** Moves emails that a history enqueued to its own time. By primary key, because IDs are in order of the real time. */
export const datePastEmails = (db: Queryable, { to, since, at, isRead }: PastEmails): Promise<number> =>
  db.run(sql`
    update mails set made_at = ${at}, read_at = ${isRead ? at : null}
    where mail_id >= ${firstIdAt(since)} and to_address = any(${texts(to)})`);

export type ClaimedEmail = {
  readonly mailId: Id<'mail'>;
  readonly toAddress: string;
  readonly subject: string;
  readonly bodySealed: Buffer;
  readonly attempts: number;
};

/**
 * Claims the email that has been due longest, until the lease ends. `for update skip locked` keeps two senders from claiming the same
 * email.
 */
export function claimWaitingEmail(
  db: Queryable,
  { now, leaseEnds }: { readonly now: Date; readonly leaseEnds: Date },
): Promise<ClaimedEmail | null> {
  return db.find<ClaimedEmail>(sql`
    update mails set attempts = attempts + 1, try_at = ${leaseEnds}
    where mail_id = (
      select mail_id from mails where state = 'waiting' and try_at <= ${now} order by try_at limit 1 for update skip locked)
    returning mail_id, to_address, subject, body_sealed, attempts`);
}

type SettledEmail = {
  readonly mailId: Id<'mail'>;
  /** The body without the secrets of its links. */
  readonly bodySealed: Buffer;
};

export async function markSent(db: Queryable, { mailId, bodySealed, now }: SettledEmail & { readonly now: Date }): Promise<void> {
  await db.run(sql`
    update mails set state = 'sent', sent_at = ${now}, last_error = null, body_sealed = ${bodySealed} where mail_id = ${mailId}`);
}

export async function markForRetry(
  db: Queryable,
  { mailId, tryAt, error }: { readonly mailId: Id<'mail'>; readonly tryAt: Date; readonly error: string },
): Promise<void> {
  await db.run(sql`update mails set try_at = ${tryAt}, last_error = ${error} where mail_id = ${mailId}`);
}

export async function markFailed(db: Queryable, { mailId, bodySealed, error }: SettledEmail & { readonly error: string }): Promise<void> {
  await db.run(sql`update mails set state = 'failed', last_error = ${error}, body_sealed = ${bodySealed} where mail_id = ${mailId}`);
}

/** Without a mail server emails are not sent; the dashboard shows them. */
export function archiveWaitingEmails(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`
    update mails set state = 'kept'
    where mail_id in (
      select mail_id from mails where state = 'waiting' and try_at <= ${now} order by try_at limit ${most} for update skip locked)`);
}

export type EmailRow = {
  readonly mailId: Id<'mail'>;
  readonly madeAt: Date;
  readonly toAddress: string;
  readonly subject: string;
  readonly storeId: Id<'store'> | null;
  readonly state: EmailState;
  readonly attempts: number;
  readonly sentAt: Date | null;
  readonly lastError: string | null;
};

const emailIdColumn: SortColumn<EmailRow> = { expression: sql`mail_id`, type: 'uuid', value: ({ mailId }) => mailId };

/** The IDs grow with time. */
export const emailSorts: ListSorts<EmailRow> = { columns: { made_at: emailIdColumn }, unique: emailIdColumn, defaultSort: '-made_at' };

const newestFirst = orderOf(emailSorts);

type EmailsPage = Page & { readonly order?: ListOrder<EmailRow> };

/** Newest first by default. Lists one store (by the index mails_of_store) or, for operators, all stores. */
export function listEmails(
  db: Queryable,
  storeId: Id<'store'> | null,
  { after, limit, order = newestFirst }: EmailsPage,
): Promise<EmailRow[]> {
  return db.all<EmailRow>(sql`
    select mail_id, made_at, to_address, subject, store_id, state, attempts, sent_at, last_error from mails
    where true ${storeId === null ? emptySql : sql`and store_id = ${storeId}`} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

export function emailById(db: Queryable, mailId: Id<'mail'>): Promise<(EmailRow & { readonly bodySealed: Buffer }) | null> {
  return db.find(sql`
    select mail_id, made_at, to_address, subject, store_id, state, attempts, sent_at, last_error, body_sealed
    from mails where mail_id = ${mailId}`);
}

/** Deletes emails of every state. IDs are ordered by time, so a smaller ID is an older email. */
export function deleteEmailsBefore(
  db: Queryable,
  { oldest, most }: { readonly oldest: Id<'mail'>; readonly most: number },
): Promise<number> {
  return db.run(
    sql`delete from mails where mail_id in (select mail_id from mails where mail_id < ${oldest} order by mail_id limit ${most})`,
  );
}

/** Notifications of a person whose address was another one at the time. */
export const deleteInboxOf = (db: Queryable, userId: Id<'user'>): Promise<number> =>
  db.run(sql`delete from mails where user_id = ${userId}`);

export const deleteEmailsTo = (db: Queryable, address: string): Promise<number> =>
  db.run(sql`delete from mails where to_address = ${address}`);

const countMax = 10_000;

/** Emails that are not sent yet, including those to be retried. Uses the partial index mails_waiting and stops counting at `countMax`. */
export const countWaitingEmails = (db: Queryable): Promise<{ readonly count: bigint; readonly oldest: Date | null }> =>
  db.one(sql`
    select count(*) as count, min(made_at) as oldest
    from (select made_at from mails where state = 'waiting' order by try_at limit ${countMax}) as waiting`);

import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';

export type InboxEntry = {
  readonly mailId: Id<'mail'>;
  readonly madeAt: Date;
  readonly subject: string;
  readonly bodySealed: Buffer;
  readonly inboxPath: string | null;
  readonly readAt: Date | null;
};

/** Newest first, by the index mails_in_inbox. */
export const listInbox = (db: Queryable, userId: Id<'user'>, { after, limit }: Page): Promise<InboxEntry[]> =>
  db.all(sql`
    select mail_id, made_at, subject, body_sealed, inbox_path, read_at from mails
    where user_id = ${userId} ${after === null ? emptySql : sql`and mail_id < ${after[0]}::uuid`}
    order by mail_id desc limit ${limit + 1}`);

/** Up to `most`, by the index mails_unread. */
export async function countUnread(db: Queryable, userId: Id<'user'>, most: number): Promise<number> {
  const { count } = await db.one<{ readonly count: bigint }>(sql`
    select count(*) as count from (select 1 from mails where user_id = ${userId} and read_at is null limit ${most}) as unread`);
  return Number(count);
}

/** Marks this entry and all older ones. An entry that arrived while the person was reading stays unread. */
export const markReadUpTo = (
  db: Queryable,
  { userId, mailId, at }: { readonly userId: Id<'user'>; readonly mailId: Id<'mail'>; readonly at: Date },
): Promise<number> => db.run(sql`update mails set read_at = ${at} where user_id = ${userId} and mail_id <= ${mailId} and read_at is null`);

/** Returns 0 if the person has no such entry. Reading again keeps the first time. */
export const markRead = (
  db: Queryable,
  { userId, mailId, at }: { readonly userId: Id<'user'>; readonly mailId: Id<'mail'>; readonly at: Date },
): Promise<number> => db.run(sql`update mails set read_at = coalesce(read_at, ${at}) where user_id = ${userId} and mail_id = ${mailId}`);

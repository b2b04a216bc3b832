import type { Queryable } from '../db/database.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { realNow } from '../core/time.ts';
import { renderEmail, withoutHostNames, type EmailContent } from './render-email.ts';
import { sealBody } from './stored-email.ts';
import { insertEmail } from './emails-sql.ts';

/** The queue task that sends all waiting emails. One run also sends the emails of later tasks, so most of those find nothing to do. */
export const sendEmailsTask = 'send_mails';

export type EmailToEnqueue = {
  readonly to: string;
  readonly content: EmailContent;
  /** The store that the email is about, whose team sees that it was sent; null for emails about a person's own account. */
  readonly storeId: Id<'store'> | null;
};

/**
 * Must run in the transaction of the change that the email reports, so that both are committed or neither. The body is encrypted,
 * because it may contain a one-time link. Returns null for an erased person, who has no address.
 */
export async function enqueueEmail(db: Queryable, secrets: Secrets, email: EmailToEnqueue): Promise<Id<'mail'> | null> {
  if (email.to === '') return null;
  const now = realNow();
  const mailId = newId<'mail'>(now);
  const bodySealed = sealBody(secrets, mailId, renderEmail(email.content));
  await insertEmail(db, {
    mailId,
    now,
    to: email.to,
    subject: withoutHostNames(email.content.subject),
    bodySealed,
    storeId: email.storeId,
  });
  // Each email has its own key: with a shared one, every transaction that enqueues an email would wait for the ones before it to commit.
  await enqueue(db, sendEmailsTask, {}, { key: `${sendEmailsTask} ${mailId}` });
  return mailId;
}

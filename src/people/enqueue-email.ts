import type { Queryable } from '../db/database.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { realNow } from '../core/time.ts';
import { defaultLanguage, type Language } from '../../locales/languages.ts';
import { pathOfButton, renderEmail, type EmailContent } from '../notify/render-email.ts';
import { hasLinkSecret, sealBody } from '../notify/stored-email.ts';
import { insertEmail } from '../notify/emails-sql.ts';
import { findRecipient } from './users-sql.ts';

/** The queue task that sends all waiting emails. One run also sends the emails of later tasks, so most of those find nothing to do. */
export const sendEmailsTask = 'send_mails';

export type EmailToEnqueue = {
  readonly to: string;
  readonly content: EmailContent;
  /** The store that the email is about, whose team sees that it was sent; null for emails about a person's own account. */
  readonly storeId: Id<'store'> | null;
  /** The language if no account has the address: the one of the request or the sender. An account's own language takes precedence. */
  readonly languageWithoutAccount?: Language;
  /** The page that the notification opens, if the email has no button. */
  readonly inboxPath?: string;
  /** Mail clients offer it as a button (RFC 8058). */
  readonly unsubscribeUrl?: string;
};

/**
 * Must run in the transaction of the change that the email reports, so that both are committed or neither. The body is encrypted,
 * because it may contain a one-time link. An email without one is also a notification of the account that has the address. Returns null
 * for an erased person, who has no address.
 */
export async function enqueueEmail(db: Queryable, secrets: Secrets, email: EmailToEnqueue): Promise<Id<'mail'> | null> {
  if (email.to === '') return null;
  const now = realNow();
  const mailId = newId<'mail'>(now);
  const recipient = await findRecipient(db, email.to);
  const language = recipient?.language ?? email.languageWithoutAccount ?? defaultLanguage;
  const { subject, ...body } = renderEmail(email.content, language);
  await insertEmail(db, {
    mailId,
    now,
    to: email.to,
    subject,
    bodySealed: sealBody(secrets, mailId, email.unsubscribeUrl === undefined ? body : { ...body, unsubscribeUrl: email.unsubscribeUrl }),
    storeId: email.storeId,
    inbox:
      recipient === null || hasLinkSecret(body) ? null : { userId: recipient.userId, path: email.inboxPath ?? pathOfButton(email.content) },
  });
  // Each email has its own key: with a shared one, every transaction that enqueues an email would wait for the ones before it to commit.
  await enqueue(db, sendEmailsTask, {}, { key: `${sendEmailsTask} ${mailId}` });
  return mailId;
}

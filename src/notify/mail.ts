import type { Queryable } from '../platform/database/database.ts';
import { enqueue } from '../platform/database/enqueue.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { realNow } from '../platform/time.ts';
import { writtenOut, type Letter, type MailBody } from './letter.ts';
import { withoutLinks } from './plain-text.ts';
import { insertMail } from './sql.ts';

/** The queue's name for sending what waits. A run sends what others were begun for too, so most runs after it find nothing and end. */
export const sendMailsTask = 'send_mails';

export type Mail = {
  readonly to: string;
  readonly letter: Letter;
  /** The store it is about, whose people see that it was sent; null for what is between a person and the service. */
  readonly storeId: Id<'store'> | null;
};

/**
 * Puts a mail on its way, in the transaction of what it tells of: no mail about what did not happen, none missing about
 * what did. The body is sealed, because it may hold a link that works once. Null: whoever was erased has no address.
 */
export async function keepMail(db: Queryable, secrets: Secrets, mail: Mail): Promise<Id<'mail'> | null> {
  if (mail.to === '') return null;
  const now = realNow();
  const mailId = newId<'mail'>(now);
  const bodySealed = sealedBody(secrets, mailId, writtenOut(mail.letter));
  await insertMail(db, { mailId, now, to: mail.to, subject: withoutLinks(mail.letter.subject), bodySealed, storeId: mail.storeId });
  // A key for each mail: with one for all, whoever writes a mail would wait for the commit of all who wrote one before.
  await enqueue(db, sendMailsTask, {}, { key: `${sendMailsTask} ${mailId}` });
  return mailId;
}

export const sealedBody = (secrets: Secrets, mailId: Id<'mail'>, body: MailBody): Buffer =>
  secrets.seal(Buffer.from(JSON.stringify(body)), sealOfMail(mailId));

export function openedBody(secrets: Secrets, mailId: Id<'mail'>, bodySealed: Buffer): MailBody {
  // We wrote it ourselves, and the seal proves it.
  return JSON.parse(secrets.open(bodySealed, sealOfMail(mailId)).toString('utf8')) as MailBody;
}

const sealOfMail = (mailId: string): string => `mail ${mailId}`;

export const sealedMails: SealedColumn = {
  table: 'mails',
  column: 'body_sealed',
  holds: 'bytes',
  key: [{ name: 'mail_id', type: 'uuid' }],
  boundTo: ([mailId = '']) => sealOfMail(mailId),
};

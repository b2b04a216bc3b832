import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { MailBody } from './letter.ts';
import { openedBody } from './mail.ts';
import { mailById, mailsPage, type MailRow, type MailsAsked } from './sql.ts';

/** A mail as the dashboard lists it: that it was written and what became of it, not what it says. */
export type ListedMail = MailRow;

export const listMails = (db: Queryable, asked: MailsAsked): Promise<readonly ListedMail[]> => mailsPage(db, asked);

/** One mail with what it says, for the operator: where no mail server is set, this is how people get their links. */
export async function openMail(db: Queryable, secrets: Secrets, mailId: Id<'mail'>): Promise<(ListedMail & MailBody) | null> {
  const found = await mailById(db, mailId);
  if (found === null) return null;
  const { bodySealed, ...row } = found;
  return { ...row, ...openedBody(secrets, mailId, bodySealed) };
}

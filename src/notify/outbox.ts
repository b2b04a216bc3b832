import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { MailBody } from './letter.ts';
import { openedBody } from './mail.ts';
import { linkSecretsIn } from './redact-links.ts';
import { mailById, mailsPage, type MailRow, type MailsAsked } from './sql.ts';

/** A mail as the dashboard lists it: that it was written and what became of it, not what it says. */
export type ListedMail = MailRow;

export const listMails = (db: Queryable, asked: MailsAsked): Promise<readonly ListedMail[]> => mailsPage(db, asked);

export type OpenedMail = ListedMail & MailBody & { readonly linkSecrets: readonly string[] };

/** One mail with what it says and the secrets of its links, which only `mayOpenLinks` lets anybody see. */
export async function openMail(db: Queryable, secrets: Secrets, mailId: Id<'mail'>): Promise<OpenedMail | null> {
  const found = await mailById(db, mailId);
  if (found === null) return null;
  const { bodySealed, ...row } = found;
  const body = openedBody(secrets, mailId, bodySealed);
  return { ...row, ...body, linkSecrets: linkSecretsIn(body) };
}

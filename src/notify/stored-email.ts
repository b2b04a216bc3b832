import type { Queryable } from '../db/database.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import type { EmailBody } from './render-email.ts';
import { emailById, type EmailRow } from './emails-sql.ts';

export const sealBody = (secrets: Secrets, mailId: Id<'mail'>, body: EmailBody): Buffer =>
  secrets.seal(Buffer.from(JSON.stringify(body)), sealContext(mailId));

export function openBody(secrets: Secrets, mailId: Id<'mail'>, bodySealed: Buffer): EmailBody {
  // The authenticated encryption proves that `sealBody` wrote it.
  return JSON.parse(secrets.open(bodySealed, sealContext(mailId)).toString('utf8')) as EmailBody;
}

const sealContext = (mailId: string): string => `mail ${mailId}`;

export const sealedEmailBodies: SealedColumn = {
  table: 'mails',
  column: 'body_sealed',
  holds: 'bytes',
  key: [{ name: 'mail_id', type: 'uuid' }],
  boundTo: ([mailId = '']) => sealContext(mailId),
};

/**
 * The secret of a one-time link: the 43 characters after the `#`. makeLink creates every link in an email, so this is the only form of
 * secret that an email can contain (test/people/mail-secrets.test.ts tries every email that has one).
 */
const linkSecret = /(\/link(?:\?[^#\s"<]*)?)#[A-Za-z0-9_-]{43}/g;

export const hasLinkSecret = ({ text }: EmailBody): boolean => linkSecretsIn({ text }).length > 0;

export const removedMark = '#(removed)';

export const withoutLinkSecrets = ({ text, html, ...rest }: EmailBody): EmailBody => ({
  ...rest,
  text: text.replace(linkSecret, `$1${removedMark}`),
  html: html.replace(linkSecret, `$1${removedMark}`),
});

/** The secrets of an email's links, without duplicates. */
const linkSecretsIn = ({ text }: Pick<EmailBody, 'text'>): readonly string[] => [
  ...new Set([...text.matchAll(linkSecret)].map(([found]) => found.slice(found.indexOf('#') + 1))),
];

export type StoredEmail = EmailRow & EmailBody & { readonly linkSecrets: readonly string[] };

/** Includes the secrets of the email's links: the caller asks `mayViewLinks` before it shows them. */
export async function readEmail(db: Queryable, secrets: Secrets, mailId: Id<'mail'>): Promise<StoredEmail | null> {
  const found = await emailById(db, mailId);
  if (found === null) return null;
  const { bodySealed, ...row } = found;
  const body = openBody(secrets, mailId, bodySealed);
  return { ...row, ...body, linkSecrets: linkSecretsIn(body) };
}

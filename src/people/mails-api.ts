import { Type as T } from 'typebox';
import { mayOpenLinks } from '../notify/decide-open-mail.ts';
import { listMails, openMail, type ListedMail } from '../notify/outbox.ts';
import { removedMark, withoutLinkSecrets } from '../notify/redact-links.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, notFound, refuse } from '../platform/http/answers.ts';
import { isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape, type PageQuery } from '../platform/http/page.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { keepAudit } from './audit.ts';
import { byWhoAsks } from './ended-keys.ts';
import { endpoint } from './endpoint.ts';
import { timeField } from './fields.ts';
import { isPerson } from './identity.ts';
import { markLinksOpened } from './one-time-links.ts';
import { userById } from './users-sql.ts';

const mailFields = {
  id: T.String(),
  made_at: timeField,
  to: T.String(),
  subject: T.String(),
  store_id: orNull(T.String()),
  state: T.String({ description: '`waiting`, `sent`, `failed`, or `kept`: no mail server is set' }),
  attempts: T.Integer(),
  sent_at: orNull(timeField),
  last_error: orNull(T.String()),
};
const mailReply = T.Object(mailFields);

export const readOutbox = endpoint({
  summary: 'The mails of this installation, the newest first',
  access: { who: 'operator' },
  query: pageQuery,
  reply: pageOf(mailReply),
  handle: ({ db, query }) => mails(db, null, query),
});

const onlyPeople = refuse('permission_missing', 'An API key never reads what a mail says; sign in as an operator.');

/**
 * Whoever has a one-time link becomes the person it was written to, so links are removed for every reader but those of
 * `mayOpenLinks`. Where one is shown, the audit log names the operator, here and when the link is used.
 */
export const readMail = endpoint({
  summary: 'One mail with what it says; its one-time link is shown only where no mail server is set',
  access: { who: 'operator' },
  proof: true,
  ids: { mail: 'mail' },
  reply: T.Object({
    ...mailFields,
    text: T.String(),
    html: T.String(),
    link_removed: T.Boolean({ description: 'The mail has or had a one-time link that is not shown' }),
  }),
  audit: 'mail.read',
  handle: async ({ db, platform, now, identity, ids, request }) => {
    if (!isPerson(identity)) return onlyPeople;
    const mail = await openMail(db, platform.secrets, ids.mail);
    if (mail === null) return notFound;
    const { config } = platform;
    const { email: readerEmail } = await userById(db, identity.by.userId);
    const isOpen = mayOpenLinks({ mode: config.mode, hasMailServer: config.smtpUrl !== null, readerEmail, to: mail.toAddress });
    const body = isOpen ? mail : withoutLinkSecrets(mail);
    if (isOpen && mail.linkSecrets.length > 0) {
      await markLinksOpened(db, mail.linkSecrets, identity);
      await keepAudit(db, {
        ...byWhoAsks({ platform, now, identity, request }),
        storeId: mail.storeId,
        creatorId: null,
        action: 'mail.link_opened',
        subject: `/api/v1/mails/${publicId('mail', mail.mailId)}`,
        details: { to: mail.toAddress },
      });
    }
    return { ...mailOf(mail), text: body.text, html: body.html, link_removed: body.text.includes(removedMark) };
  },
});

export const readStoreOutbox = endpoint({
  summary: 'The mails that went out for a store, without what they say',
  access: { who: 'store', permission: 'store:read' },
  query: pageQuery,
  reply: pageOf(mailReply),
  handle: ({ db, ids, query }) => mails(db, ids.store, query),
});

async function mails(db: Queryable, storeId: Id<'store'> | null, query: PageQuery) {
  const page = readPage(query, [uuidShape]);
  if (isRefusal(page)) return page;
  const rows = await listMails(db, { storeId, before: page.after?.[0] ?? null, limit: page.limit + 1 });
  return pageReply(rows, page, mailOf, ({ mailId }) => [mailId]);
}

const mailOf = (mail: ListedMail) => ({
  id: publicId('mail', mail.mailId),
  made_at: isoTime(mail.madeAt),
  to: mail.toAddress,
  subject: mail.subject,
  store_id: mail.storeId && publicId('store', mail.storeId),
  state: mail.state,
  attempts: mail.attempts,
  sent_at: isoTimeOrNull(mail.sentAt),
  last_error: mail.lastError,
});

import { Type as T } from 'typebox';
import { listMails, openMail, type ListedMail } from '../notify/outbox.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, notFound } from '../platform/http/answers.ts';
import { isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape, type PageQuery } from '../platform/http/page.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { endpoint } from './endpoint.ts';
import { timeField } from './fields.ts';

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

/** Only operators read what a mail says: it may hold a link by which somebody else becomes an owner. */
export const readMail = endpoint({
  summary: 'One mail with what it says; where no mail server is set, this is how links reach people',
  access: { who: 'operator' },
  proof: true,
  ids: { mail: 'mail' },
  reply: T.Object({ ...mailFields, text: T.String(), html: T.String() }),
  audit: 'mail.read',
  handle: async ({ db, platform, ids }) => {
    const mail = await openMail(db, platform.secrets, ids.mail);
    return mail === null ? notFound : { ...mailOf(mail), text: mail.text, html: mail.html };
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

import { Type as T } from 'typebox';
import { mayViewLinks } from '../notify/decide-link-access.ts';
import { readEmail, removedMark, withoutLinkSecrets } from '../notify/stored-email.ts';
import { emailSorts, listEmails, type EmailRow } from '../notify/emails-sql.ts';
import { notFound, refuse } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { recordAuditEntry, auditActorOf } from './audit.ts';
import { endpoint } from './endpoint.ts';
import { timeField } from './fields.ts';
import { isPerson } from './identity.ts';
import { markLinksOpened } from './one-time-links.ts';
import { getUser } from './users-sql.ts';
import { sortedListEndpoint } from './list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const emailFields = {
  id: T.String(),
  made_at: timeField,
  to: T.String(),
  subject: T.String(),
  store_id: orNull(T.String()),
  state: T.Enum(['waiting', 'sent', 'failed', 'kept'], { description: '`kept`: no email server is configured' }),
  attempts: T.Integer(),
  sent_at: orNull(timeField),
  last_error: orNull(T.String()),
};
const emailReply = namedObject('Email', emailFields);

const emailsQuery = T.Object({ ...pageFields, ...sortField(emailSorts) }, { additionalProperties: false });

export const listAllEmails = sortedListEndpoint({
  summary: 'List the emails of this installation, newest first',
  access: { allow: 'operator' },
  query: emailsQuery,
  item: emailReply,
  readFilter: () => null,
  rows: ({ db }, page) => listEmails(db, null, page),
  renderer: () => emailReplyOf,
  sorts: emailSorts,
});

const personRequired = refuse('permission_missing', apiMessage('emails_api.api_keys_cannot_read_content'));

/**
 * The holder of a one-time link can act as its recipient, so links are removed unless `mayViewLinks` allows the reader. If one is shown,
 * the audit log names the operator, here and when the link is used.
 */
export const getEmail = endpoint({
  summary: 'Get an email with its text; one-time links are shown only if no email server is configured',
  access: { allow: 'operator' },
  proof: true,
  ids: { mail: 'mail' },
  reply: namedObject('EmailDetails', {
    ...emailFields,
    text: T.String(),
    html: T.String(),
    link_removed: T.Boolean({ description: 'True if the email has or had a one-time link that is not shown' }),
  }),
  audit: 'mail.read',
  handle: async ({ db, platform, now, identity, ids, request }) => {
    if (!isPerson(identity)) return personRequired;
    const mail = await readEmail(db, platform.secrets, ids.mail);
    if (mail === null) return notFound;
    const { config } = platform;
    const { email: readerEmail } = await getUser(db, identity.by.userId);
    const isOpen = mayViewLinks({ mode: config.mode, hasMailServer: config.smtpUrl !== null, readerEmail, to: mail.toAddress });
    const body = isOpen ? mail : withoutLinkSecrets(mail);
    if (isOpen && mail.linkSecrets.length > 0) {
      await markLinksOpened(db, mail.linkSecrets, identity);
      await recordAuditEntry(db, {
        ...auditActorOf({ platform, now, identity, request }),
        storeId: mail.storeId,
        creatorId: null,
        action: 'mail.link_opened',
        subject: `/api/v1/mails/${publicId('mail', mail.mailId)}`,
        details: { to: mail.toAddress },
      });
    }
    return { ...emailReplyOf(mail), text: body.text, html: body.html, link_removed: body.text.includes(removedMark) };
  },
});

export const listStoreEmails = sortedListEndpoint({
  summary: 'List the emails about a store, without their texts, newest first',
  access: { allow: 'store', permission: 'store:read' },
  query: emailsQuery,
  item: emailReply,
  readFilter: () => null,
  rows: ({ db, ids }, page) => listEmails(db, ids.store, page),
  renderer: () => emailReplyOf,
  sorts: emailSorts,
});

const emailReplyOf = (mail: EmailRow) => ({
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

import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { notFound } from '../http/responses.ts';
import { firstParagraphOf } from '../notify/render-email.ts';
import { openBody } from '../notify/stored-email.ts';
import { endpoint } from './endpoint.ts';
import { countUnread, listInbox, markRead, markReadUpTo } from '../notify/inbox-sql.ts';
import { listEndpoint } from './list-endpoint.ts';

const unreadMax = 100;

export const listInboxEndpoint = listEndpoint({
  summary: 'List my notifications, newest first: emails to me without one-time links, for 90 days',
  access: { allow: 'person' },
  item: namedObject('InboxEntry', {
    id: T.String(),
    at: T.String(),
    subject: T.String(),
    text: T.String({ description: 'The first paragraph' }),
    path: orNull(T.String({ description: 'The page with more about it' })),
    read_at: orNull(T.String()),
  }),
  rows: ({ db, identity: { by } }, page) => listInbox(db, by.userId, page),
  renderer:
    ({ platform }) =>
    ({ mailId, madeAt, subject, bodySealed, inboxPath, readAt }) => ({
      id: publicId('mail', mailId),
      at: isoTime(madeAt),
      subject,
      text: firstParagraphOf(openBody(platform.secrets, mailId, bodySealed)),
      path: inboxPath,
      read_at: isoTimeOrNull(readAt),
    }),
  key: ({ mailId }) => [mailId],
});

export const countUnreadEndpoint = endpoint({
  summary: 'Count my unread notifications',
  access: { allow: 'person' },
  reply: namedObject('UnreadCount', { unread: T.Integer({ description: `At most ${unreadMax}` }) }),
  handle: async ({ db, identity: { by } }) => ({ unread: await countUnread(db, by.userId, unreadMax) }),
});

export const markReadEndpoint = endpoint({
  summary: 'Mark one of my notifications as read, or with older: true also all older ones',
  access: { allow: 'person' },
  ids: { notification: 'mail' },
  body: T.Object({ older: T.Optional(T.Boolean()) }, { additionalProperties: false }),
  status: 204,
  handle: async ({ db, identity: { by }, ids, body }) => {
    const entry = { userId: by.userId, mailId: ids.notification, at: realNow() };
    if ((await markRead(db, entry)) === 0) return notFound;
    if (body.older === true) await markReadUpTo(db, entry);
    return undefined;
  },
});

import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import { plusDays, realNow } from '../core/time.ts';
import { isoTime, isoTimeOrNull, lineField, namedObject, orNull, textField, idField } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import {
  countMessagesSince,
  countRecipients,
  insertMessage,
  insertRecipients,
  listMessages,
  type CreatorMessage,
  type RecipientCount,
} from './messages-sql.ts';
import { enqueueMessages } from './send-messages.ts';
import { apiMessage } from '../messages/api-message.ts';

const subjectLengthMax = 150;
const bodyLengthMax = 10_000;
const selectedMax = 500;
export const messagesPerDayMax = 10;
const count = T.Integer();

const messageJson = namedObject('CreatorMessage', {
  id: T.String(),
  subject: T.String(),
  body: T.String({ description: 'Plain text with a subset of Markdown: **bold**, *italic*, [links](https://…), and lists with -' }),
  program_id: orNull(T.String()),
  made_at: T.String(),
  made_by_name: T.String(),
  sent_at: orNull(T.String({ description: 'When the last email was enqueued' })),
  recipients: T.Object({ total: count, waiting: count, sent: count, unsubscribed: count }),
});

function showMessage(row: CreatorMessage, counts: readonly RecipientCount[]): Static<typeof messageJson> {
  const of = (state: RecipientCount['state']): number =>
    Number(counts.find((one) => one.messageId === row.messageId && one.state === state)?.count ?? 0n);
  const recipients = { waiting: of('waiting'), sent: of('sent'), unsubscribed: of('unsubscribed') };
  return {
    id: publicId('msg', row.messageId),
    subject: row.subject,
    body: row.body,
    program_id: row.programId && publicId('prog', row.programId),
    made_at: isoTime(row.madeAt),
    made_by_name: row.madeByName,
    sent_at: isoTimeOrNull(row.sentAt),
    recipients: { total: recipients.waiting + recipients.sent + recipients.unsubscribed, ...recipients },
  };
}

export const sendMessageEndpoint = endpoint({
  summary: 'Send a message by email to creators of the store: all, those of a program, or a selection',
  access: { allow: 'store', permission: 'programs:write' },
  body: strictObject({
    subject: lineField(subjectLengthMax),
    body: textField(bodyLengthMax),
    program_id: T.Optional(orNull(idField({ description: 'Only its approved and paused members' }))),
    creator_ids: T.Optional(orNull(T.Array(idField(), { minItems: 1, maxItems: selectedMax }))),
  }),
  reply: messageJson,
  status: 201,
  audit: 'creator_message.send',
  async handle({ db, ids: { store: storeId }, body, identity: { actor, name } }) {
    const at = realNow();
    const audience = { programId: body.program_id ?? null, creatorIds: body.creator_ids ?? null };
    const programId = audience.programId === null ? null : readPublicId('prog', audience.programId);
    if (audience.programId !== null && (programId === null || (await findProgram(db, { storeId, programId })) === null)) return notFound;
    if ((await countMessagesSince(db, storeId, plusDays(at, -1))) >= messagesPerDayMax)
      return refuse('limit_reached', apiMessage('messages_api.store_can_send_at_most', { messagesPerDayMax }));
    const creatorIds = audience.creatorIds === null ? null : readCreatorIds(audience.creatorIds);
    const message = await insertMessage(db, {
      storeId,
      messageId: newId<'msg'>(at),
      subject: body.subject,
      body: body.body,
      programId,
      madeAt: at,
      madeBy: actor,
      madeByName: name,
    });
    if ((await insertRecipients(db, message, { programId, creatorIds })) === 0)
      return refuse('unprocessable', apiMessage('messages_api.no_approved_or_paused_creator'));
    await enqueueMessages(db);
    return showMessage(message, await countRecipients(db, storeId, [message.messageId]));
  },
});

/** An ID that is not valid matches no creator. */
const readCreatorIds = (texts: readonly string[]): ReadonlyArray<Id<'crt'>> =>
  texts.map((text) => readPublicId('crt', text)).filter((id) => id !== null);

export const listMessagesEndpoint = listEndpoint({
  summary: 'List the messages to creators, newest first',
  access: { allow: 'store', permission: 'store:read' },
  item: messageJson,
  rows: ({ db, ids: { store } }, page) => listMessages(db, store, page),
  async renderer({ db, ids: { store } }, rows) {
    const counts = await countRecipients(
      db,
      store,
      rows.map(({ messageId }) => messageId),
    );
    return (row) => showMessage(row, counts);
  },
  key: ({ messageId }) => [messageId],
});

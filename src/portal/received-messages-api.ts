import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { isoTime, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { listReceivedMessages } from '../outreach/messages-sql.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { compareDescending, paginateStores, requestedStores } from './paginate-stores.ts';

/** Without the name of the author, who is on the merchant's team. */
const receivedMessageJson = namedObject('ReceivedMessage', {
  id: T.String(),
  at: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  program_id: orNull(T.String({ description: 'Null if it was not sent to the members of one program' })),
  program_name: orNull(T.String()),
  subject: T.String(),
  body: T.String({ description: 'Plain text with a subset of Markdown: **bold**, *italic*, [links](https://…), and lists with -' }),
});

export const listReceivedMessagesEndpoint = listEndpoint({
  summary: 'List the messages from stores to a creator, newest first',
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object({ ...pageFields, store_id: T.Optional(idField()) }, { additionalProperties: false }),
  item: receivedMessageJson,
  rows: async ({ db, ids: { creator: creatorId }, query: { store_id: store } }, page) =>
    paginateStores(await requestedStores(db, creatorId, store), {
      read: (storeId) => listReceivedMessages(db, { storeId, creatorId }, page),
      order: (one, other) => compareDescending(one.messageId, other.messageId),
      limit: page.limit,
    }),
  async renderer({ db }, found) {
    const stores = await storesById(
      db,
      found.map(({ storeId }) => storeId),
    );
    const programs = await programsByName(
      db,
      found.flatMap(({ storeId, row: { programId } }) => (programId === null ? [] : [{ storeId, programId }])),
    );
    return ({ storeId, row: { messageId, subject, body, programId, madeAt } }) => ({
      id: publicId('msg', messageId),
      at: isoTime(madeAt),
      store_id: publicId('store', storeId),
      store_name: stores.get(storeId)?.name ?? '',
      program_id: programId && publicId('prog', programId),
      program_name: (programId && programs.get(programId)?.name) ?? null,
      subject,
      body,
    });
  },
  key: ({ row }) => [row.messageId],
});

import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { listPostbackKeys, revokePostbackKey, type PostbackKey } from './keys-sql.ts';
import { createPostbackKey } from './keys.ts';

const keyFields = { id: T.String(), last4: T.String(), created_at: T.String(), last_used_at: orNull(T.String()) };

const showKey = ({ postbackKeyId, last4, createdAt, lastUsedAt }: PostbackKey) => ({
  id: publicId('pbkey', postbackKeyId),
  last4,
  created_at: isoTime(createdAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});

export const createPostbackKeyEndpoint = endpoint({
  summary: 'Make a postback key; it is shown this once. Two work at a time',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  reply: namedObject('CreatedPostbackKey', { ...keyFields, key: T.String() }),
  status: 201,
  audit: 'postback_key.create',
  async handle({ db, ids, now }) {
    const made = await createPostbackKey(db, { storeId: ids.store, at: now });
    return isRefusal(made) ? made : { ...showKey(made), key: made.key };
  },
});

export const listPostbackKeysEndpoint = endpoint({
  summary: 'List the postback keys that work',
  access: { allow: 'store', permission: 'store:read' },
  query: pageQuery,
  reply: pageOf(namedObject('PostbackKey', keyFields)),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(await listPostbackKeys(db, ids.store, page), page, showKey, ({ postbackKeyId }) => [postbackKeyId]);
  },
});

export const deletePostbackKeyEndpoint = endpoint({
  summary: 'Delete a postback key: it opens nothing from now on',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { key: 'pbkey' },
  status: 204,
  audit: 'postback_key.delete',
  async handle({ db, ids, now }) {
    const isKnown = await revokePostbackKey(db, { storeId: ids.store, postbackKeyId: ids.key }, now);
    return isKnown ? null : notFound;
  },
});

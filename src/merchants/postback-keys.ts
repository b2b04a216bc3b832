import { newToken } from '../people/tokens.ts';
import type { Queryable } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { refuse, type Refusal, isRefusal, notFound } from '../http/responses.ts';
import { newId, type Id, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import {
  countActiveKeys,
  insertPostbackKey,
  touchEveryMs,
  touchPostbackKey,
  type PostbackKey,
  listPostbackKeys,
  revokePostbackKey,
} from './postback-keys-sql.ts';
import { lockStore } from './stores-sql.ts';
import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Two keys, so that a merchant can rotate them without downtime. */
const activeKeysMax = 2;

export type CreatedPostbackKey = PostbackKey & {
  /** The plain-text key is shown only once, because only its hash is stored. */
  readonly key: string;
};

export async function createPostbackKey(
  db: Queryable,
  { storeId, at }: { readonly storeId: Id<'store'>; readonly at: Date },
): Promise<CreatedPostbackKey | Refusal> {
  await lockStore(db, storeId);
  if ((await countActiveKeys(db, storeId)) >= activeKeysMax) {
    return refuse('limit_reached', apiMessage('postback_keys.store_can_have_at_most', { activeKeysMax }));
  }
  const { token: key, hash } = newToken('pbk_');
  const made = { postbackKeyId: newId<'pbkey'>(at), last4: key.slice(-4), createdAt: at };
  await insertPostbackKey(db, { ...made, storeId, keyHash: hash });
  return { ...made, key, lastUsedAt: null };
}

export type UsedKey = { readonly storeId: Id<'store'>; readonly postbackKeyId: Id<'pbkey'> };

/** Limits memory: with more keys in use within a minute, some are written early. */
const rememberedKeysMax = 10_000;

/** Writes "last used" at most once a minute for each key, in the background, so that a failed write does not fail the postback. */
export function postbackKeyTouches({ tenants, log }: Pick<Platform, 'tenants' | 'log'>): (used: UsedKey, at: Date) => void {
  const touchedMs = new Map<Id<'pbkey'>, number>();
  return (used, at) => {
    const before = touchedMs.get(used.postbackKeyId);
    if (before !== undefined && at.getTime() - before < touchEveryMs) return;
    if (touchedMs.size >= rememberedKeysMax) touchedMs.clear();
    touchedMs.set(used.postbackKeyId, at.getTime());
    touchPostbackKey(tenants.nodeOf(used.storeId).database, used, at).catch((error: unknown) =>
      log.warn({ error: errorForLog(error) }, 'postback key: last use not written'),
    );
  };
}

const keyFields = { id: T.String(), last4: T.String(), created_at: T.String(), last_used_at: orNull(T.String()) };

const showKey = ({ postbackKeyId, last4, createdAt, lastUsedAt }: PostbackKey) => ({
  id: publicId('pbkey', postbackKeyId),
  last4,
  created_at: isoTime(createdAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});

export const createPostbackKeyEndpoint = endpoint({
  summary: 'Create a postback key, shown only once; at most two are active at a time',
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

export const listPostbackKeysEndpoint = listEndpoint({
  summary: 'List the active postback keys',
  access: { allow: 'store', permission: 'store:read' },
  item: namedObject('PostbackKey', keyFields),
  rows: ({ db, ids }, page) => listPostbackKeys(db, ids.store, page),
  renderer: () => showKey,
  key: ({ postbackKeyId }) => [postbackKeyId],
});

export const deletePostbackKeyEndpoint = endpoint({
  summary: 'Revoke a postback key',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { key: 'pbkey' },
  status: 204,
  audit: 'postback_key.delete',
  async handle({ db, ids, now }) {
    const isKnown = await revokePostbackKey(db, { storeId: ids.store, postbackKeyId: ids.key }, now);
    return isKnown ? null : notFound;
  },
});

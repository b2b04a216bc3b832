import { Type as T } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageOf } from '../platform/http/page.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { createApiKey, keysMax } from './api-keys.ts';
import { mayGrant } from './decide-grant.ts';
import { endpoint } from './endpoint.ts';
import { exactly, shortNameField, timeField } from './fields.ts';
import type { Identity } from './identity.ts';
import { activeKeys, belongsTo, lockMaker, revokeKey } from './keys-sql.ts';
import { mailNewKey } from './new-key-mails.ts';
import { creatorParty, operatorParty, storeParty, type Party } from './party.ts';
import { personBehind } from './person-behind.ts';
import { creatorPermissions, namesOf, operatorScopes, storePermissions, type Permission } from './permissions.ts';
import { identityNow } from './still-may.ts';

const keyFields = { id: T.String(), name: T.String(), last4: T.String(), scopes: T.Array(T.String()), created_at: timeField };
const keyReply = T.Object({ ...keyFields, made_by: orNull(T.String()), last_used_at: orNull(timeField) });
const newKeyReply = T.Object({ ...keyFields, key: T.String({ description: 'Shown this once' }) });
const storeScopes = T.Array(T.Enum(namesOf(storePermissions)), { minItems: 1, uniqueItems: true });
const runScopes = T.Array(T.Enum(namesOf(operatorScopes)), { uniqueItems: true, description: 'Runs that it may start in live mode' });
const creatorScopes = T.Array(T.Enum(namesOf(creatorPermissions)), { minItems: 1, uniqueItems: true });

async function list(db: Queryable, party: Party) {
  const data = (await activeKeys(db, party)).map(({ apiKeyId, name, last4, scopes, madeBy, createdAt, lastUsedAt }) => ({
    id: publicId('key', apiKeyId),
    name,
    last4,
    scopes: [...scopes],
    created_at: isoTime(createdAt),
    made_by: madeBy && publicId('user', madeBy),
    last_used_at: isoTimeOrNull(lastUsedAt),
  }));
  return { data, next_cursor: null };
}

type KeyAsked = { readonly name: string; readonly party: Party; readonly scopes: readonly Permission[] };

const tooMuch = refuse('permission_missing', 'You cannot make a key that may do more than you.');
const makerLeft = refuse('permission_missing', 'Whoever would have made this key is not here any more, so it would end at once.');

async function make(db: Queryable, platform: Platform, identity: Identity, { name, party, scopes }: KeyAsked) {
  if (!mayGrant(identity, party, scopes)) return tooMuch;
  if ((await activeKeys(db, party)).length >= keysMax) return refuse('limit_reached', `At most ${keysMax} keys; revoke one first.`);
  const madeBy = await personBehind(db, identity);
  if (madeBy !== null) {
    await lockMaker(db, madeBy);
    if (!(await belongsTo(db, party, madeBy))) return makerLeft;
    // What was judged above may have been taken from them while this waited.
    const now = await identityNow(db, platform.config.mode, identity);
    if (now === null || !mayGrant(now, party, scopes)) return tooMuch;
  }
  const { apiKeyId, key, last4, createdAt } = await createApiKey(db, { name, party, scopes, madeBy });
  await mailNewKey(db, platform, { party, name, last4, by: identity.name, madeBy });
  return { id: publicId('key', apiKeyId), key, name, last4, scopes: [...scopes], created_at: isoTime(createdAt) };
}

async function revoke(db: Queryable, party: Party, apiKeyId: Id<'key'>): Promise<Refusal | undefined> {
  return (await revokeKey(db, { party, apiKeyId, now: realNow() })) === 0 ? notFound : undefined;
}

export const listStoreKeys = endpoint({
  summary: "A store's API keys",
  access: { who: 'store', permission: 'store:read' },
  reply: pageOf(keyReply),
  handle: ({ db, ids }) => list(db, storeParty(ids.store)),
});

export const makeStoreKey = endpoint({
  summary: 'Make an API key for a store, with some of your own permissions',
  access: { who: 'store', permission: 'team:write' },
  proof: true,
  body: exactly({ name: shortNameField, scopes: storeScopes }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, ids, body }) => make(db, platform, identity, { ...body, party: storeParty(ids.store) }),
});

export const revokeStoreKey = endpoint({
  summary: "Revoke one of a store's API keys; it stops working at once",
  access: { who: 'store', permission: 'team:write' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revoke(db, storeParty(ids.store), ids.key),
});

export const listCreatorKeys = endpoint({
  summary: "A creator's API keys",
  access: { who: 'creator', permission: 'creator:read' },
  reply: pageOf(keyReply),
  handle: ({ db, ids }) => list(db, creatorParty(ids.creator)),
});

export const makeCreatorKey = endpoint({
  summary: 'Make an API key for a creator',
  access: { who: 'creator', permission: 'creator:write' },
  proof: true,
  body: exactly({ name: shortNameField, scopes: creatorScopes }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, ids, body }) => make(db, platform, identity, { ...body, party: creatorParty(ids.creator) }),
});

export const revokeCreatorKey = endpoint({
  summary: "Revoke one of a creator's API keys; it stops working at once",
  access: { who: 'creator', permission: 'creator:write' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revoke(db, creatorParty(ids.creator), ids.key),
});

export const listOperatorKeys = endpoint({
  summary: "The operators' API keys",
  access: { who: 'operator' },
  reply: pageOf(keyReply),
  handle: ({ db }) => list(db, operatorParty),
});

export const makeOperatorKey = endpoint({
  summary: 'Create an API key of the operators; in live mode it needs a scope to start runs',
  access: { who: 'operator' },
  proof: true,
  body: exactly({ name: shortNameField, scopes: T.Optional(runScopes) }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, body: { name, scopes = [] } }) => make(db, platform, identity, { name, party: operatorParty, scopes }),
});

export const revokeOperatorKey = endpoint({
  summary: "Revoke one of the operators' API keys; it stops working at once",
  access: { who: 'operator' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revoke(db, operatorParty, ids.key),
});

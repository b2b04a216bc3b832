import type { Queryable } from '../db/database.ts';
import { newId, type Id, publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { insertApiKey, listActiveKeys, lockUserShared, revokeKey, userBelongsTo } from './api-keys-sql.ts';
import { type Party, creatorParty, operatorParty, storeIdOf, storeParty } from './party.ts';
import { type Permission, creatorPermissions, operatorScopes, storePermissions } from './permissions.ts';
import { namesOf } from '../core/names-of.ts';
import { apiKeyPrefix, newToken } from './tokens.ts';
import { Type as T } from 'typebox';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { type Refusal, notFound, refuse } from '../http/responses.ts';
import { newKeyEmail, type KeyOwner } from '../notify/account-emails.ts';
import { enqueueEmail } from './enqueue-email.ts';
import type { Platform } from '../runtime/platform.ts';
import { mayGrant, effectiveScopes } from './decide-rights.ts';
import { endpoint } from './endpoint.ts';
import { shortNameField, strictObject, timeField } from './fields.ts';
import type { Identity } from './identity.ts';
import { operatorsMax } from './operators-sql.ts';
import { reloadIdentity } from './recheck-access.ts';
import { listTeamMembers } from './team-sql.ts';
import { findUser, findUserOfCreator, listOperatorUsers } from './users-sql.ts';
import { findResponsibleUser } from './identify.ts';
import { apiMessage } from '../messages/api-message.ts';

/** People cannot distinguish more active keys than this. */
export const apiKeysMax = 50;

export type NewApiKey = {
  readonly name: string;
  readonly party: Party;
  /** Null for an operator's key, which has all permissions. */
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
};

/** `key` is returned only once. The table has its hash and its last characters, by which people distinguish keys. */
export async function createApiKey(
  db: Queryable,
  { name, party, scopes, madeBy }: NewApiKey,
): Promise<{ readonly apiKeyId: Id<'key'>; readonly key: string; readonly last4: string; readonly createdAt: Date }> {
  const now = realNow();
  const apiKeyId = newId<'key'>(now);
  const { token: key, hash: keyHash } = newToken(apiKeyPrefix);
  const last4 = key.slice(-4);
  await insertApiKey(db, { apiKeyId, keyHash, last4, name, party, scopes, madeBy, now });
  return { apiKeyId, key, last4, createdAt: now };
}

const keyFields = { id: T.String(), name: T.String(), last4: T.String(), scopes: T.Array(T.String()), created_at: timeField };
const keyReply = namedObject('ApiKey', {
  ...keyFields,
  effective_scopes: T.Array(T.String(), { description: 'The `scopes` that the current role of its creator still grants' }),
  made_by: orNull(T.String()),
  last_used_at: orNull(timeField),
});
const newKeyReply = namedObject('CreatedApiKey', { ...keyFields, key: T.String({ description: 'Shown this once' }) });
const storeScopes = T.Array(T.Enum(namesOf(storePermissions)), { minItems: 1, uniqueItems: true });
const runScopes = T.Array(T.Enum(namesOf(operatorScopes)), { uniqueItems: true, description: 'The runs that it may start in live mode' });
const creatorScopes = T.Array(T.Enum(namesOf(creatorPermissions)), { minItems: 1, uniqueItems: true });

async function listKeys(db: Queryable, { config }: Pick<Platform, 'config'>, party: Party) {
  const data = (await listActiveKeys(db, party)).map((key) => ({
    id: publicId('key', key.apiKeyId),
    name: key.name,
    last4: key.last4,
    scopes: [...key.scopes],
    effective_scopes: [...effectiveScopes(key, config.mode)],
    created_at: isoTime(key.createdAt),
    made_by: key.madeBy && publicId('user', key.madeBy),
    last_used_at: isoTimeOrNull(key.lastUsedAt),
  }));
  return { data, next_cursor: null };
}

type RequestedKey = { readonly name: string; readonly party: Party; readonly scopes: readonly Permission[] };

const exceedsOwnRights = refuse('permission_missing', apiMessage('api_keys.you_cannot_create_key_with'));
const makerRemoved = refuse('permission_missing', apiMessage('api_keys.user_who_would_own_key'));

async function createKey(db: Queryable, platform: Platform, identity: Identity, { name, party, scopes }: RequestedKey) {
  if (!mayGrant(identity, party, scopes)) return exceedsOwnRights;
  if ((await listActiveKeys(db, party)).length >= apiKeysMax)
    return refuse('limit_reached', apiMessage('api_keys.you_can_have_at_most', { apiKeysMax }));
  const madeBy = await findResponsibleUser(db, identity);
  if (madeBy !== null) {
    await lockUserShared(db, madeBy);
    if (!(await userBelongsTo(db, party, madeBy))) return makerRemoved;
    // Another request may have removed the rights checked above while this one waited for the lock.
    const now = await reloadIdentity(db, platform.config.mode, identity);
    if (now === null || !mayGrant(now, party, scopes)) return exceedsOwnRights;
  }
  const { apiKeyId, key, last4, createdAt } = await createApiKey(db, { name, party, scopes, madeBy });
  await emailNewKey(db, platform, { party, name, last4, by: identity.name, madeBy });
  return { id: publicId('key', apiKeyId), key, name, last4, scopes: [...scopes], created_at: isoTime(createdAt) };
}

async function revokeKeyOf(db: Queryable, party: Party, apiKeyId: Id<'key'>): Promise<Refusal | undefined> {
  return (await revokeKey(db, { party, apiKeyId, now: realNow() })) === 0 ? notFound : undefined;
}

export const listStoreKeys = endpoint({
  summary: "List a store's API keys",
  access: { allow: 'store', permission: 'store:read' },
  reply: pageOf(keyReply),
  handle: ({ db, platform, ids }) => listKeys(db, platform, storeParty(ids.store)),
});

export const createStoreKey = endpoint({
  summary: 'Create an API key for a store, with a selection of your own permissions',
  access: { allow: 'store', permission: 'team:write' },
  proof: true,
  body: strictObject({ name: shortNameField, scopes: storeScopes }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, ids, body }) => createKey(db, platform, identity, { ...body, party: storeParty(ids.store) }),
});

export const revokeStoreKey = endpoint({
  summary: "Revoke a store's API key, with immediate effect",
  access: { allow: 'store', permission: 'team:write' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revokeKeyOf(db, storeParty(ids.store), ids.key),
});

export const listCreatorKeys = endpoint({
  summary: "List a creator's API keys",
  access: { allow: 'creator', permission: 'creator:read' },
  reply: pageOf(keyReply),
  handle: ({ db, platform, ids }) => listKeys(db, platform, creatorParty(ids.creator)),
});

export const createCreatorKey = endpoint({
  summary: 'Create an API key for a creator',
  access: { allow: 'creator', permission: 'creator:write' },
  proof: true,
  body: strictObject({ name: shortNameField, scopes: creatorScopes }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, ids, body }) => createKey(db, platform, identity, { ...body, party: creatorParty(ids.creator) }),
});

export const revokeCreatorKey = endpoint({
  summary: "Revoke a creator's API key, with immediate effect",
  access: { allow: 'creator', permission: 'creator:write' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revokeKeyOf(db, creatorParty(ids.creator), ids.key),
});

export const listOperatorKeys = endpoint({
  summary: "List the operators' API keys",
  access: { allow: 'operator' },
  reply: pageOf(keyReply),
  handle: ({ db, platform }) => listKeys(db, platform, operatorParty),
});

export const createOperatorKey = endpoint({
  summary: 'Create an operator API key; in live mode it needs a scope to start runs',
  access: { allow: 'operator' },
  proof: true,
  body: strictObject({ name: shortNameField, scopes: T.Optional(runScopes) }),
  reply: newKeyReply,
  status: 201,
  audit: 'api_key.made',
  handle: ({ db, platform, identity, body: { name, scopes = [] } }) =>
    createKey(db, platform, identity, { name, party: operatorParty, scopes }),
});

export const revokeOperatorKey = endpoint({
  summary: 'Revoke an operator API key, with immediate effect',
  access: { allow: 'operator' },
  ids: { key: 'key' },
  status: 204,
  audit: 'api_key.revoked',
  handle: ({ db, ids }) => revokeKeyOf(db, operatorParty, ids.key),
});

type NewKeyNotice = {
  readonly party: Party;
  readonly name: string;
  readonly last4: string;
  readonly by: string;
  /** The person who created the key; null if no account created it. */
  readonly madeBy: Id<'user'> | null;
};

/** A key works until it is revoked, so the people responsible for its rights are notified: its creator and the key's owners. */
export async function emailNewKey(db: Queryable, { config, secrets }: Platform, { party, madeBy, ...key }: NewKeyNotice): Promise<void> {
  const maker = madeBy === null ? null : await findUser(db, madeBy);
  const addresses = new Set([...(maker === null ? [] : [maker.email]), ...(await recipientsOf(db, party))]);
  const content = newKeyEmail({ ...key, of: describeOwner(party), url: `${config.baseUrl}${keysPagePath(party)}` });
  for (const to of addresses) await enqueueEmail(db, secrets, { to, content, storeId: storeIdOf(party) });
}

async function recipientsOf(db: Queryable, party: Party): Promise<readonly string[]> {
  switch (party.is) {
    case 'operator':
      return (await listOperatorUsers(db, { most: operatorsMax })).map(({ email }) => email);
    case 'store':
      return (await listTeamMembers(db, party.storeId)).filter(({ role }) => role === 'owner').map(({ email }) => email);
    case 'creator': {
      const person = await findUserOfCreator(db, party.creatorId);
      return person === null ? [] : [person.email];
    }
  }
}

const describeOwner = (party: Party): KeyOwner =>
  party.is === 'store' ? { is: 'store', store: publicId('store', party.storeId) } : { is: party.is };

function keysPagePath(party: Party): string {
  switch (party.is) {
    case 'operator':
      return '/operator/api-keys';
    case 'store':
      return `/stores/${publicId('store', party.storeId)}/api-keys`;
    case 'creator':
      return '/account';
  }
}

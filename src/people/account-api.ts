import { Type as T } from 'typebox';
import { notFound } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { deleteDevice, deleteSessionsOnDevice, deviceOfSession, listDevicesOf } from './sessions-sql.ts';
import { endAllAccess } from './end-access.ts';
import { auditActorOf, auditRevokedKeys } from './ended-keys.ts';
import { endpoint } from './endpoint.ts';
import { strictObject, timeField } from './fields.ts';
import { revokeKeys, listActiveKeysMadeBy } from './keys-sql.ts';

// A person can view and end their own access everywhere: devices, API keys, or all of it.

const deviceReply = namedObject('Device', {
  id: T.String(),
  user_agent: T.String(),
  created_at: timeField,
  last_seen_at: timeField,
  is_current: T.Boolean(),
});

export const listDevices = endpoint({
  summary: 'The browsers that have signed in to my account and are known again',
  access: { allow: 'person' },
  reply: pageOf(deviceReply),
  handle: async ({ db, identity: { by } }) => {
    const current = await deviceOfSession(db, by.sessionId);
    const data = (await listDevicesOf(db, by.userId)).map(({ deviceId, userAgent, createdAt, lastSeenAt }) => ({
      id: publicId('dev', deviceId),
      user_agent: userAgent,
      created_at: isoTime(createdAt),
      last_seen_at: isoTime(lastSeenAt),
      is_current: deviceId === current,
    }));
    return { data, next_cursor: null };
  },
});

export const forgetDevice = endpoint({
  summary: 'Forget one of my devices; its sessions end, and its next sign-in is mailed',
  access: { allow: 'person' },
  ids: { device: 'dev' },
  status: 204,
  audit: 'device.forgotten',
  handle: async ({ db, identity: { by }, ids }) => {
    const device = { userId: by.userId, deviceId: ids.device };
    if ((await deleteDevice(db, device)) === 0) return notFound;
    await deleteSessionsOnDevice(db, device);
    return undefined;
  },
});

const ownKeyReply = namedObject('OwnApiKey', {
  id: T.String(),
  name: T.String(),
  last4: T.String(),
  kind: T.String({ description: '`store`, `creator` or `operator`' }),
  store_id: orNull(T.String()),
  creator_id: orNull(T.String()),
  created_at: timeField,
  last_used_at: orNull(timeField),
});

export const listOwnKeys = endpoint({
  summary: 'The API keys that I made and that are not revoked, in all stores',
  access: { allow: 'person' },
  reply: pageOf(ownKeyReply),
  handle: async ({ db, identity: { by } }) => {
    const data = (await listActiveKeysMadeBy(db, by.userId)).map((key) => ({
      id: publicId('key', key.apiKeyId),
      name: key.name,
      last4: key.last4,
      kind: key.kind,
      store_id: key.storeId && publicId('store', key.storeId),
      creator_id: key.creatorId && publicId('crt', key.creatorId),
      created_at: isoTime(key.createdAt),
      last_used_at: isoTimeOrNull(key.lastUsedAt),
    }));
    return { data, next_cursor: null };
  },
});

export const revokeOwnKey = endpoint({
  summary: 'Revoke an API key that I made; it stops working immediately',
  access: { allow: 'person' },
  ids: { key: 'key' },
  status: 204,
  handle: async (asked) => {
    const { db, identity, ids } = asked;
    const { userId } = identity.by;
    const own = (await listActiveKeysMadeBy(db, userId)).filter(({ apiKeyId }) => apiKeyId === ids.key);
    if (own.length === 0) return notFound;
    const keys = await revokeKeys(db, { apiKeyIds: [ids.key], now: realNow() });
    await auditRevokedKeys(db, auditActorOf(asked), { madeBy: userId, keys });
    return undefined;
  },
});

export const endAll = endpoint({
  summary: 'End all my other sessions, forget my other devices, and revoke the API keys that I made',
  access: { allow: 'person' },
  body: strictObject({ keys: T.Optional(T.Boolean({ description: 'Also the API keys. Default true' })) }),
  reply: T.Object({ sessions_ended: T.Integer(), devices_forgotten: T.Integer(), keys_revoked: T.Integer() }),
  audit: 'access.all_ended',
  handle: async (asked) => {
    const { db, identity, body } = asked;
    const { userId, sessionId } = identity.by;
    const ended = await endAllAccess(db, { userId, except: sessionId, endKeys: body.keys ?? true, by: auditActorOf(asked) });
    return { sessions_ended: ended.sessions, devices_forgotten: ended.devices, keys_revoked: ended.keys };
  },
});

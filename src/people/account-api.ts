import { Type as T } from 'typebox';
import { notFound, isRefusal } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { deleteDevice, deleteSessionsOnDevice, deviceOfSession, listDevicesOf } from './sessions-sql.ts';
import { endAllAccess, auditRevokedKeys } from './end-access.ts';
import { endpoint } from './endpoint.ts';
import { strictObject, timeField, codeField, shortNameField, newPasswordField, passwordField } from './fields.ts';
import { revokeKeys, listActiveKeysMadeBy } from './api-keys-sql.ts';
import { enqueueEmail } from './enqueue-email.ts';
import { languages } from '../../locales/languages.ts';
import { passwordChangedEmail } from '../notify/account-emails.ts';
import { deleteResetLinks } from './one-time-links-sql.ts';
import { signInUrl } from './one-time-links.ts';
import { checkCodeLimit, lockAuthenticatedUser, hashNewPassword, checkSecondFactor, authenticateByPassword } from './sign-in.ts';
import { updateLanguage, updateName, updatePassword, getUser } from './users-sql.ts';
import { describePerson, identityReply } from './describe-identity.ts';
import { auditActorOf } from './audit.ts';

// A person can view and end their own access everywhere: devices, API keys, or all of it.

const deviceReply = namedObject('Device', {
  id: T.String(),
  user_agent: T.String(),
  created_at: timeField,
  last_seen_at: timeField,
  is_current: T.Boolean(),
});

export const listDevices = endpoint({
  summary: 'List my known devices',
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
  summary: 'Remove one of my devices: ends its sessions, and its next sign-in sends an email',
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
  kind: T.Enum(['store', 'creator', 'operator']),
  store_id: orNull(T.String()),
  creator_id: orNull(T.String()),
  created_at: timeField,
  last_used_at: orNull(timeField),
});

export const listOwnKeys = endpoint({
  summary: 'List my active API keys in all stores',
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
  summary: 'Revoke one of my API keys, with immediate effect',
  access: { allow: 'person' },
  ids: { key: 'key' },
  status: 204,
  handle: async (context) => {
    const { db, identity, ids } = context;
    const { userId } = identity.by;
    const own = (await listActiveKeysMadeBy(db, userId)).filter(({ apiKeyId }) => apiKeyId === ids.key);
    if (own.length === 0) return notFound;
    const keys = await revokeKeys(db, { apiKeyIds: [ids.key], now: realNow() });
    await auditRevokedKeys(db, auditActorOf(context), { madeBy: userId, keys });
    return undefined;
  },
});

export const endAll = endpoint({
  summary: 'End all my other sessions, remove my other devices, and revoke my API keys',
  access: { allow: 'person' },
  body: strictObject({ keys: T.Optional(T.Boolean({ description: 'Also the API keys. Default true' })) }),
  reply: T.Object({ sessions_ended: T.Integer(), devices_forgotten: T.Integer(), keys_revoked: T.Integer() }),
  audit: 'access.all_ended',
  handle: async (context) => {
    const { db, identity, body } = context;
    const { userId, sessionId } = identity.by;
    const ended = await endAllAccess(db, { userId, except: sessionId, endKeys: body.keys ?? true, by: auditActorOf(context) });
    return { sessions_ended: ended.sessions, devices_forgotten: ended.devices, keys_revoked: ended.keys };
  },
});

export const changeProfile = endpoint({
  summary: 'Change my name or my language, for emails and translated pages',
  access: { allow: 'person' },
  body: strictObject({ name: T.Optional(shortNameField), language: T.Optional(T.Enum([...languages])) }),
  reply: identityReply,
  audit: 'profile.changed',
  handle: async ({ db, platform, identity: { by }, body }) => {
    if (body.name !== undefined) await updateName(db, { userId: by.userId, name: body.name });
    if (body.language !== undefined) await updateLanguage(db, { userId: by.userId, language: body.language });
    return describePerson(db, platform, by);
  },
});

export const changePassword = endpoint({
  summary: 'Change my password, with a code if two-factor authentication is on; ends my other sessions, with end_keys also API keys',
  access: { allow: 'person' },
  body: strictObject({
    current_password: passwordField,
    new_password: newPasswordField,
    code: T.Optional(codeField),
    end_keys: T.Optional(T.Boolean()),
  }),
  status: 204,
  audit: 'password.changed',
  prepare: async ({ platform, db, identity, body }) => {
    const { email, name } = await getUser(db, identity.by.userId);
    const checked = await authenticateByPassword(platform, { email, password: body.current_password, countedAs: identity.by });
    if (isRefusal(checked)) return checked;
    const limited = checked.totpConfirmedAt === null ? null : await checkCodeLimit(platform, identity.by.sessionId, body.code);
    if (limited) return limited;
    const passwordHash = await hashNewPassword({ password: body.new_password, email, name, field: 'new_password' });
    return typeof passwordHash === 'string' ? { checked, passwordHash } : passwordHash;
  },
  handle: async (context) => {
    const { db, platform, identity, body } = context;
    const { checked, passwordHash } = context.prepared;
    const person = await lockAuthenticatedUser(db, checked);
    if (isRefusal(person)) return person;
    const refused = await checkSecondFactor(db, platform, person, { code: body.code, of: identity.by.sessionId });
    if (refused) return refused;
    await updatePassword(db, { userId: person.userId, passwordHash });
    const { sessionId } = identity.by;
    const ended = await endAllAccess(db, {
      userId: person.userId,
      except: sessionId,
      endKeys: body.end_keys ?? false,
      by: auditActorOf(context),
    });
    await deleteResetLinks(db, person.userId);
    const content = passwordChangedEmail({ url: signInUrl(platform.config.baseUrl), keysEnded: ended.keys });
    await enqueueEmail(db, platform.secrets, { to: person.email, content, storeId: null });
    return undefined;
  },
});

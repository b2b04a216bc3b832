import type { Queryable } from '../db/database.ts';
import { newId, type Id, publicId, readPublicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { hashAddress } from './address-hash.ts';
import type { RequestFacts } from './endpoint.ts';
import {
  deleteSurplusSessions,
  insertSession,
  deleteSurplusDevices,
  deviceExists,
  insertDevice,
  updateDeviceLastSeen,
} from './sessions-sql.ts';
import { newToken } from './tokens.ts';
import { timingSafeEqual } from 'node:crypto';
import { readCookie, deviceCookie, deviceCookieName, sessionDaysMax } from './cookie.ts';

/** When a person exceeds this number, the oldest session ends. */
const sessionsMax = 50;

/** The token exists only in the cookie: the table has its hash. */
export async function startSession(
  db: Queryable,
  { secrets }: Platform,
  { userId, deviceId }: { readonly userId: Id<'user'>; readonly deviceId: Id<'dev'> },
  request: RequestFacts,
): Promise<{ readonly token: string; readonly provedAt: Date }> {
  const now = realNow();
  const { token, hash } = newToken();
  await insertSession(db, {
    sessionId: newId(now),
    tokenHash: hash,
    userId,
    deviceId,
    now,
    expiresAt: plusDays(now, sessionDaysMax),
    userAgent: request.userAgent,
    addressHash: hashAddress(secrets, request.address),
  });
  await deleteSurplusSessions(db, { userId, most: sessionsMax });
  return { token, provedAt: now };
}

/** When an account exceeds this number, its oldest device is removed, and the next sign-in from that device is reported by email again. */
const devicesMax = 20;

/**
 * A browser that has signed in to an account before holds a signed cookie for that account (OWASP: device cookies). The cookie grants no
 * access. It gives the browser its own attempt limits, so that strangers who guess cannot slow down the owner, and sign-ins without it are
 * reported by email.
 */
export async function findKnownDevice(
  db: Queryable,
  platform: Platform,
  { userId, cookies }: { readonly userId: Id<'user'>; readonly cookies: string },
): Promise<Id<'dev'> | null> {
  const value = readCookie(deviceCookieNameOf(platform, userId), cookies);
  const [id = '', signature = ''] = value?.split('.') ?? [];
  const deviceId = readPublicId('dev', id);
  if (deviceId === null || !hasValidSignature(platform, { userId, deviceId, signature })) return null;
  return (await deviceExists(db, { userId, deviceId })) ? deviceId : null;
}

export type SignedInDevice = { readonly deviceId: Id<'dev'>; readonly cookie: string; readonly isNew: boolean };

/** Runs in the sign-in transaction. The browser stays known until it loses the cookie or the owner removes the device. */
export async function rememberDevice(
  db: Queryable,
  platform: Platform,
  userId: Id<'user'>,
  request: RequestFacts,
): Promise<SignedInDevice> {
  const now = realNow();
  const known = await findKnownDevice(db, platform, { userId, cookies: request.cookies });
  const deviceId = known ?? newId<'dev'>(now);
  if (known !== null) await updateDeviceLastSeen(db, { userId, deviceId, now });
  else {
    await insertDevice(db, { userId, deviceId, userAgent: request.userAgent, now });
    await deleteSurplusDevices(db, { userId, most: devicesMax });
  }
  const value = `${publicId('dev', deviceId)}.${signatureOf(platform, { userId, deviceId }).toString('base64url')}`;
  return { deviceId, cookie: deviceCookie(platform.config.baseUrl, deviceCookieNameOf(platform, userId), value), isNew: known === null };
}

type OneDevice = { readonly userId: Id<'user'>; readonly deviceId: Id<'dev'> };

const signatureOf = ({ secrets }: Platform, { userId, deviceId }: OneDevice): Buffer =>
  secrets.keyedHash(`${userId} ${deviceId}`, 'device');

function hasValidSignature(platform: Platform, { signature, ...device }: OneDevice & { readonly signature: string }): boolean {
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(platform, device);
  return given.length === right.length && timingSafeEqual(given, right);
}

const nameBytes = 8;

/** One browser may have several accounts. The cookie name does not reveal which. */
const deviceCookieNameOf = ({ config, secrets }: Platform, userId: Id<'user'>): string =>
  deviceCookieName(config.baseUrl, secrets.keyedHash(userId, 'device cookie').subarray(0, nameBytes).toString('hex'));

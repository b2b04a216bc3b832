import { timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';
import { newId, publicId, readPublicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { cookieNamed, deviceCookie, deviceCookieName } from './cookie.ts';
import { deleteSurplusDevices, deviceIsKnown, insertDevice, updateDeviceSeen } from './devices-sql.ts';
import type { RequestFacts } from './endpoint.ts';

/** Somebody with more browsers than this is told of the oldest again when it comes back. */
const devicesMax = 20;

/**
 * A browser that has signed in to an account before holds a signed cookie for that account (OWASP: device cookies). It opens nothing.
 * It says whose attempts are whose: strangers who guess cannot slow down the owner's own browser, and a sign-in without it is mailed.
 */
export async function knownDevice(
  db: Queryable,
  platform: Platform,
  { userId, cookies }: { readonly userId: Id<'user'>; readonly cookies: string },
): Promise<Id<'dev'> | null> {
  const value = cookieNamed(nameOf(platform, userId), cookies);
  const [id = '', signature = ''] = value?.split('.') ?? [];
  const deviceId = readPublicId('dev', id);
  if (deviceId === null || !isSigned(platform, { userId, deviceId, signature })) return null;
  return (await deviceIsKnown(db, { userId, deviceId })) ? deviceId : null;
}

export type SignedInDevice = { readonly deviceId: Id<'dev'>; readonly cookie: string; readonly isNew: boolean };

/** In the transaction that signs in: the browser is known from then on, until it or its owner forgets the other. */
export async function rememberDevice(
  db: Queryable,
  platform: Platform,
  userId: Id<'user'>,
  request: RequestFacts,
): Promise<SignedInDevice> {
  const now = realNow();
  const known = await knownDevice(db, platform, { userId, cookies: request.cookies });
  const deviceId = known ?? newId<'dev'>(now);
  if (known !== null) await updateDeviceSeen(db, { userId, deviceId, now });
  else {
    await insertDevice(db, { userId, deviceId, userAgent: request.userAgent, now });
    await deleteSurplusDevices(db, { userId, most: devicesMax });
  }
  const value = `${publicId('dev', deviceId)}.${signatureOf(platform, { userId, deviceId }).toString('base64url')}`;
  return { deviceId, cookie: deviceCookie(platform.config.baseUrl, nameOf(platform, userId), value), isNew: known === null };
}

type OneDevice = { readonly userId: Id<'user'>; readonly deviceId: Id<'dev'> };

const signatureOf = ({ secrets }: Platform, { userId, deviceId }: OneDevice): Buffer =>
  secrets.keyedHash(`${userId} ${deviceId}`, 'device');

function isSigned(platform: Platform, { signature, ...device }: OneDevice & { readonly signature: string }): boolean {
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(platform, device);
  return given.length === right.length && timingSafeEqual(given, right);
}

const nameBytes = 8;

/** One browser may have several accounts. The name says nothing about which. */
const nameOf = ({ config, secrets }: Platform, userId: Id<'user'>): string =>
  deviceCookieName(config.baseUrl, secrets.keyedHash(userId, 'device cookie').subarray(0, nameBytes).toString('hex'));

import { generateSecret, generateURI, verify } from 'otplib';
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { realNow, secondMs } from '../platform/time.ts';
import {
  clearTotp,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  replaceTotp,
  sealedReplacement,
  sealedTotp,
  startTotp,
  startTotpReplacement,
  useRecoveryCode,
  useTotpStep,
} from './second-factor-sql.ts';

/** What every authenticator app expects. A code of the step before or after is right too: clocks differ, and people type slowly. */
const stepSeconds = 30;
const toleranceSeconds = stepSeconds;
const secretBytes = 20;
const issuer = 'Tributary';

const recoveryCodeCount = 10;
const recoveryCodeBytes = 10;

type Owner = { readonly userId: Id<'user'>; readonly email: string };

/** Null where one is on already. Nothing asks for a code before the first one proved that the app has the secret. */
export async function startSecondFactor(
  db: Queryable,
  secrets: Secrets,
  { userId, email }: Owner,
): Promise<{ readonly secret: string; readonly url: string } | null> {
  const secret = generateSecret({ length: secretBytes });
  const started = await startTotp(db, { userId, totpSealed: secrets.seal(Buffer.from(secret), sealOf(userId)) });
  if (started === 0) return null;
  return { secret, url: generateURI({ issuer, label: email, secret, period: stepSeconds }) };
}

/** Whether a code of the app is right, and used here for the first time. */
export async function useAppCode(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const { totpSealed } = await sealedTotp(db, userId);
  const step = totpSealed && (await stepOf(secrets, userId, { sealed: totpSealed, code }));
  return step !== null && (await useTotpStep(db, { userId, step })) === 1;
}

type Try = { readonly sealed: Buffer; readonly code: string };

/** The time step whose code this is; null where it is wrong. */
async function stepOf(secrets: Secrets, userId: Id<'user'>, { sealed, code }: Try): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = secrets.open(sealed, sealOf(userId)).toString('utf8');
  const epoch = Math.floor(realNow().getTime() / secondMs);
  const checked = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds, period: stepSeconds });
  return checked.valid ? Math.floor(epoch / stepSeconds) + checked.delta : null;
}

/** Null where none is on. The present app counts until the new one proved that it has its secret. */
export async function startReplacement(
  db: Queryable,
  secrets: Secrets,
  { userId, email }: Owner,
): Promise<{ readonly secret: string; readonly url: string } | null> {
  const secret = generateSecret({ length: secretBytes });
  const started = await startTotpReplacement(db, { userId, totpSealed: secrets.seal(Buffer.from(secret), sealOf(userId)) });
  if (started === 0) return null;
  return { secret, url: generateURI({ issuer, label: email, secret, period: stepSeconds }) };
}

export async function replaceSecondFactor(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const { totpReplacementSealed } = await sealedReplacement(db, userId);
  const step = totpReplacementSealed && (await stepOf(secrets, userId, { sealed: totpReplacementSealed, code }));
  return step !== null && (await replaceTotp(db, { userId, step, now: realNow() })) === 1;
}

/** A code of the app, or one of the recovery codes; each works once. */
export async function useCode(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const compact = code.replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(compact)) return useAppCode(db, secrets, userId, compact);
  return (await useRecoveryCode(db, { userId, codeHashes: hashesOf(secrets, userId, compact), now: realNow() })) === 1;
}

/** For the day the phone is gone. Shown this once, kept as hashes. */
export async function newRecoveryCodes(db: Queryable, secrets: Secrets, userId: Id<'user'>): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => randomBytes(recoveryCodeBytes).toString('hex'));
  await deleteRecoveryCodes(db, userId);
  const codeHashes = codes.map((code) => secrets.keyedHash(...hashedFrom(userId, code)));
  await insertRecoveryCodes(db, { userId, codeHashes, keyId: secrets.keyId });
  return codes.map((code) => code.replace(/(.{5})(?=.)/g, '$1-'));
}

export async function clearSecondFactor(db: Queryable, userId: Id<'user'>): Promise<void> {
  await clearTotp(db, userId);
  await deleteRecoveryCodes(db, userId);
}

const sealOf = (userId: string) => `second factor ${userId}`;
const hashedFrom = (userId: Id<'user'>, code: string) => [`${userId} ${code}`, 'recovery code'] as const;
/** While SECRET_KEY is being changed, codes that were made under the previous key still work. */
const hashesOf = (secrets: Secrets, userId: Id<'user'>, code: string) => secrets.keyedHashes(...hashedFrom(userId, code));

export const sealedSecondFactors: SealedColumn = {
  table: 'users',
  column: 'totp_sealed',
  holds: 'bytes',
  key: [{ name: 'user_id', type: 'uuid' }],
  boundTo: ([userId = '']) => sealOf(userId),
};

/** A new app that is not confirmed yet; it takes the place of the other one as it is. */
export const sealedReplacementFactors: SealedColumn = { ...sealedSecondFactors, column: 'totp_replacement_sealed' };

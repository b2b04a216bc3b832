import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { Type as T } from 'typebox';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { realNow, secondMs } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { refuse } from '../http/responses.ts';
import { secondFactorChangedEmail, secondFactorReplacedEmail } from '../notify/account-emails.ts';
import { enqueueEmail } from './enqueue-email.ts';
import { checkAttemptLimit, clearFailures } from './attempt-limits.ts';
import { endpoint } from './endpoint.ts';
import { codeField, strictObject } from './fields.ts';
import { signInUrl } from './one-time-links.ts';
import {
  clearTotp,
  confirmTotp,
  deleteRecoveryCodes,
  getSealedReplacement,
  getSealedTotp,
  insertRecoveryCodes,
  markRecoveryCodeUsed,
  markTotpStepUsed,
  replaceTotp,
  startTotp,
  startTotpReplacement,
} from './second-factor-sql.ts';
import { getUser, lockUser } from './users-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

/**
 * The parameters that every authenticator app expects. A code of the previous or the next step is valid too: clocks differ, and people type
 * slowly.
 */
const stepSeconds = 30;
const toleranceSeconds = stepSeconds;
const secretBytes = 20;
const issuer = 'Tributary';

const recoveryCodeCount = 10;
const recoveryCodeBytes = 10;

type Owner = { readonly userId: Id<'user'>; readonly email: string };

type NewApp = { readonly secret: string; readonly url: string };

/** Null if a second factor is already on. It applies only after the first code has proved that the app has the secret. */
export const startSecondFactor = (db: Queryable, secrets: Secrets, owner: Owner): Promise<NewApp | null> =>
  createSecret(secrets, owner, (totpSealed) => startTotp(db, { userId: owner.userId, totpSealed }));

/** Null if no second factor is on. The present app counts until the new one has proved that it has its secret. */
export const startReplacement = (db: Queryable, secrets: Secrets, owner: Owner): Promise<NewApp | null> =>
  createSecret(secrets, owner, (totpSealed) => startTotpReplacement(db, { userId: owner.userId, totpSealed }));

async function createSecret(
  secrets: Secrets,
  { userId, email }: Owner,
  store: (sealed: Buffer) => Promise<number>,
): Promise<NewApp | null> {
  const secret = generateSecret({ length: secretBytes });
  if ((await store(secrets.seal(Buffer.from(secret), sealContext(userId)))) === 0) return null;
  return { secret, url: generateURI({ issuer, label: email, secret, period: stepSeconds }) };
}

/** Whether a code of the app is valid and used for the first time. */
export async function redeemAppCode(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const { totpSealed } = await getSealedTotp(db, userId);
  const step = totpSealed && (await matchTimeStep(secrets, userId, { sealed: totpSealed, code }));
  return step !== null && (await markTotpStepUsed(db, { userId, step })) === 1;
}

type CodeAttempt = { readonly sealed: Buffer; readonly code: string };

/** The time step of the code; null if the code is wrong. */
async function matchTimeStep(secrets: Secrets, userId: Id<'user'>, { sealed, code }: CodeAttempt): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = secrets.open(sealed, sealContext(userId)).toString('utf8');
  const epoch = Math.floor(realNow().getTime() / secondMs);
  const checked = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds, period: stepSeconds });
  return checked.valid ? Math.floor(epoch / stepSeconds) + checked.delta : null;
}

export async function replaceSecondFactor(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const { totpReplacementSealed } = await getSealedReplacement(db, userId);
  const step = totpReplacementSealed && (await matchTimeStep(secrets, userId, { sealed: totpReplacementSealed, code }));
  return step !== null && (await replaceTotp(db, { userId, step, now: realNow() })) === 1;
}

export async function redeemCode(db: Queryable, secrets: Secrets, userId: Id<'user'>, code: string): Promise<boolean> {
  const compact = code.replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(compact)) return redeemAppCode(db, secrets, userId, compact);
  return (await markRecoveryCodeUsed(db, { userId, codeHashes: hashesOf(secrets, userId, compact), now: realNow() })) === 1;
}

/** For a lost phone. The codes are shown only once and stored as hashes. */
export async function createRecoveryCodes(db: Queryable, secrets: Secrets, userId: Id<'user'>): Promise<readonly string[]> {
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

const sealContext = (userId: string) => `second factor ${userId}`;
const hashedFrom = (userId: Id<'user'>, code: string) => [`${userId} ${code}`, 'recovery code'] as const;
/** During a change of SECRET_KEY, codes that were created under the previous key still work. */
const hashesOf = (secrets: Secrets, userId: Id<'user'>, code: string) => secrets.keyedHashes(...hashedFrom(userId, code));

export const sealedSecondFactors: SealedColumn = {
  table: 'users',
  column: 'totp_sealed',
  holds: 'bytes',
  key: [{ name: 'user_id', type: 'uuid' }],
  boundTo: ([userId = '']) => sealContext(userId),
};

/** A new app that is not confirmed yet. When it is confirmed, it replaces the present one. */
export const sealedReplacementFactors: SealedColumn = { ...sealedSecondFactors, column: 'totp_replacement_sealed' };

const alreadyEnabled = refuse('conflict', apiMessage('second_factor.second_factor_already_on_turn'));

const requiredForOperators = refuse('conflict', apiMessage('second_factor.live_mode_operators_cannot_turn'));

export const beginSecondFactor = endpoint({
  summary: 'Set up an authenticator app; it takes effect after the first code is confirmed',
  access: { allow: 'person', duringSetUp: true },
  proof: true,
  reply: T.Object({ secret: T.String(), url: T.String({ description: 'otpauth://… for a QR code' }) }),
  audit: 'second_factor.started',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await getUser(db, by.userId);
    return (await startSecondFactor(db, platform.secrets, person)) ?? alreadyEnabled;
  },
});

export const confirmSecondFactor = endpoint({
  summary: 'Turn on two-factor authentication with a first code; the recovery codes are shown only once',
  access: { allow: 'person', duringSetUp: true },
  body: strictObject({ code: codeField }),
  reply: T.Object({ recovery_codes: T.Array(T.String()) }),
  audit: 'second_factor.on',
  prepare: ({ platform, identity: { by } }) => checkAttemptLimit(platform, { kind: 'code', of: by.sessionId }),
  handle: async ({ db, platform, identity: { by }, body }) => {
    const person = await lockUser(db, by.userId);
    if (person.totpConfirmedAt !== null) return alreadyEnabled;
    if (!(await redeemAppCode(db, platform.secrets, by.userId, body.code))) {
      return refuse('wrong_code', apiMessage('second_factor.code_wrong_check_clock_your'));
    }
    await confirmTotp(db, { userId: by.userId, now: realNow() });
    await clearFailures(platform, { kind: 'code', of: by.sessionId }, db);
    const content = secondFactorChangedEmail({ isOn: true, url: signInUrl(platform.config.baseUrl) });
    await enqueueEmail(db, platform.secrets, { to: person.email, content, storeId: null });
    return { recovery_codes: [...(await createRecoveryCodes(db, platform.secrets, by.userId))] };
  },
});

export const endSecondFactor = endpoint({
  summary: 'Turn off two-factor authentication',
  access: { allow: 'person' },
  proof: true,
  status: 204,
  audit: 'second_factor.off',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await lockUser(db, by.userId);
    if (platform.config.mode === 'live' && person.isOperator) return requiredForOperators;
    await clearSecondFactor(db, by.userId);
    if (person.totpConfirmedAt === null) return undefined;
    const content = secondFactorChangedEmail({ isOn: false, url: signInUrl(platform.config.baseUrl) });
    await enqueueEmail(db, platform.secrets, { to: person.email, content, storeId: null });
    return undefined;
  },
});

const nothingToReplace = refuse('conflict', apiMessage('second_factor.there_no_second_factor_replace'));

export const beginReplacement = endpoint({
  summary: 'Set up a new authenticator app; the current one remains valid until a code of the new one is confirmed',
  access: { allow: 'person' },
  proof: true,
  reply: T.Object({ secret: T.String(), url: T.String({ description: 'otpauth://… for a QR code' }) }),
  audit: 'second_factor.replacement_started',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await getUser(db, by.userId);
    return (await startReplacement(db, platform.secrets, person)) ?? nothingToReplace;
  },
});

export const confirmReplacement = endpoint({
  summary: 'Replace the authenticator app with a first code of the new one; new recovery codes are shown only once',
  access: { allow: 'person' },
  body: strictObject({ code: codeField }),
  reply: T.Object({ recovery_codes: T.Array(T.String()) }),
  audit: 'second_factor.replaced',
  prepare: ({ platform, identity: { by } }) => checkAttemptLimit(platform, { kind: 'code', of: by.sessionId }),
  handle: async ({ db, platform, identity: { by }, body }) => {
    const person = await lockUser(db, by.userId);
    if (person.totpConfirmedAt === null) return nothingToReplace;
    if (!(await replaceSecondFactor(db, platform.secrets, by.userId, body.code))) {
      return refuse('wrong_code', apiMessage('second_factor.code_wrong_check_clock_your'));
    }
    await clearFailures(platform, { kind: 'code', of: by.sessionId }, db);
    const content = secondFactorReplacedEmail({ url: signInUrl(platform.config.baseUrl) });
    await enqueueEmail(db, platform.secrets, { to: person.email, content, storeId: null });
    return { recovery_codes: [...(await createRecoveryCodes(db, platform.secrets, by.userId))] };
  },
});

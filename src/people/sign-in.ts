import { enqueueEmail } from './enqueue-email.ts';
import { newDeviceEmail, wrongCodeEmail } from '../notify/account-emails.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, sent, type Refusal, type Sent } from '../http/responses.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { hourMs, realNow } from '../core/time.ts';
import {
  clearFailures,
  clearUnknownDeviceFailures,
  hasDeviceFailedTooOften,
  isFirstWithin,
  checkAttemptLimit,
  checkUnknownDeviceLimit,
  type CountedAttempt,
} from './attempt-limits.ts';
import { recordPersonAuditEntry, type PersonAuditEntry } from './audit.ts';
import { checkPassword, findPasswordViolation, hashPassword, loadCommonPasswords } from './passwords.ts';
import { sessionCookie } from './cookie.ts';
import { findKnownDevice, rememberDevice, startSession } from './sessions.ts';
import type { RequestFacts } from './endpoint.ts';
import { isPerson, type Identity } from './identity.ts';
import { signInUrl } from './one-time-links.ts';
import { redeemCode } from './second-factor.ts';
import { deleteSession } from './sessions-sql.ts';
import { lockUser, findUserByEmail, getUser, type User } from './users-sql.ts';
import { describePerson } from './describe-identity.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Determines the attempt counters: those of a session that proves itself again, or those of a browser that signs in. */
type CountedAs = { readonly sessionId: Id<'sess'> } | Pick<RequestFacts, 'address' | 'cookies'>;
type PasswordAttempt = { readonly email: string; readonly password: string; readonly countedAs: CountedAs };

/**
 * Finds the account of an email and a password. It takes the same time and returns the same result whether the account does not exist or
 * the password is wrong, and the limit applies before the look-up. It must run outside of a transaction, because hashing is slow.
 */
export async function authenticateByPassword(platform: Platform, { email, password, countedAs }: PasswordAttempt): Promise<User | Refusal> {
  const user = await findUserByEmail(platform.database, email);
  const attempts = await attemptCounters(platform, { email, user, countedAs });
  const limited = await attempts.refusal();
  if (limited) return limited;
  const checked = await checkPassword(password, user?.passwordHash ?? null);
  if (checked === 'busy') return busy;
  if (checked === 'wrong' || user === null) return user === null ? wrongEmailOrPassword : wrongPasswordFor(user);
  await attempts.wasRight();
  return user;
}

type AttemptFacts = Pick<PasswordAttempt, 'email' | 'countedAs'> & { readonly user: User | null };
type AttemptCounters = { readonly refusal: () => Promise<Refusal | null>; readonly wasRight: () => Promise<void> };

async function attemptCounters(platform: Platform, { email, user, countedAs }: AttemptFacts): Promise<AttemptCounters> {
  const own = (attempt: CountedAttempt): AttemptCounters => ({
    refusal: () => checkAttemptLimit(platform, attempt),
    wasRight: () => clearFailures(platform, attempt),
  });
  if ('sessionId' in countedAs) return own({ kind: 'proof', of: countedAs.sessionId });
  const deviceId = user && (await findKnownDevice(platform.database, platform, { userId: user.userId, cookies: countedAs.cookies }));
  if (deviceId !== null && !(await hasDeviceFailedTooOften(platform, deviceId))) return own({ kind: 'device', of: deviceId });
  const attempt = { address: countedAs.address, account: email };
  return {
    refusal: () => checkUnknownDeviceLimit(platform, attempt),
    wasRight: () => clearUnknownDeviceFailures(platform, attempt),
  };
}

/** Runs before a code is checked. Codes have their own counters, so that guessing codes does not use up password attempts. */
export async function checkCodeLimit(platform: Platform, of: string, code: string | undefined): Promise<Refusal | null> {
  return code === undefined ? null : checkAttemptLimit(platform, { kind: 'code', of });
}

const wrongEmailOrPassword = refuse('wrong_email_or_password', apiMessage('sign_in.email_address_or_password_wrong'));
/** The response is the same; only the log names the account. */
const wrongPasswordFor = ({ userId }: User): Refusal => ({ ...wrongEmailOrPassword, security: { userId } });

const busy: Refusal = {
  ...refuse('temporarily_unavailable', apiMessage('sign_in.too_many_people_signing_right')),
  retryAfterSeconds: 2,
};

/**
 * Code attempts of a known device have their own counter. A thief who has the password uses up the attempts of unknown browsers and does
 * not keep the owner out of their own.
 */
export async function codeCounterOf(platform: Platform, userId: Id<'user'>, { cookies }: Pick<RequestFacts, 'cookies'>): Promise<string> {
  return (await findKnownDevice(platform.database, platform, { userId, cookies })) ?? userId;
}

/** Locks the person and checks the password again, because it may have changed before the lock was acquired. */
export async function lockAuthenticatedUser(db: Queryable, checked: User): Promise<User | Refusal> {
  const person = await lockUser(db, checked.userId);
  return person.passwordHash === checked.passwordHash ? person : wrongPasswordFor(person);
}

/** Runs in the transaction that signs in, so that a failed sign-in does not use up the code. */
export async function checkSecondFactor(
  db: Queryable,
  platform: Platform,
  user: User,
  { code, of = user.userId }: { readonly code: string | undefined; /** The name of the code counter. */ readonly of?: string },
): Promise<Refusal | null> {
  if (user.totpConfirmedAt === null) return null;
  if (code === undefined) return refuse('second_factor_required', apiMessage('sign_in.account_has_second_factor_also'));
  if (await redeemCode(db, platform.secrets, user.userId, code)) {
    await clearFailures(platform, { kind: 'code', of }, db);
    return null;
  }
  return { ...wrongCode, security: { userId: user.userId }, afterRollback: () => emailWrongCode(platform, user) };
}

const wrongCode = refuse('wrong_code', apiMessage('sign_in.code_wrong_or_already_used'));

/**
 * The sender of a wrong code knew the password, so the account's address receives an email, at most once an hour. The refusal rolls the
 * request's transaction back, so the email and its count are committed in a separate transaction before the response.
 */
async function emailWrongCode({ database, secrets, config }: Platform, { userId, email }: User): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await isFirstWithin({ database: tx, secrets }, `mail of wrong codes ${userId}`, hourMs))) return;
    await enqueueEmail(tx, secrets, { to: email, content: wrongCodeEmail({ url: signInUrl(config.baseUrl) }), storeId: null });
  });
}

type ChosenPassword = {
  readonly password: string;
  readonly email: string;
  readonly name: string;
  /** The field name in the request. */ readonly field: string;
};

/** The hash of a password that is strong enough for the account, or the violation. */
export async function hashNewPassword({ password, email, name, field }: ChosenPassword): Promise<string | Refusal> {
  const message = findPasswordViolation(password, { email, name, common: await loadCommonPasswords() });
  if (message !== null) return refuse('invalid_request', apiMessage('shared.password_too_weak'), [{ field, message }]);
  return (await hashPassword(password)) ?? busy;
}

type SignInCompletion = {
  readonly platform: Platform;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
  readonly auditEntry: PersonAuditEntry;
};

/** The last step of every kind of sign-in: creates a session, ends this browser's former one, and writes the audit entry. */
export async function completeSignIn(db: Queryable, { platform, identity, request, auditEntry }: SignInCompletion): Promise<Sent> {
  const { userId } = auditEntry.person;
  if (identity !== null && isPerson(identity)) await deleteSession(db, { userId: identity.by.userId, sessionId: identity.by.sessionId });
  const device = await rememberDevice(db, platform, userId, request);
  const { token, provedAt } = await startSession(db, platform, { userId, deviceId: device.deviceId }, request);
  await recordPersonAuditEntry(db, platform, request, auditEntry);
  if (device.isNew && !provesMailbox.has(auditEntry.action)) await emailNewDevice(db, platform, userId, request);
  const cookies = [sessionCookie(platform.config.baseUrl, token), device.cookie];
  return sent({ 'set-cookie': cookies }, await describePerson(db, platform, { userId, provedAt }));
}

/** A person who used a link from their mailbox needs no email about that sign-in. */
const provesMailbox: ReadonlySet<string> = new Set(['account.made', 'password.reset']);

async function emailNewDevice(db: Queryable, platform: Platform, userId: Id<'user'>, { userAgent }: RequestFacts): Promise<void> {
  const { email } = await getUser(db, userId);
  const content = newDeviceEmail({ browser: userAgent, at: realNow(), url: `${platform.config.baseUrl}/account` });
  await enqueueEmail(db, platform.secrets, { to: email, content, storeId: null });
}

export const subjectOfUser = ({ userId }: Pick<User, 'userId'>): string => publicId('user', userId);

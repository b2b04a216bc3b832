import { keepMail } from '../notify/mail.ts';
import { newDeviceLetter, wrongCodeLetter } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse, sent, type Refusal, type Sent } from '../platform/http/answers.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, realNow } from '../platform/time.ts';
import {
  forgetOwnFailures,
  forgetStrangersFailures,
  isDeviceSpent,
  isFirstWithin,
  ownRefusal,
  strangersRefusal,
  type OwnAttempt,
} from './attempt-limits.ts';
import { keepPersonAudit, type PersonAudit } from './audit.ts';
import { commonPasswords } from './common-passwords.ts';
import { sessionCookie } from './cookie.ts';
import { knownDevice, rememberDevice } from './devices.ts';
import type { RequestFacts } from './endpoint.ts';
import { isPerson, type Identity } from './identity.ts';
import { signInUrl } from './one-time-links.ts';
import { checkPassword, hashPassword } from './password.ts';
import { passwordFault } from './password-rule.ts';
import { useCode } from './second-factor.ts';
import { deleteSession } from './sessions-sql.ts';
import { startSession } from './sessions.ts';
import { lockUser, userByEmail, userById, type User } from './users-sql.ts';
import { whoIs } from './who.ts';

/** Whose attempts a password counts as: those of a session that proves itself again, or those of a browser that wants to sign in. */
type CountedAs = { readonly sessionId: Id<'sess'> } | Pick<RequestFacts, 'address' | 'cookies'>;
type Given = { readonly email: string; readonly password: string; readonly countedAs: CountedAs };

/**
 * Whose e-mail and password these are. It takes the same time and answers the same whether the account does not exist or
 * the password is wrong, and it is limited before it looks. Not inside of a transaction: a hash takes a while.
 */
export async function userByPassword(platform: Platform, { email, password, countedAs }: Given): Promise<User | Refusal> {
  const user = await userByEmail(platform.database, email);
  const attempts = await attemptsOf(platform, { email, user, countedAs });
  const limited = await attempts.refusal();
  if (limited) return limited;
  const checked = await checkPassword(password, user?.passwordHash ?? null);
  if (checked === 'busy') return busy;
  if (checked === 'wrong' || user === null) return wrongEmailOrPassword;
  await attempts.wasRight();
  return user;
}

type Tried = Pick<Given, 'email' | 'countedAs'> & { readonly user: User | null };
type CountedAttempts = { readonly refusal: () => Promise<Refusal | null>; readonly wasRight: () => Promise<void> };

async function attemptsOf(platform: Platform, { email, user, countedAs }: Tried): Promise<CountedAttempts> {
  const own = (attempt: OwnAttempt): CountedAttempts => ({
    refusal: () => ownRefusal(platform, attempt),
    wasRight: () => forgetOwnFailures(platform, attempt),
  });
  if ('sessionId' in countedAs) return own({ what: 'proof', of: countedAs.sessionId });
  const deviceId = user && (await knownDevice(platform.database, platform, { userId: user.userId, cookies: countedAs.cookies }));
  if (deviceId !== null && !(await isDeviceSpent(platform, deviceId))) return own({ what: 'device', of: deviceId });
  const attempt = { address: countedAs.address, account: email };
  return {
    refusal: () => strangersRefusal(platform, attempt),
    wasRight: () => forgetStrangersFailures(platform, attempt),
  };
}

/** Before a code is looked at: codes have counters of their own, so that guessing them does not use up the attempts of passwords. */
export async function codeLimit(platform: Platform, of: string, code: string | undefined): Promise<Refusal | null> {
  return code === undefined ? null : ownRefusal(platform, { what: 'code', of });
}

const wrongEmailOrPassword = refuse('wrong_email_or_password', 'The e-mail or the password is wrong.');

const busy: Refusal = {
  ...refuse('temporarily_unavailable', 'Too many people sign in at this moment; try again in a few seconds.'),
  retryAfterSeconds: 2,
};

/**
 * Whose attempts at codes these are: those of the browser where the account knows it. Somebody else who has the password uses up the
 * attempts of unknown browsers, and does not keep the owner out of their own.
 */
export async function codeCounter(platform: Platform, userId: Id<'user'>, { cookies }: Pick<RequestFacts, 'cookies'>): Promise<string> {
  return (await knownDevice(platform.database, platform, { userId, cookies })) ?? userId;
}

/** The person whose password was checked, locked. The password may have been changed before the lock was had. */
export async function lockChecked(db: Queryable, checked: User): Promise<User | Refusal> {
  const person = await lockUser(db, checked.userId);
  return person.passwordHash === checked.passwordHash ? person : wrongEmailOrPassword;
}

/** Inside of the transaction that signs in: a code is used up only by what it was used for. */
export async function secondFactorRefusal(
  db: Queryable,
  platform: Platform,
  user: User,
  { code, of = user.userId }: { readonly code: string | undefined; /** Whose attempts at codes these are. */ readonly of?: string },
): Promise<Refusal | null> {
  if (user.totpConfirmedAt === null) return null;
  if (code === undefined)
    return refuse('second_factor_required', 'Send the code of your app too, or one of your recovery codes, as "code".');
  if (await useCode(db, platform.secrets, user.userId, code)) {
    await forgetOwnFailures(platform, { what: 'code', of }, db);
    return null;
  }
  return { ...wrongCode, afterRollback: () => mailWrongCode(platform, user) };
}

const wrongCode = refuse('wrong_code', 'The code is wrong, or it was used already; wait for the next one.');

/**
 * Somebody who sends a wrong code knew the password, so the account's address gets a mail, once an hour. The refusal rolls the request's
 * transaction back, so the mail and its count are committed in a transaction of their own before the request is answered.
 */
async function mailWrongCode({ database, secrets, config }: Platform, { userId, email }: User): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await isFirstWithin({ database: tx, secrets }, `mail of wrong codes ${userId}`, hourMs))) return;
    await keepMail(tx, secrets, { to: email, letter: wrongCodeLetter({ url: signInUrl(config.baseUrl) }), storeId: null });
  });
}

type Chosen = {
  readonly password: string;
  readonly email: string;
  readonly name: string;
  /** As the sender named it. */ readonly field: string;
};

/** The hash of a password that is good enough for the account, or why it is not. */
export async function newPasswordHash({ password, email, name, field }: Chosen): Promise<string | Refusal> {
  const message = passwordFault(password, { email, name, common: await commonPasswords() });
  if (message !== null) return refuse('invalid_request', 'The password is not good enough; see errors.', [{ field, message }]);
  return (await hashPassword(password)) ?? busy;
}

type SignedIn = {
  readonly platform: Platform;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
  readonly told: PersonAudit;
};

/** The end of every way in: a new session, the former one of this browser gone, the audit entry, and who you are now. */
export async function signedIn(db: Queryable, { platform, identity, request, told }: SignedIn): Promise<Sent> {
  const { userId } = told.person;
  if (identity !== null && isPerson(identity)) await deleteSession(db, { userId: identity.by.userId, sessionId: identity.by.sessionId });
  const device = await rememberDevice(db, platform, userId, request);
  const { token, provedAt } = await startSession(db, platform, { userId, deviceId: device.deviceId }, request);
  await keepPersonAudit(db, platform, request, told);
  if (device.isNew && !provesMailbox.has(told.action)) await mailNewDevice(db, platform, userId, request);
  const cookies = [sessionCookie(platform.config.baseUrl, token), device.cookie];
  return sent({ 'set-cookie': cookies }, await whoIs(db, platform, { userId, provedAt }));
}

/** Whoever used a link from their mailbox need not be told there that they did. */
const provesMailbox: ReadonlySet<string> = new Set(['account.made', 'password.reset']);

async function mailNewDevice(db: Queryable, platform: Platform, userId: Id<'user'>, { userAgent }: RequestFacts): Promise<void> {
  const { email } = await userById(db, userId);
  const letter = newDeviceLetter({ browser: userAgent, at: realNow(), url: `${platform.config.baseUrl}/account` });
  await keepMail(db, platform.secrets, { to: email, letter, storeId: null });
}

export const subjectOfUser = ({ userId }: Pick<User, 'userId'>): string => publicId('user', userId);

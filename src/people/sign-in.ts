import type { Queryable } from '../platform/database/database.ts';
import { refuse, sent, type Refusal, type Sent } from '../platform/http/answers.ts';
import { publicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { attemptRefusal } from './attempt-limits.ts';
import { keepPersonAudit, type PersonAudit } from './audit.ts';
import { commonPasswords } from './common-passwords.ts';
import { sessionCookie } from './cookie.ts';
import type { RequestFacts } from './endpoint.ts';
import { isPerson, type Identity } from './identity.ts';
import { checkPassword, hashPassword } from './password.ts';
import { passwordFault } from './password-rule.ts';
import { useCode } from './second-factor.ts';
import { deleteSession } from './sessions-sql.ts';
import { startSession } from './sessions.ts';
import { lockUser, userByEmail, type User } from './users-sql.ts';
import { whoIs } from './who.ts';

type Given = { readonly email: string; readonly password: string; readonly address: string };

/**
 * Whose e-mail and password these are. It takes the same time and answers the same whether the account does not exist or
 * the password is wrong, and it is limited before it looks. Not inside of a transaction: a hash takes a while.
 */
export async function userByPassword(platform: Platform, { email, password, address }: Given): Promise<User | Refusal> {
  const limited = await attemptRefusal(platform, { what: 'guess', address, account: email });
  if (limited) return limited;
  const user = await userByEmail(platform.database, email);
  const checked = await checkPassword(password, user?.passwordHash ?? null);
  if (checked === 'busy') return busy;
  return checked === 'wrong' || user === null ? wrongEmailOrPassword : user;
}

const wrongEmailOrPassword = refuse('wrong_email_or_password', 'The e-mail or the password is wrong.');

const busy: Refusal = {
  ...refuse('temporarily_unavailable', 'Too many people sign in at this moment; try again in a few seconds.'),
  retryAfterSeconds: 2,
};

/** The person whose password was checked, locked. The password may have been changed before the lock was had. */
export async function lockChecked(db: Queryable, checked: User): Promise<User | Refusal> {
  const person = await lockUser(db, checked.userId);
  return person.passwordHash === checked.passwordHash ? person : wrongEmailOrPassword;
}

/** Inside of the transaction that signs in: a code is used up only by what it was used for. */
export async function secondFactorRefusal(
  db: Queryable,
  { secrets }: Platform,
  user: User,
  code: string | undefined,
): Promise<Refusal | null> {
  if (user.totpConfirmedAt === null) return null;
  if (code === undefined)
    return refuse('second_factor_required', 'Send the code of your app too, or one of your recovery codes, as "code".');
  if (await useCode(db, secrets, user.userId, code)) return null;
  return refuse('wrong_code', 'The code is wrong, or it was used already; wait for the next one.');
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
  const { token, provedAt } = await startSession(db, platform, userId, request);
  await keepPersonAudit(db, platform, request, told);
  return sent({ 'set-cookie': sessionCookie(platform.config.baseUrl, token) }, await whoIs(db, platform, { userId, provedAt }));
}

export const subjectOfUser = ({ userId }: Pick<User, 'userId'>): string => publicId('user', userId);

import { keepMail } from '../notify/mail.ts';
import { passwordChangedLetter } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, refuse, type Answer, type Refusal } from '../platform/http/answers.ts';
import { newId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { networkRefusal } from './attempt-limits.ts';
import { keepPersonAudit, type PersonAudit } from './audit.ts';
import { byPerson, endAllAccess } from './end-access.ts';
import type { RequestFacts } from './endpoint.ts';
import { oneSpelling } from './fields.ts';
import { isPerson, type Identity } from './identity.ts';
import { acceptInvitation, linkGone } from './invitations.ts';
import { openInvitation, type InvitationRow } from './invitations-sql.ts';
import { deleteResetLinks, markUsed } from './links-sql.ts';
import { signInUrl, type Link, type LinkHistory } from './one-time-links.ts';
import { passwordLength } from './password-rule.ts';
import {
  codeCounter,
  codeLimit,
  lockChecked,
  newPasswordHash,
  secondFactorRefusal,
  signedIn,
  subjectOfUser,
  userByPassword,
} from './sign-in.ts';
import { insertUser, lockUser, operators, updatePassword, userByEmail, userById, type User } from './users-sql.ts';
import { whoIs, type Who } from './who.ts';

/** Whom a link means today: an address, the account it has already, and the invitation that stands behind it. */
export type Meant = { readonly email: string | null; readonly user: User | null; readonly invitation: InvitationRow | null };

/** Null where the link has lost its meaning: the invitation was withdrawn, the account is there already, the first operator found. */
export async function meantBy(db: Queryable, link: Link): Promise<Meant | null> {
  switch (link.for) {
    case 'first operator':
      return (await operators(db, { most: 1 })).length === 0 ? { email: null, user: null, invitation: null } : null;
    case 'sign-up':
      return (await userByEmail(db, link.email)) === null ? { email: link.email, user: null, invitation: null } : null;
    case 'new password': {
      const user = await userById(db, link.userId);
      return { email: user.email, user, invitation: null };
    }
    case 'invitation': {
      const invitation = await openInvitation(db, { invitationId: link.invitationId, now: realNow() });
      if (invitation === null) return null;
      return { email: invitation.email, user: await userByEmail(db, invitation.email), invitation };
    }
  }
}

export const isSignedInAs = (identity: Identity | null, user: User): boolean =>
  identity !== null && isPerson(identity) && identity.by.userId === user.userId;

/** What using the link will do, with everything slow (hashes, checks) done already. */
export type Plan =
  | { readonly do: 'make account'; readonly as: NewAccount; readonly invitation: InvitationRow | null }
  | { readonly do: 'set password'; readonly user: User; readonly passwordHash: string }
  | { readonly do: 'join'; readonly user: User; readonly invitation: InvitationRow; readonly isSignedIn: boolean };

type NewAccount = { readonly email: string; readonly name: string; readonly passwordHash: string; readonly isOperator: boolean };

export type Given = {
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
  readonly code?: string;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
};

export async function planFor(platform: Platform, link: Link, { email, user, invitation }: Meant, given: Given): Promise<Plan | Refusal> {
  const { identity, request } = given;
  if (user === null) return planAccount(platform, { link, email: email ?? given.email ?? null, invitation }, given);
  if (invitation === null) return planPassword(platform, user, given);
  if (isSignedInAs(identity, user)) return { do: 'join', user, invitation, isSignedIn: true };
  if (given.password === undefined) return missing('password');
  const checked = await userByPassword(platform, { email: user.email, password: given.password, countedAs: request });
  if (isRefusal(checked)) return checked;
  const limited =
    checked.totpConfirmedAt === null ? null : await codeLimit(platform, await codeCounter(platform, checked.userId, request), given.code);
  return limited ?? { do: 'join', user: checked, invitation, isSignedIn: false };
}

type AccountAsked = { readonly link: Link; readonly email: string | null; readonly invitation: InvitationRow | null };

async function planAccount(platform: Platform, { link, email, invitation }: AccountAsked, given: Given): Promise<Plan | Refusal> {
  if (email === null) return missing('email');
  if (given.name === undefined) return missing('name');
  const limited = await networkRefusal(platform, given.request.address);
  if (limited) return limited;
  const passwordHash = await chosenHash(given.password, { email: oneSpelling(email), name: given.name });
  if (typeof passwordHash !== 'string') return passwordHash;
  const as = { email: oneSpelling(email), name: given.name, passwordHash, isOperator: link.for === 'first operator' };
  return { do: 'make account', as, invitation };
}

/** Codes beside a link from the mailbox have their own counter: somebody who only has the password does not use them up. */
const codesOfLinks = ({ userId }: Pick<User, 'userId'>): string => `links of ${userId}`;

/** The link is one proof, and the code of the second factor must not be guessed. */
async function planPassword(platform: Platform, user: User, { password, code }: Given): Promise<Plan | Refusal> {
  const limited = await codeLimit(platform, codesOfLinks(user), user.totpConfirmedAt === null ? undefined : code);
  if (limited) return limited;
  const passwordHash = await chosenHash(password, user);
  return typeof passwordHash === 'string' ? { do: 'set password', user, passwordHash } : passwordHash;
}

async function chosenHash(password: string | undefined, { email, name }: Pick<User, 'email' | 'name'>): Promise<string | Refusal> {
  if (password === undefined) return missing('password');
  if (password.length >= passwordLength.least) return newPasswordHash({ password, email, name, field: 'password' });
  const message = `has at least ${passwordLength.least} letters`;
  return refuse('invalid_request', 'The password is not good enough; see errors.', [{ field: 'password', message }]);
}

const missing = (field: string): Refusal =>
  refuse('invalid_request', 'The body is not right; see errors.', [{ field, message: 'is required' }]);

type Using = {
  readonly platform: Platform;
  readonly plan: Plan;
  readonly tokenHash: Buffer;
  readonly history: LinkHistory;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
  readonly code: string | undefined;
  /** With a new password: also the API keys that the person made. */
  readonly endKeys: boolean;
};

/**
 * Everything in one transaction: the link is used up exactly by what it was used for. The person is locked before the
 * link, as where a password is changed: in the other order two links of one person, used at once, would wait for each other.
 */
export async function carryOut(db: Queryable, using: Using): Promise<Answer<Who>> {
  const { platform, plan, tokenHash, identity, request } = using;
  if (plan.do !== 'make account') await lockUser(db, plan.user.userId);
  if ((await markUsed(db, { tokenHash, now: realNow() })) === 0) return linkGone;
  const result = await done(db, using);
  if (isRefusal(result)) return result;
  const told = { ...result, details: { ...result.details, ...using.history, ...otherPerson(identity, result) } };
  if (plan.do !== 'join' || !plan.isSignedIn) return signedIn(db, { platform, identity, request, told });
  must(identity !== null && isPerson(identity), 'whoever is signed in is a person');
  await keepPersonAudit(db, platform, request, told);
  return whoIs(db, platform, identity.by);
}

/** A browser in which somebody else was signed in: the audit log names them beside the account that was changed. */
const otherPerson = (identity: Identity | null, { person }: PersonAudit) =>
  identity !== null && isPerson(identity) && identity.by.userId !== person.userId
    ? { used_while_signed_in_as: identity.actor, used_while_signed_in_as_name: identity.name }
    : {};

async function done(db: Queryable, using: Using): Promise<PersonAudit | Refusal> {
  const { plan } = using;
  switch (plan.do) {
    case 'make account':
      return makeAccount(db, using.platform, plan);
    case 'set password':
      return setPassword(db, using, plan);
    case 'join':
      return join(db, using, plan);
  }
}

type MakeAccount = Extract<Plan, { do: 'make account' }>;

async function makeAccount(db: Queryable, platform: Platform, { as, invitation }: MakeAccount): Promise<PersonAudit | Refusal> {
  const now = realNow();
  const person = { userId: newId<'user'>(now), ...as, now };
  if ((await insertUser(db, person)) === 0) return refuse('conflict', 'There is an account with this address already; sign in with it.');
  const refused = invitation && (await acceptInvitation(db, platform, { invitation, userId: person.userId }));
  return (
    refused ?? { person, action: 'account.made', ...placeOf(invitation), subject: subjectOfUser(person), details: { email: as.email } }
  );
}

type SetPassword = Extract<Plan, { do: 'set password' }>;

async function setPassword(
  db: Queryable,
  { platform, code, endKeys, request }: Using,
  { user, passwordHash }: SetPassword,
): Promise<PersonAudit | Refusal> {
  const person = await lockChecked(db, user);
  if (isRefusal(person)) return person;
  const refused = await secondFactorRefusal(db, platform, person, { code, of: codesOfLinks(person) });
  if (refused) return refused;
  await updatePassword(db, { userId: person.userId, passwordHash });
  const by = byPerson(platform, person, request);
  const ended = await endAllAccess(db, { userId: person.userId, except: null, endKeys, by });
  await deleteResetLinks(db, person.userId);
  const letter = passwordChangedLetter({ url: signInUrl(platform.config.baseUrl), keysEnded: ended.keys });
  await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
  return { person, action: 'password.reset', subject: subjectOfUser(person), details: { keys_ended: ended.keys } };
}

type Join = Extract<Plan, { do: 'join' }>;

async function join(
  db: Queryable,
  { platform, code, request }: Using,
  { user, invitation, isSignedIn }: Join,
): Promise<PersonAudit | Refusal> {
  const person = await lockChecked(db, user);
  if (isRefusal(person)) return person;
  const refused =
    (isSignedIn
      ? null
      : await secondFactorRefusal(db, platform, person, { code, of: await codeCounter(platform, person.userId, request) })) ??
    (await acceptInvitation(db, platform, { invitation, userId: person.userId }));
  return refused ?? { person, action: 'invitation.accepted', ...placeOf(invitation), subject: subjectOfUser(person) };
}

const placeOf = (invitation: InvitationRow | null) => ({ storeId: invitation?.storeId ?? null, creatorId: invitation?.creatorId ?? null });

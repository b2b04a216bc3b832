import { Type as T } from 'typebox';
import { newId, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { realNow } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { type Answer, type Refusal, isRefusal, refuse } from '../http/responses.ts';
import { passwordChangedEmail } from '../notify/account-emails.ts';
import { enqueueEmail } from './enqueue-email.ts';
import type { Language } from '../../locales/languages.ts';
import type { Platform } from '../runtime/platform.ts';
import { checkNetworkLimit } from './attempt-limits.ts';
import { type PersonAuditEntry, recordPersonAuditEntry, auditActorOfUser } from './audit.ts';
import { endAllAccess } from './end-access.ts';
import { type RequestFacts, endpoint } from './endpoint.ts';
import { codeField, emailField, normalizeEmail, passwordField, shortNameField, strictObject, timeField, tokenField } from './fields.ts';
import { type Identity, isPerson } from './identity.ts';
import { type InvitationRow, findOpenInvitation } from './invitations-sql.ts';
import { acceptInvitation, linkExpired } from './invitations.ts';
import { deleteResetLinks, markLinkUsed } from './one-time-links-sql.ts';
import { type Link, type LinkHistory, findLink, signInUrl } from './one-time-links.ts';
import { passwordLength } from './passwords.ts';
import {
  authenticateByPassword,
  checkCodeLimit,
  checkSecondFactor,
  codeCounterOf,
  completeSignIn,
  hashNewPassword,
  lockAuthenticatedUser,
  subjectOfUser,
} from './sign-in.ts';
import { type User, findUserByEmail, getUser, insertUser, listOperatorUsers, lockUser, updatePassword } from './users-sql.ts';
import { type IdentityReply, describePerson, identityReply } from './describe-identity.ts';
import { apiMessage } from '../messages/api-message.ts';

/** The current target of a link: an address, the account that has it, and the invitation behind it. */
export type ResolvedLink = { readonly email: string | null; readonly user: User | null; readonly invitation: InvitationRow | null };

/** Null if the link no longer applies: the invitation was withdrawn, the account exists, or there is an operator already. */
export async function resolveLink(db: Queryable, link: Link): Promise<ResolvedLink | null> {
  switch (link.for) {
    case 'first operator':
      return (await listOperatorUsers(db, { most: 1 })).length === 0 ? { email: null, user: null, invitation: null } : null;
    case 'sign-up':
      return (await findUserByEmail(db, link.email)) === null ? { email: link.email, user: null, invitation: null } : null;
    case 'new password': {
      const user = await getUser(db, link.userId);
      return { email: user.email, user, invitation: null };
    }
    case 'invitation': {
      const invitation = await findOpenInvitation(db, { invitationId: link.invitationId, now: realNow() });
      if (invitation === null) return null;
      return { email: invitation.email, user: await findUserByEmail(db, invitation.email), invitation };
    }
  }
}

export const isSignedInAs = (identity: Identity | null, user: User): boolean =>
  identity !== null && isPerson(identity) && identity.by.userId === user.userId;

/** The prepared effect of a link, with all slow work (hashes, checks) already done. */
export type LinkPlan =
  | { readonly do: 'make account'; readonly account: NewAccount; readonly invitation: InvitationRow | null }
  | { readonly do: 'set password'; readonly user: User; readonly passwordHash: string }
  | { readonly do: 'join'; readonly user: User; readonly invitation: InvitationRow; readonly isSignedIn: boolean };

type NewAccount = {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isOperator: boolean;
  readonly language: Language;
};

export type LinkInput = {
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
  readonly code?: string;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
};

export async function planLinkUse(
  platform: Platform,
  link: Link,
  { email, user, invitation }: ResolvedLink,
  input: LinkInput,
): Promise<LinkPlan | Refusal> {
  const { identity, request } = input;
  if (user === null) return planAccount(platform, { link, email: email ?? input.email ?? null, invitation }, input);
  if (invitation === null) return planPassword(platform, user, input);
  if (isSignedInAs(identity, user)) return { do: 'join', user, invitation, isSignedIn: true };
  if (input.password === undefined) return missingField('password');
  const checked = await authenticateByPassword(platform, { email: user.email, password: input.password, countedAs: request });
  if (isRefusal(checked)) return checked;
  const limited =
    checked.totpConfirmedAt === null
      ? null
      : await checkCodeLimit(platform, await codeCounterOf(platform, checked.userId, request), input.code);
  return limited ?? { do: 'join', user: checked, invitation, isSignedIn: false };
}

type NewAccountRequest = { readonly link: Link; readonly email: string | null; readonly invitation: InvitationRow | null };

async function planAccount(
  platform: Platform,
  { link, email, invitation }: NewAccountRequest,
  input: LinkInput,
): Promise<LinkPlan | Refusal> {
  if (email === null) return missingField('email');
  if (input.name === undefined) return missingField('name');
  const limited = await checkNetworkLimit(platform, input.request.address);
  if (limited) return limited;
  const passwordHash = await hashChosenPassword(input.password, { email: normalizeEmail(email), name: input.name });
  if (typeof passwordHash !== 'string') return passwordHash;
  const account = {
    email: normalizeEmail(email),
    name: input.name,
    passwordHash,
    isOperator: link.for === 'first operator',
    language: input.request.language,
  };
  return { do: 'make account', account, invitation };
}

/** Codes that accompany an emailed link have their own counter, so that a thief who only has the password does not use them up. */
const linkCodeCounter = ({ userId }: Pick<User, 'userId'>): string => `links of ${userId}`;

/** The link is one proof, so the second factor's code must be limited against guessing. */
async function planPassword(platform: Platform, user: User, { password, code }: LinkInput): Promise<LinkPlan | Refusal> {
  const limited = await checkCodeLimit(platform, linkCodeCounter(user), user.totpConfirmedAt === null ? undefined : code);
  if (limited) return limited;
  const passwordHash = await hashChosenPassword(password, user);
  return typeof passwordHash === 'string' ? { do: 'set password', user, passwordHash } : passwordHash;
}

async function hashChosenPassword(password: string | undefined, { email, name }: Pick<User, 'email' | 'name'>): Promise<string | Refusal> {
  if (password === undefined) return missingField('password');
  if (password.length >= passwordLength.least) return hashNewPassword({ password, email, name, field: 'password' });
  const message = `must have at least ${passwordLength.least} characters`;
  return refuse('invalid_request', apiMessage('shared.password_too_weak'), [{ field: 'password', message }]);
}

const missingField = (field: string): Refusal =>
  refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field, message: apiMessage('shared.required') }]);

type LinkUse = {
  readonly platform: Platform;
  readonly plan: LinkPlan;
  readonly tokenHash: Buffer;
  readonly history: LinkHistory;
  readonly identity: Identity | null;
  readonly request: RequestFacts;
  readonly code: string | undefined;
  /** Whether a new password also ends the API keys that the person created. */
  readonly endKeys: boolean;
};

/**
 * Runs in one transaction, so that the link is used up only together with its effect. Locks the person before the link, in the same order
 * as a password change: otherwise two concurrent links of one person would deadlock.
 */
export async function applyLinkPlan(db: Queryable, use: LinkUse): Promise<Answer<IdentityReply>> {
  const { platform, plan, tokenHash, identity, request } = use;
  if (plan.do !== 'make account') await lockUser(db, plan.user.userId);
  if ((await markLinkUsed(db, { tokenHash, now: realNow() })) === 0) return linkExpired;
  const result = await applyStep(db, use);
  if (isRefusal(result)) return result;
  const auditEntry = { ...result, details: { ...result.details, ...use.history, ...otherPerson(identity, result) } };
  if (plan.do !== 'join' || !plan.isSignedIn) return completeSignIn(db, { platform, identity, request, auditEntry });
  invariant(identity !== null && isPerson(identity), 'a signed-in identity is a person');
  await recordPersonAuditEntry(db, platform, request, auditEntry);
  return describePerson(db, platform, identity.by);
}

/** If the browser was signed in as another person, the audit log names that person beside the changed account. */
const otherPerson = (identity: Identity | null, { person }: PersonAuditEntry) =>
  identity !== null && isPerson(identity) && identity.by.userId !== person.userId
    ? { used_while_signed_in_as: identity.actor, used_while_signed_in_as_name: identity.name }
    : {};

async function applyStep(db: Queryable, use: LinkUse): Promise<PersonAuditEntry | Refusal> {
  const { plan } = use;
  switch (plan.do) {
    case 'make account':
      return createAccount(db, use.platform, plan);
    case 'set password':
      return setPassword(db, use, plan);
    case 'join':
      return join(db, use, plan);
  }
}

type CreateAccountPlan = Extract<LinkPlan, { do: 'make account' }>;

async function createAccount(
  db: Queryable,
  platform: Platform,
  { account, invitation }: CreateAccountPlan,
): Promise<PersonAuditEntry | Refusal> {
  const now = realNow();
  const person = { userId: newId<'user'>(now), ...account, now };
  if ((await insertUser(db, person)) === 0) return refuse('conflict', apiMessage('use_link.account_with_email_address_already'));
  const refused = invitation && (await acceptInvitation(db, platform, { invitation, userId: person.userId }));
  return (
    refused ?? {
      person,
      action: 'account.made',
      ...invitationSubject(invitation),
      subject: subjectOfUser(person),
      details: { email: account.email },
    }
  );
}

type SetPasswordPlan = Extract<LinkPlan, { do: 'set password' }>;

async function setPassword(
  db: Queryable,
  { platform, code, endKeys, request }: LinkUse,
  { user, passwordHash }: SetPasswordPlan,
): Promise<PersonAuditEntry | Refusal> {
  const person = await lockAuthenticatedUser(db, user);
  if (isRefusal(person)) return person;
  const refused = await checkSecondFactor(db, platform, person, { code, of: linkCodeCounter(person) });
  if (refused) return refused;
  await updatePassword(db, { userId: person.userId, passwordHash });
  const by = auditActorOfUser(platform, person, request);
  const ended = await endAllAccess(db, { userId: person.userId, except: null, endKeys, by });
  await deleteResetLinks(db, person.userId);
  const content = passwordChangedEmail({ url: signInUrl(platform.config.baseUrl), keysEnded: ended.keys });
  await enqueueEmail(db, platform.secrets, { to: person.email, content, storeId: null });
  return { person, action: 'password.reset', subject: subjectOfUser(person), details: { keys_ended: ended.keys } };
}

type JoinPlan = Extract<LinkPlan, { do: 'join' }>;

async function join(
  db: Queryable,
  { platform, code, request }: LinkUse,
  { user, invitation, isSignedIn }: JoinPlan,
): Promise<PersonAuditEntry | Refusal> {
  const person = await lockAuthenticatedUser(db, user);
  if (isRefusal(person)) return person;
  const refused =
    (isSignedIn
      ? null
      : await checkSecondFactor(db, platform, person, { code, of: await codeCounterOf(platform, person.userId, request) })) ??
    (await acceptInvitation(db, platform, { invitation, userId: person.userId }));
  return refused ?? { person, action: 'invitation.accepted', ...invitationSubject(invitation), subject: subjectOfUser(person) };
}

const invitationSubject = (invitation: InvitationRow | null) => ({
  storeId: invitation?.storeId ?? null,
  creatorId: invitation?.creatorId ?? null,
});

const invitationInLink = T.Object({
  kind: T.String({ description: '`store`, `operator` or `creator`' }),
  store_id: orNull(T.String()),
  role: orNull(T.String()),
  creator_id: orNull(T.String()),
});

const linkReply = namedObject('OneTimeLink', {
  purpose: T.Enum(['first operator', 'sign-up', 'new password', 'invitation']),
  email: orNull(T.String({ description: 'Null if the person enters it, as the first operator does' })),
  account: T.Enum(['new', 'existing', 'signed in'], {
    description: '`new`: choose a name and a password; `existing`: enter the password; `signed in`: nothing else',
  }),
  /** Whether using the link requires a code too. */
  second_factor: T.Boolean(),
  invitation: orNull(invitationInLink),
  expires_at: timeField,
});

export const readLink = endpoint({
  summary: 'Get what a one-time link does, without using it',
  access: { allow: 'anyone' },
  body: strictObject({ token: tokenField }),
  reply: linkReply,
  alsoRefuses: ['link_used_or_expired'],
  handle: async ({ db, body, identity }) => {
    const found = await findLink(db, body.token);
    const resolved = found && (await resolveLink(db, found.link));
    if (!resolved) return linkExpired;
    const { email, user, invitation } = resolved;
    const signedIn = user !== null && isSignedInAs(identity, user) && invitation !== null;
    return {
      purpose: found.link.for,
      email,
      account: user === null ? ('new' as const) : signedIn ? ('signed in' as const) : ('existing' as const),
      second_factor: user !== null && user.totpConfirmedAt !== null && !signedIn,
      invitation: invitation && {
        kind: invitation.kind,
        store_id: invitation.storeId && publicId('store', invitation.storeId),
        role: invitation.role,
        creator_id: invitation.creatorId && publicId('crt', invitation.creatorId),
      },
      expires_at: isoTime(found.expiresAt),
    };
  },
});

export const useLink = endpoint({
  summary: 'Use a one-time link: creates the account, sets the new password, or accepts the invitation, and signs you in',
  access: { allow: 'anyone' },
  body: strictObject({
    token: tokenField,
    email: T.Optional(emailField),
    name: T.Optional(shortNameField),
    password: T.Optional(passwordField),
    code: T.Optional(codeField),
    end_keys: T.Optional(
      T.Boolean({
        description: 'With a new password: also revoke all API keys that you created. Default true; all sessions end in any case',
      }),
    ),
  }),
  reply: identityReply,
  alsoRefuses: ['link_used_or_expired'],
  prepare: async ({ platform, db, body, identity, request }) => {
    const found = await findLink(db, body.token);
    const resolved = found && (await resolveLink(db, found.link));
    if (!resolved) return linkExpired;
    const plan = await planLinkUse(platform, found.link, resolved, { ...body, identity, request });
    return isRefusal(plan) ? plan : { plan, tokenHash: found.tokenHash, history: found.history };
  },
  handle: ({ db, platform, identity, body, prepared, request }) =>
    applyLinkPlan(db, { platform, identity, request, code: body.code, endKeys: body.end_keys ?? true, ...prepared }),
});

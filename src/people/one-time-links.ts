import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { hourMs, minuteMs, realNow } from '../core/time.ts';
import type { Identity } from './identity.ts';
import { insertLink, markLinksOpenedBy, findUsableLink, type LinkOpener, type LinkRow } from './one-time-links-sql.ts';
import { newToken, readToken } from './tokens.ts';

/** Links that work once, until they expire. Each kind permits one action. */
export type Link =
  | { readonly for: 'first operator' }
  | { readonly for: 'sign-up'; readonly email: string }
  | { readonly for: 'new password'; readonly userId: Id<'user'> }
  | { readonly for: 'invitation'; readonly invitationId: Id<'invite'> };

export const firstOperatorHours = 24;
export const signUpHours = 24;
export const newPasswordMinutes = 60;

/**
 * The token follows the #: browsers do not send that part, so it is in no server log and in no Referer. The page sends it in a request
 * body.
 */
export async function createLink(
  db: Queryable,
  { config }: Platform,
  link: Link,
  { expiresAt, next = null, requestedBy = null }: LinkOptions,
): Promise<string> {
  const { token, hash: tokenHash } = newToken();
  const requester = { requestedBy: requestedBy?.actor ?? null, requestedByName: requestedBy?.name ?? null };
  await insertLink(db, { ...rowOf(link), tokenHash, now: realNow(), expiresAt, ...requester });
  return `${config.baseUrl}/link${queryOf(next)}#${token}`;
}

type LinkOptions = {
  readonly expiresAt: Date;
  readonly next?: Next;
  /** The signed-in requester; null if there is none. */ readonly requestedBy?: Pick<Identity, 'actor' | 'name'> | null;
};

/** The page of a program to return to. Restricted, so that strangers cannot put other text into an email. */
export type Next = { readonly programId: Id<'prog'> } | null;
const queryOf = (next: Next): string =>
  next === null ? '' : `?next=${encodeURIComponent(`/programs/${publicId('prog', next.programId)}`)}`;

export type FoundLink = { readonly link: Link; readonly tokenHash: Buffer; readonly expiresAt: Date; readonly history: LinkHistory };

/** Other actors who handled a link before it was used, for the audit entry of its use. */
export type LinkHistory = Readonly<Record<string, string>>;

/** Null if the link never existed, was used, or has expired: in each case the user requests a new one. */
export async function findLink(db: Queryable, token: string): Promise<FoundLink | null> {
  const tokenHash = readToken(token);
  const row = tokenHash && (await findUsableLink(db, { tokenHash, now: realNow() }));
  return row && { link: linkFromRow(row), tokenHash, expiresAt: row.expiresAt, history: historyOf(row) };
}

function historyOf({ requestedBy, requestedByName, openedBy, openedByName }: LinkRow & LinkOpener): LinkHistory {
  return {
    ...(requestedBy !== null && { asked_by: requestedBy, asked_by_name: requestedByName ?? '' }),
    ...(openedBy !== null && { link_opened_by: openedBy, link_opened_by_name: openedByName ?? '' }),
  };
}

/** An operator has read these links in a stored email. */
export async function markLinksOpened(db: Queryable, tokens: readonly string[], { actor, name }: Identity): Promise<void> {
  const tokenHashes = tokens.map((token) => readToken(token)).filter((hash) => hash !== null);
  await markLinksOpenedBy(db, { tokenHashes, openedBy: actor, openedByName: name });
}

export const hoursFromNow = (hours: number): Date => new Date(realNow().getTime() + hours * hourMs);
export const minutesFromNow = (minutes: number): Date => new Date(realNow().getTime() + minutes * minuteMs);

export const signInUrl = (baseUrl: string, next: Next = null): string => `${baseUrl}/sign-in${queryOf(next)}`;

function rowOf(link: Link): Pick<LinkRow, 'purpose' | 'email' | 'userId' | 'invitationId'> {
  const nothing = { email: null, userId: null, invitationId: null };
  switch (link.for) {
    case 'first operator':
      return { ...nothing, purpose: 'first_operator' };
    case 'sign-up':
      return { ...nothing, purpose: 'sign_up', email: link.email };
    case 'new password':
      return { ...nothing, purpose: 'reset_password', userId: link.userId };
    case 'invitation':
      return { ...nothing, purpose: 'accept_invitation', invitationId: link.invitationId };
  }
}

function linkFromRow({ purpose, email, userId, invitationId }: LinkRow): Link {
  switch (purpose) {
    case 'first_operator':
      return { for: 'first operator' };
    case 'sign_up':
      invariant(email !== null, 'a sign-up link has an address');
      return { for: 'sign-up', email };
    case 'reset_password':
      invariant(userId !== null, 'a password reset link has a user ID');
      return { for: 'new password', userId };
    case 'accept_invitation':
      invariant(invitationId !== null, 'an invitation link has an invitation ID');
      return { for: 'invitation', invitationId };
  }
}

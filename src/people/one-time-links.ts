import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, minuteMs, realNow } from '../platform/time.ts';
import type { Identity } from './identity.ts';
import { insertLink, updateOpened, usableLink, type LinkOpened, type LinkRow } from './links-sql.ts';
import { newToken, readToken } from './tokens.ts';

/** Links that work once, for a time. Each stands for one thing that its holder may do. */
export type Link =
  | { readonly for: 'first operator' }
  | { readonly for: 'sign-up'; readonly email: string }
  | { readonly for: 'new password'; readonly userId: Id<'user'> }
  | { readonly for: 'invitation'; readonly invitationId: Id<'invite'> };

export const firstOperatorHours = 24;
export const signUpHours = 24;
export const newPasswordMinutes = 60;

/**
 * The token stands behind the #: browsers keep that part to themselves, so it is in no server's log and in no Referer.
 * The page that opens sends it in a body.
 */
export async function makeLink(
  db: Queryable,
  { config }: Platform,
  link: Link,
  { expiresAt, next = null, askedBy = null }: Making,
): Promise<string> {
  const { token, hash: tokenHash } = newToken();
  const asker = { askedBy: askedBy?.actor ?? null, askedByName: askedBy?.name ?? null };
  await insertLink(db, { ...rowOf(link), tokenHash, now: realNow(), expiresAt, ...asker });
  return `${config.baseUrl}/link${queryOf(next)}#${token}`;
}

type Making = {
  readonly expiresAt: Date;
  readonly next?: Next;
  /** Who asked for it; null where nobody was signed in. */ readonly askedBy?: Pick<Identity, 'actor' | 'name'> | null;
};

/** Where somebody came from and wants to be afterwards: the page of a program, and nothing that a stranger could write into a mail. */
export type Next = { readonly programId: Id<'prog'> } | null;
const queryOf = (next: Next): string =>
  next === null ? '' : `?next=${encodeURIComponent(`/programs/${publicId('prog', next.programId)}`)}`;

export type FoundLink = { readonly link: Link; readonly tokenHash: Buffer; readonly expiresAt: Date; readonly history: LinkHistory };

/** Who else had to do with a link before it was used, for the audit entry of its use. */
export type LinkHistory = Readonly<Record<string, string>>;

/** Null for what was never made, was used, or has expired: three words for "ask for a new one". */
export async function findLink(db: Queryable, token: string): Promise<FoundLink | null> {
  const tokenHash = readToken(token);
  const row = tokenHash && (await usableLink(db, { tokenHash, now: realNow() }));
  return row && { link: linkOf(row), tokenHash, expiresAt: row.expiresAt, history: historyOf(row) };
}

function historyOf({ askedBy, askedByName, openedBy, openedByName }: LinkRow & LinkOpened): LinkHistory {
  return {
    ...(askedBy !== null && { asked_by: askedBy, asked_by_name: askedByName ?? '' }),
    ...(openedBy !== null && { link_opened_by: openedBy, link_opened_by_name: openedByName ?? '' }),
  };
}

/** An operator has read these links in a stored mail. */
export async function markLinksOpened(db: Queryable, tokens: readonly string[], { actor, name }: Identity): Promise<void> {
  const tokenHashes = tokens.map((token) => readToken(token)).filter((hash) => hash !== null);
  await updateOpened(db, { tokenHashes, openedBy: actor, openedByName: name });
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

function linkOf({ purpose, email, userId, invitationId }: LinkRow): Link {
  switch (purpose) {
    case 'first_operator':
      return { for: 'first operator' };
    case 'sign_up':
      must(email !== null, 'a sign-up is for an address');
      return { for: 'sign-up', email };
    case 'reset_password':
      must(userId !== null, 'a new password is for a person');
      return { for: 'new password', userId };
    case 'accept_invitation':
      must(invitationId !== null, 'an invitation has a row');
      return { for: 'invitation', invitationId };
  }
}

import { enqueueEmail } from './enqueue-email.ts';
import {
  confirmAddressEmail,
  addressChangedEmail,
  addressRestoredEmail,
  addressTakenEmail,
  passwordResetEmail,
} from '../notify/account-emails.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import {
  findChangeToConfirm,
  findChangeToUndo,
  clearPassword,
  insertEmailChange,
  markConfirmed,
  markUndone,
  updateEmail,
  activeKeysMadeSince,
  type EmailChange,
} from './email-changes-sql.ts';
import { deleteDevicesOf, deleteSessionsOf } from './sessions-sql.ts';
import { linkExpired } from './invitations.ts';
import { revokeKeys, type RevokedKey } from './api-keys-sql.ts';
import { deleteResetLinks } from './one-time-links-sql.ts';
import { hoursFromNow, createLink, minutesFromNow, newPasswordMinutes, signInUrl } from './one-time-links.ts';
import { clearSecondFactor } from './second-factor.ts';
import { newToken, readToken } from './tokens.ts';
import { findAndLockUser, findUserByEmail, type User } from './users-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

export const emailConfirmationHours = 24;
/** Long enough for a person who reads email once a week to take a stolen address back. */
export const emailUndoDays = 7;

/** The format that src/notify/stored-email.ts redacts in stored emails. */
const linkUrl = ({ config }: Platform, token: string): string => `${config.baseUrl}/link?for=email#${token}`;

type EmailChangeRequest = { readonly user: User; readonly email: string };

/**
 * The link goes to the new address, so that people can claim only addresses that they can read. The response is the same if the address
 * belongs to another account: only the reader of that mailbox learns it.
 */
export async function requestEmailChange(db: Queryable, platform: Platform, { user, email }: EmailChangeRequest): Promise<Date> {
  const now = realNow();
  const expiresAt = hoursFromNow(emailConfirmationHours);
  const { token, hash: confirmHash } = newToken();
  const isTaken = (await findUserByEmail(db, email)) !== null;
  const { userId, email: formerEmail } = user;
  await insertEmailChange(db, { emailChangeId: newId<'echg'>(now), userId, formerEmail, email, requestedAt: now, expiresAt, confirmHash });
  const content = isTaken
    ? addressTakenEmail({ url: signInUrl(platform.config.baseUrl) })
    : confirmAddressEmail({ url: linkUrl(platform, token), hours: emailConfirmationHours });
  await enqueueEmail(db, platform.secrets, { to: email, content, storeId: null, languageWithoutAccount: user.language });
  return expiresAt;
}

export type FoundChange = { readonly does: 'confirm' | 'undo'; readonly change: EmailChange };

/** Null if the link never existed, was used, or has expired. */
export async function findEmailChange(db: Queryable, token: string): Promise<FoundChange | null> {
  const tokenHash = readToken(token);
  if (tokenHash === null) return null;
  const of = { tokenHash, now: realNow() };
  const confirm = await findChangeToConfirm(db, of);
  if (confirm !== null) return { does: 'confirm', change: confirm };
  const undo = await findChangeToUndo(db, of);
  return undo && { does: 'undo', change: undo };
}

const addressTaken = refuse('conflict', apiMessage('email_changes.another_account_now_uses_email'));

type Confirming = { readonly token: string; readonly userId: Id<'user'>; readonly sessionId: Id<'sess'> };
export type EmailChangeResult = { readonly change: EmailChange; readonly user: User };

/**
 * Requires a session of the person: a link that was sent to a mistyped address gives its reader nothing. This session stays, all others
 * end, and password reset links, which went to the former address, stop working.
 */
export async function confirmEmailChange(
  db: Queryable,
  platform: Platform,
  { token, userId, sessionId }: Confirming,
): Promise<EmailChangeResult | Refusal> {
  const user = await findAndLockUser(db, userId);
  const found = await findEmailChange(db, token);
  if (user === null || found?.does !== 'confirm') return linkExpired;
  const { change } = found;
  if (change.userId !== userId) return refuse('conflict', apiMessage('email_changes.link_for_another_account_sign'));
  const now = realNow();
  const { token: undo, hash: undoHash } = newToken();
  if ((await markConfirmed(db, { emailChangeId: change.emailChangeId, now, undoHash, undoUntil: plusDays(now, emailUndoDays) })) === 0)
    return linkExpired;
  if ((await updateEmail(db, { userId, email: change.email })) === 0) return addressTaken;
  await deleteSessionsOf(db, { userId, except: sessionId });
  await deleteResetLinks(db, userId);
  const content = addressChangedEmail({ email: change.email, url: linkUrl(platform, undo), days: emailUndoDays });
  await enqueueEmail(db, platform.secrets, { to: change.formerEmail, content, storeId: null, languageWithoutAccount: user.language });
  return { change, user };
}

export type EmailUndoResult = EmailChangeResult & { readonly keys: readonly RevokedKey[] };

/**
 * Returns the account to the reader of the former mailbox. Someone else may have been in it and know the password, so the password, all
 * sessions, and all known devices end. API keys and a second factor that were added from `undoDays` before the change on end too. An older
 * second factor stays: a thief could not have added it. A password reset link follows.
 */
export async function undoEmailChange(db: Queryable, platform: Platform, token: string): Promise<EmailUndoResult | Refusal> {
  const first = await findEmailChange(db, token);
  if (first?.does !== 'undo') return linkExpired;
  const { change } = first;
  const user = await findAndLockUser(db, change.userId);
  if (user === null) return linkExpired;
  const now = realNow();
  if ((await markUndone(db, { ...change, now })) === 0) return linkExpired;
  const { userId, formerEmail } = change;
  if ((await updateEmail(db, { userId, email: formerEmail })) === 0) return addressTaken;
  await clearPassword(db, userId);
  await deleteSessionsOf(db, { userId, except: null });
  await deleteDevicesOf(db, { userId, except: null });
  await deleteResetLinks(db, userId);
  // A thief may have prepared the change, so access that was added in the days before it ends too.
  const since = plusDays(change.requestedAt, -emailUndoDays);
  if (user.totpConfirmedAt !== null && user.totpConfirmedAt >= since) await clearSecondFactor(db, userId);
  const keys = await revokeKeys(db, { apiKeyIds: await activeKeysMadeSince(db, { userId, since }), now });
  const restored = { to: user.email, content: addressRestoredEmail(), storeId: null, languageWithoutAccount: user.language };
  await enqueueEmail(db, platform.secrets, restored);
  const url = await createLink(db, platform, { for: 'new password', userId }, { expiresAt: minutesFromNow(newPasswordMinutes) });
  await enqueueEmail(db, platform.secrets, {
    to: formerEmail,
    content: passwordResetEmail({ url, minutes: newPasswordMinutes }),
    storeId: null,
  });
  return { change, user, keys };
}

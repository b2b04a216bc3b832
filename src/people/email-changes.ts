import { keepMail } from '../notify/mail.ts';
import { confirmEmailLetter, emailChangedLetter, emailRestoredLetter, emailTakenLetter } from '../notify/email-letters.ts';
import { passwordResetLetter } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays, realNow } from '../platform/time.ts';
import {
  changeToConfirm,
  changeToUndo,
  clearPassword,
  insertEmailChange,
  markConfirmed,
  markUndone,
  updateEmail,
  workingKeysMadeSince,
  type EmailChange,
} from './email-changes-sql.ts';
import { deleteDevicesOf } from './devices-sql.ts';
import { linkGone } from './invitations.ts';
import { revokeKeys, type EndedKey } from './keys-sql.ts';
import { deleteResetLinks } from './links-sql.ts';
import { hoursFromNow, makeLink, minutesFromNow, newPasswordMinutes, signInUrl } from './one-time-links.ts';
import { clearSecondFactor } from './second-factor.ts';
import { deleteSessionsOf } from './sessions-sql.ts';
import { newToken, readToken } from './tokens.ts';
import { findAndLockUser, userByEmail, type User } from './users-sql.ts';

export const confirmHours = 24;
/** Long enough that somebody who reads their mail once a week can take a stolen address back. */
export const undoDays = 7;

/** Of the form that stored mails are redacted by: src/notify/redact-links.ts. */
const linkOf = ({ config }: Platform, token: string): string => `${config.baseUrl}/link?for=email#${token}`;

type Asked = { readonly user: User; readonly email: string };

/**
 * The link goes to the new address, so that nobody takes an address that they cannot read. The answer is the same where the address
 * belongs to another account: that is read by whoever reads its mail.
 */
export async function askForEmailChange(db: Queryable, platform: Platform, { user, email }: Asked): Promise<Date> {
  const now = realNow();
  const expiresAt = hoursFromNow(confirmHours);
  const { token, hash: confirmHash } = newToken();
  const isTaken = (await userByEmail(db, email)) !== null;
  const { userId, email: formerEmail } = user;
  await insertEmailChange(db, { emailChangeId: newId<'echg'>(now), userId, formerEmail, email, askedAt: now, expiresAt, confirmHash });
  const letter = isTaken
    ? emailTakenLetter({ url: signInUrl(platform.config.baseUrl) })
    : confirmEmailLetter({ url: linkOf(platform, token), hours: confirmHours });
  await keepMail(db, platform.secrets, { to: email, letter, storeId: null });
  return expiresAt;
}

export type FoundChange = { readonly does: 'confirm' | 'undo'; readonly change: EmailChange };

/** Null for what was never made, was used, or has expired. */
export async function findEmailChange(db: Queryable, token: string): Promise<FoundChange | null> {
  const tokenHash = readToken(token);
  if (tokenHash === null) return null;
  const of = { tokenHash, now: realNow() };
  const confirm = await changeToConfirm(db, of);
  if (confirm !== null) return { does: 'confirm', change: confirm };
  const undo = await changeToUndo(db, of);
  return undo && { does: 'undo', change: undo };
}

const taken = refuse('conflict', 'Another account has this address by now.');

type Confirming = { readonly token: string; readonly userId: Id<'user'>; readonly sessionId: Id<'sess'> };
export type Changed = { readonly change: EmailChange; readonly user: User };

/**
 * Only in a session of the person: a link that was sent to a mistyped address gives its reader nothing. The session stays, all others end,
 * and links to choose a new password, which went to the former address, work no more.
 */
export async function confirmEmailChange(
  db: Queryable,
  platform: Platform,
  { token, userId, sessionId }: Confirming,
): Promise<Changed | Refusal> {
  const user = await findAndLockUser(db, userId);
  const found = await findEmailChange(db, token);
  if (user === null || found?.does !== 'confirm') return linkGone;
  const { change } = found;
  if (change.userId !== userId) return refuse('conflict', 'This link is for another account: sign in with that one, then open it again.');
  const now = realNow();
  const { token: undo, hash: undoHash } = newToken();
  if ((await markConfirmed(db, { emailChangeId: change.emailChangeId, now, undoHash, undoUntil: plusDays(now, undoDays) })) === 0)
    return linkGone;
  if ((await updateEmail(db, { userId, email: change.email })) === 0) return taken;
  await deleteSessionsOf(db, { userId, except: sessionId });
  await deleteResetLinks(db, userId);
  const letter = emailChangedLetter({ email: change.email, url: linkOf(platform, undo), days: undoDays });
  await keepMail(db, platform.secrets, { to: change.formerEmail, letter, storeId: null });
  return { change, user };
}

export type Undone = Changed & { readonly keys: readonly EndedKey[] };

/**
 * Returns the account to the person who reads the former mailbox. Someone else may have been in it and know the password, so the password,
 * all sessions, and all known devices end, and so do API keys and a second factor that were added from `undoDays` before the change on. An
 * older second factor stays: a thief could not have added it. A link to choose a new password follows.
 */
export async function undoEmailChange(db: Queryable, platform: Platform, token: string): Promise<Undone | Refusal> {
  const first = await findEmailChange(db, token);
  if (first?.does !== 'undo') return linkGone;
  const { change } = first;
  const user = await findAndLockUser(db, change.userId);
  if (user === null) return linkGone;
  const now = realNow();
  if ((await markUndone(db, { ...change, now })) === 0) return linkGone;
  const { userId, formerEmail } = change;
  if ((await updateEmail(db, { userId, email: formerEmail })) === 0) return taken;
  await clearPassword(db, userId);
  await deleteSessionsOf(db, { userId, except: null });
  await deleteDevicesOf(db, { userId, except: null });
  await deleteResetLinks(db, userId);
  // The thief may have prepared the change: what they could have added in the days before goes as well.
  const since = plusDays(change.askedAt, -undoDays);
  if (user.totpConfirmedAt !== null && user.totpConfirmedAt >= since) await clearSecondFactor(db, userId);
  const keys = await revokeKeys(db, { apiKeyIds: await workingKeysMadeSince(db, { userId, since }), now });
  await keepMail(db, platform.secrets, { to: user.email, letter: emailRestoredLetter(), storeId: null });
  const url = await makeLink(db, platform, { for: 'new password', userId }, { expiresAt: minutesFromNow(newPasswordMinutes) });
  await keepMail(db, platform.secrets, {
    to: formerEmail,
    letter: passwordResetLetter({ url, minutes: newPasswordMinutes }),
    storeId: null,
  });
  return { change, user, keys };
}

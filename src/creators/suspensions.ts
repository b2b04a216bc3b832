import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Queryable } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { endOpenSuspension, updateOpenSuspension, findAndLockCreator, insertSuspension, setSuspended } from './suspensions-sql.ts';

type Actor = { readonly actor: string; readonly name: string };

type SuspendCommand = {
  readonly creatorId: Id<'crt'>;
  /** Shown to the creator in an email and in the portal. */
  readonly reason: string | null;
  /** For operators only. */
  readonly note: string | null;
  readonly by: Actor;
  readonly at: Date;
};

/** Suspending again keeps the first time, but replaces the reason or note if given. */
export async function suspendCreator(db: Queryable, platform: Platform, suspending: SuspendCommand): Promise<void> {
  const { creatorId, reason, note, by, at } = suspending;
  const creator = await findAndLockCreator(db, creatorId);
  if (creator === null) return;
  if (creator.suspendedAt === null) {
    await insertSuspension(db, { creatorId, suspensionId: newId<'susp'>(at), reason, note, at, by });
  } else if ((await updateOpenSuspension(db, { creatorId, reason, note })) === 0) {
    // Suspended before suspensions had rows.
    await insertSuspension(db, { creatorId, suspensionId: newId<'susp'>(creator.suspendedAt), reason, note, at: creator.suspendedAt, by });
  }
  await setSuspended(db, { creatorId, at: creator.suspendedAt ?? at, reason: reason ?? creator.suspensionReason });
  const isNotified = creator.suspendedAt === null || (reason !== null && reason !== creator.suspensionReason);
  if (isNotified && creator.email !== '') await sendToCreator(db, platform, creator.email, suspendedEmail(reason, platform.config.baseUrl));
}

export async function unsuspendCreator(
  db: Queryable,
  platform: Platform,
  { creatorId, by, at }: Omit<SuspendCommand, 'reason' | 'note'>,
): Promise<void> {
  const creator = await findAndLockCreator(db, creatorId);
  if (creator === null || creator.suspendedAt === null) return;
  await endOpenSuspension(db, { creatorId, at, by });
  await setSuspended(db, { creatorId, at: null, reason: null });
  if (creator.email !== '') await sendToCreator(db, platform, creator.email, unsuspendedEmail(platform.config.baseUrl));
}

const sendToCreator = (db: Queryable, { secrets }: Platform, to: string, content: EmailContent) =>
  enqueueEmail(db, secrets, { to, content, storeId: null });

/** Always sent, because it is about the account. */
const suspendedEmail = (reason: string | null, baseUrl: string): EmailContent => ({
  subject: emailMessage('suspended.subject'),
  paragraphs: [emailMessage('suspended.body'), ...(reason === null ? [] : [emailMessage('suspended.reason', { reason })])],
  button: { label: emailMessage('common.open_portal'), url: `${baseUrl}/creator` },
  footnotes: [emailMessage('suspended.footnote')],
});

const unsuspendedEmail = (baseUrl: string): EmailContent => ({
  subject: emailMessage('unsuspended.subject'),
  paragraphs: [emailMessage('unsuspended.body')],
  button: { label: emailMessage('common.open_portal'), url: `${baseUrl}/creator` },
  footnotes: [],
});

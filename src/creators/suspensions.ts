import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { endOpenSuspension, explainOpenSuspension, findAndLockCreator, insertSuspension, setSuspended } from './suspensions-sql.ts';

type By = { readonly actor: string; readonly name: string };

type Suspending = {
  readonly creatorId: Id<'crt'>;
  /** The creator reads it, in a mail and in the portal. */
  readonly reason: string | null;
  /** Operators read it, and nobody else. */
  readonly note: string | null;
  readonly by: By;
  readonly at: Date;
};

/** Suspended twice, the first time stays; a reason or note that is given the second time replaces the one before. */
export async function suspendCreator(db: Queryable, platform: Platform, suspending: Suspending): Promise<void> {
  const { creatorId, reason, note, by, at } = suspending;
  const creator = await findAndLockCreator(db, creatorId);
  if (creator === null) return;
  if (creator.suspendedAt === null) {
    await insertSuspension(db, { creatorId, suspensionId: newId<'susp'>(at), reason, note, at, by });
  } else if ((await explainOpenSuspension(db, { creatorId, reason, note })) === 0) {
    // Suspended before suspensions had rows of their own.
    await insertSuspension(db, { creatorId, suspensionId: newId<'susp'>(creator.suspendedAt), reason, note, at: creator.suspendedAt, by });
  }
  await setSuspended(db, { creatorId, at: creator.suspendedAt ?? at, reason: reason ?? creator.suspensionReason });
  const isNews = creator.suspendedAt === null || (reason !== null && reason !== creator.suspensionReason);
  if (isNews && creator.email !== '') await write(db, platform, creator.email, suspendedEmail(reason, platform.config.baseUrl));
}

export async function unsuspendCreator(
  db: Queryable,
  platform: Platform,
  { creatorId, by, at }: Omit<Suspending, 'reason' | 'note'>,
): Promise<void> {
  const creator = await findAndLockCreator(db, creatorId);
  if (creator === null || creator.suspendedAt === null) return;
  await endOpenSuspension(db, { creatorId, at, by });
  await setSuspended(db, { creatorId, at: null, reason: null });
  if (creator.email !== '') await write(db, platform, creator.email, unsuspendedEmail(platform.config.baseUrl));
}

const write = (db: Queryable, { secrets }: Platform, to: string, letter: Letter) => keepMail(db, secrets, { to, letter, storeId: null });

/** Always sent: it is about the account itself. */
const suspendedEmail = (reason: string | null, baseUrl: string): Letter => ({
  subject: 'Your creator account is suspended',
  sentences: [
    'Your creator account at Tributary is suspended. Nothing is paid out until the suspension ends, and new commissions are held. What you have earned stays yours.',
    ...(reason === null ? [] : [`Reason: ${reason}`]),
  ],
  button: { label: 'Open your portal', url: `${baseUrl}/creator` },
  afterwards: ['If you disagree, write to the operator of this service.'],
});

const unsuspendedEmail = (baseUrl: string): Letter => ({
  subject: 'Your creator account is active again',
  sentences: [
    'The suspension of your creator account at Tributary has ended. Payouts continue. Commissions that were held are released one by one.',
  ],
  button: { label: 'Open your portal', url: `${baseUrl}/creator` },
  afterwards: [],
});

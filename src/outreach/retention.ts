import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { deleteOldInvitations } from './invitations-sql.ts';

const batchRowsMax = 10_000;
/** Counts from the end of the invitation's period: the record of invited people is private and is not stored forever. */
export const invitationRetentionDays = 90;

/** A scheduled job. It repeats until nothing is left, because one import invites thousands of people. */
export async function deleteOldOutreach({ database }: Platform): Promise<void> {
  const before = plusDays(realNow(), -invitationRetentionDays);
  while ((await deleteOldInvitations(database, { before, most: batchRowsMax })) === batchRowsMax);
}

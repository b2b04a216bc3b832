import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { deleteImportsBefore } from './imports-sql.ts';
import { deleteOldInvitations } from './invitations-sql.ts';

const batchRowsMax = 10_000;
/** Each has up to 5,000 rows. */
const importsPerBatchMax = 10;
/** Counts from the end of the invitation's period: the record of invited people is private and is not stored forever. */
export const invitationRetentionDays = 90;
/** Long enough to correct the errors of a file. */
export const importRetentionDays = 30;

/** A scheduled job. It repeats until nothing is left, because one import invites thousands of people. */
export async function deleteOldOutreach({ database }: Platform): Promise<void> {
  const now = realNow();
  await deleteInBatches((most) => deleteOldInvitations(database, { before: plusDays(now, -invitationRetentionDays), most }), batchRowsMax);
  await deleteInBatches((most) => deleteImportsBefore(database, { before: plusDays(now, -importRetentionDays), most }), importsPerBatchMax);
}

async function deleteInBatches(deleteBatch: (most: number) => Promise<number>, most: number): Promise<void> {
  while ((await deleteBatch(most)) === most);
}

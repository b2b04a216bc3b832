import { firstIdAt } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { deleteExpiredAttempts } from './attempts-sql.ts';
import { deleteOldInvitations, deleteOldIdempotencyKeys, clearAddressHashes } from './erase-sql.ts';
import { deleteExpiredLinks } from './one-time-links-sql.ts';
import { deleteExpiredSessions } from './sessions-sql.ts';

/** Limits each statement, so that none runs long. */
const batchRowsMax = 10_000;

/** Break-ins are investigated within this time. */
export const addressRetentionDays = 90;
/** Counts from the invitation's own end: the record of invitees is private and is not stored forever. */
export const invitationRetentionDays = 90;
/** Clients retry a request within minutes; an idempotency key is stored for a month. */
export const replyRetentionDays = 30;
/** Rows that failed jobs left behind. */
const lookBackDays = 30;

/**
 * A job that deletes expired sessions, links and counters, and records of where people were or which people they invited. It repeats until
 * nothing is left, because a program that sends an Idempotency-Key with each request creates more rows in a day than one statement deletes.
 */
export async function deleteExpiredPeopleData({ database }: Platform): Promise<void> {
  const now = realNow();
  const from = firstIdAt(plusDays(now, -addressRetentionDays - lookBackDays));
  const before = firstIdAt(plusDays(now, -addressRetentionDays));
  await deleteInBatches((limit) => deleteExpiredSessions(database, { now, most: limit }));
  await deleteInBatches((limit) => deleteExpiredLinks(database, { now, most: limit }));
  await deleteInBatches((limit) => deleteExpiredAttempts(database, { now, most: limit }));
  await deleteInBatches((limit) => clearAddressHashes(database, { from, before, most: limit }));
  await deleteInBatches((limit) => deleteOldInvitations(database, { before: plusDays(now, -invitationRetentionDays), most: limit }));
  await deleteInBatches((limit) => deleteOldIdempotencyKeys(database, { before: plusDays(now, -replyRetentionDays), most: limit }));
}

async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(batchRowsMax)) === batchRowsMax);
}

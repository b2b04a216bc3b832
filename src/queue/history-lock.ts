import { historyLock } from '../db/advisory-locks.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import type { Platform } from '../runtime/platform.ts';
import { apiMessage } from '../messages/api-message.ts';

export type UnlessHistory<Result> = { readonly is: 'done'; readonly result: Result } | { readonly is: 'history' };

/**
 * Runs work that acts at the current time across stores, unless the seed is writing a history: that work would settle, invoice, or
 * pay at the current time what the history is about to use earlier. A history waits for work that has begun. Only the sandbox has any.
 */
export async function unlessHistoryIsWritten<Result>(
  { config, jobsDatabase }: Pick<Platform, 'config' | 'jobsDatabase'>,
  work: () => Promise<Result>,
): Promise<UnlessHistory<Result>> {
  if (config.mode !== 'sandbox') return { is: 'done', result: await work() };
  const lock = await historyLock(jobsDatabase, 'work');
  if (lock === null) return { is: 'history' };
  try {
    return { is: 'done', result: await work() };
  } finally {
    await lock.release();
  }
}

/** What an operation answers whose work has to wait for the history. */
export const historyIsWritten = refuse('conflict', apiMessage('history_lock.seed_writing_history_sandbox_which'));

/** For operations that write a row before their work: they are refused before they write it. */
export const refusedByHistory = async (platform: Pick<Platform, 'config' | 'jobsDatabase'>): Promise<Refusal | null> =>
  (await unlessHistoryIsWritten(platform, async () => {})).is === 'history' ? historyIsWritten : null;

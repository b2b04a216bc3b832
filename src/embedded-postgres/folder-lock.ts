import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart, messageOf } from './start-errors.ts';

export type FolderLock = { readonly release: () => void };

/**
 * A process that only checks whether a database is running (the seed, the command line) holds the lock briefly, so the lock is
 * retried.
 */
const lockWaitMs = 1_000;
const lockPauseMs = 50;
const sqliteBusy = 5;

/**
 * One process at a time uses the data folder. The lock must end with its process, even after a crash, and Node has no `flock`: an
 * exclusive SQLite transaction on a file that stays empty is a kernel lock. (A file with a process ID may be stale after a crash or
 * a reboot, and a listening socket leaves its file behind.)
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    const lock = tryLock(dataDir);
    if (lock !== null) {
      // Only for the error message below: this file is not the lock.
      writeFileSync(holderFile(dataDir), `${process.pid}\n`, { mode: 0o600 });
      return lock;
    }
    if (performance.now() > deadline) throw cannotStart(alreadyRunning(dataDir));
    await sleep(lockPauseMs);
  }
}

/** Whether a Tributary process uses the data folder; checked by taking the lock for a moment. */
export function isLocked(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = tryLock(dataDir);
  lock?.release();
  return lock === null;
}

/** Null if another process holds it. */
function tryLock(dataDir: string): FolderLock | null {
  const path = lockFile(dataDir);
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    // Without the pragma SQLite would create a journal that is never written.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
    throw cannotStart(`${path} cannot be locked: ${messageOf(error)}.`, error);
  }
  return { release: () => file.close() };
}

const lockFile = (dataDir: string): string => join(dataDir, 'database.lock');
const holderFile = (dataDir: string): string => join(dataDir, 'database.holder');

function alreadyRunning(dataDir: string): string {
  let holder = '';
  try {
    holder = ` (ID ${readFileSync(holderFile(dataDir), 'utf8').trim()})`;
  } catch {
    // The holder has just started, or belongs to another user; the message works without the ID.
  }
  return `The database in ${dataDir} is already in use by another Tributary process${holder}: stop it first, or choose another data folder.`;
}

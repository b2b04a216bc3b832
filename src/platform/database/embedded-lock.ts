import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart, messageOf } from './embedded-failure.ts';

export type FolderLock = { readonly release: () => void };

/** Somebody who only looks whether a database runs (the seed, the command line) holds the lock for a moment; that is waited for. */
const lockWaitMs = 1_000;
const lockPauseMs = 50;
const sqliteBusy = 5;

/**
 * One process at a time has the data folder. The lock must end with its process, however that ends, and Node has no
 * `flock`: an exclusive transaction of SQLite, on a file that stays empty, is the kernel's own lock under another name.
 * (A file with a process number can lie after a crash or a reboot, and a listening socket leaves a name behind.)
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    const lock = tryLock(dataDir);
    if (lock !== null) {
      // Only for the message below: the lock itself is not in this file.
      writeFileSync(holderFile(dataDir), `${process.pid}\n`, { mode: 0o600 });
      return lock;
    }
    if (performance.now() > deadline) throw cannotStart(alreadyRunning(dataDir));
    await sleep(lockPauseMs);
  }
}

/** Whether some Tributary has the data folder. Looked at by taking the lock for a moment. */
export function isLocked(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = tryLock(dataDir);
  lock?.release();
  return lock === null;
}

/** Null where another process has it. */
function tryLock(dataDir: string): FolderLock | null {
  const path = lockFile(dataDir);
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    // Without the pragma SQLite would put a journal beside the file that is never written.
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
    holder = ` (process ${readFileSync(holderFile(dataDir), 'utf8').trim()})`;
  } catch {
    // It has just begun, or belongs to another user: the line is good without the number.
  }
  return `The database in ${dataDir} is already in use by another Tributary${holder}: stop that one first, or choose another data folder.`;
}

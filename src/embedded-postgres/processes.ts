import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart } from './start-errors.ts';
import { databaseFolder } from './location.ts';

const fastStopMs = 10_000;
const killMs = 5_000;
const pauseMs = 5;

/**
 * Stops what a killed Tributary process left behind: a running PostgreSQL, some of its processes, or an unfinished initdb. No other
 * process uses them, because the caller holds the lock of the data folder. A regular shutdown is tried first, because the next
 * start then needs no recovery.
 */
export async function stopOrphans(folder: string, log: (line: string) => void): Promise<void> {
  if (processesIn(folder).length === 0) return;
  const postmaster = postmasterIn(folder);
  log(`An earlier PostgreSQL of ${folder} is still running (process ${postmaster ?? processesIn(folder).join(', ')}) and is stopped.`);
  if (postmaster !== null) {
    signal(postmaster, 'SIGINT');
    if (await waitUntilGone(folder, fastStopMs)) return;
  }
  await killAll(folder);
}

/** Kills all PostgreSQL processes of the folder and waits until they have ended, because they hold its shared memory. */
export async function killAll(folder: string): Promise<void> {
  for (const id of processesIn(folder)) signal(id, 'SIGKILL');
  if (await waitUntilGone(folder, killMs)) return;
  throw cannotStart(`PostgreSQL processes in ${folder} do not end (${processesIn(folder).join(', ')}): their disk may be stuck.`);
}

/** Ignores processes that have already ended. */
export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // The process has ended or belongs to another user; callers that wait for its end will notice.
  }
}

/**
 * The PostgreSQL processes of this folder. All of them, including our initdb, have it as their working directory, so this does not
 * depend on a file whose process ID may have been reused after a crash.
 */
export function processesIn(folder: string): readonly number[] {
  if (process.platform !== 'linux') return processesByFile(folder);
  const database = databaseFolder(folder);
  const finished = existsSync(database) ? realpathSync(database) : database;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => isPostgresIn(id, { finished, unfinished: `${database}.unfinished-` }))
    .map(Number);
}

function isPostgresIn(id: string, { finished, unfinished }: { readonly finished: string; readonly unfinished: string }): boolean {
  try {
    const workingFolder = readlinkSync(`/proc/${id}/cwd`).replace(/ \(deleted\)$/, '');
    if (workingFolder !== join(finished, 'cluster') && !workingFolder.startsWith(unfinished)) return false;
    // A shell may have the same working directory, and a zombie process has none.
    return ['postgres', 'initdb'].includes(readFileSync(`/proc/${id}/comm`, 'utf8').trim());
  } catch {
    // The process has ended, or belongs to another user and is not ours.
    return false;
  }
}

function postmasterIn(folder: string): number | null {
  const id = readPostmasterFile(folder)?.id ?? null;
  return id !== null && processesIn(folder).includes(id) ? id : null;
}

export const postmasterFile = (folder: string): string => join(databaseFolder(folder), 'cluster', 'postmaster.pid');

/** What PostgreSQL writes about itself: its process ID in the first line, its status in the eighth. */
export function readPostmasterFile(folder: string): { readonly id: number; readonly isReady: boolean } | null {
  try {
    const lines = readFileSync(postmasterFile(folder), 'utf8').split('\n');
    const id = Number(lines[0]);
    return Number.isSafeInteger(id) && id > 0 ? { id, isReady: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/** Without /proc: the ID in postmaster.pid, if `ps` reports a PostgreSQL process with this folder. */
function processesByFile(folder: string): readonly number[] {
  const id = readPostmasterFile(folder)?.id;
  if (id === undefined) return [];
  try {
    const command = execFileSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(id)], { encoding: 'utf8', timeout: 2_000 });
    return command.includes(dirname(postmasterFile(folder))) && basename(command.split(' -D ')[0] ?? '') === 'postgres' ? [id] : [];
  } catch {
    return [];
  }
}

async function waitUntilGone(folder: string, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (processesIn(folder).length > 0) {
    if (performance.now() > deadline) return false;
    await sleep(pauseMs);
  }
  return true;
}

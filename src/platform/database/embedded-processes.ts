import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart } from './embedded-failure.ts';
import { databaseFolder } from './embedded-place.ts';

const fastStopMs = 10_000;
const killMs = 5_000;
const pauseMs = 5;

/**
 * Stops what an earlier Tributary left behind when it was killed: a whole PostgreSQL, some of its processes, an initdb
 * half way. It belongs to nobody, because the caller holds the lock of the data folder. It is asked first: a
 * PostgreSQL that ends in order need not recover at the next start.
 */
export async function stopOrphans(folder: string, log: (line: string) => void): Promise<void> {
  if (processesIn(folder).length === 0) return;
  const postmaster = postmasterIn(folder);
  log(`An earlier PostgreSQL of ${folder} is still alive (process ${postmaster ?? processesIn(folder).join(', ')}): it is stopped.`);
  if (postmaster !== null) {
    signal(postmaster, 'SIGINT');
    if (await areGone(folder, fastStopMs)) return;
  }
  await killAll(folder);
}

/** Ends at once whatever PostgreSQL processes work in the folder, and waits until they are gone: they hold its shared memory. */
export async function killAll(folder: string): Promise<void> {
  for (const id of processesIn(folder)) signal(id, 'SIGKILL');
  if (await areGone(folder, killMs)) return;
  throw cannotStart(`PostgreSQL processes in ${folder} do not end (${processesIn(folder).join(', ')}): their disk may be stuck.`);
}

/** A process that is gone already needs no signal. */
export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // Gone; or another's, then whoever waits for it finds out.
  }
}

/**
 * The PostgreSQL processes that work in this folder. All of them, and initdb as we run it, make the folder their working
 * one; so the answer needs no file that a crash may have left with the number of a process long gone and given to another.
 */
export function processesIn(folder: string): readonly number[] {
  if (process.platform !== 'linux') return processesByFile(folder);
  const database = databaseFolder(folder);
  const finished = existsSync(database) ? realpathSync(database) : database;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => worksIn(id, { finished, unfinished: `${database}.unfinished-` }))
    .map(Number);
}

function worksIn(id: string, { finished, unfinished }: { readonly finished: string; readonly unfinished: string }): boolean {
  try {
    const workingFolder = readlinkSync(`/proc/${id}/cwd`).replace(/ \(deleted\)$/, '');
    if (workingFolder !== join(finished, 'cluster') && !workingFolder.startsWith(unfinished)) return false;
    // Somebody's shell may stand there too, and a killed process without a parent to bury it works nowhere.
    return ['postgres', 'initdb'].includes(readFileSync(`/proc/${id}/comm`, 'utf8').trim());
  } catch {
    // It has ended meanwhile, or it is another user's: then it is none of ours.
    return false;
  }
}

function postmasterIn(folder: string): number | null {
  const id = readPostmasterFile(folder)?.id ?? null;
  return id !== null && processesIn(folder).includes(id) ? id : null;
}

export const postmasterFile = (folder: string): string => join(databaseFolder(folder), 'cluster', 'postmaster.pid');

/** What PostgreSQL writes about itself: its process in the first line, how far it is in the eighth. */
export function readPostmasterFile(folder: string): { readonly id: number; readonly isReady: boolean } | null {
  try {
    const lines = readFileSync(postmasterFile(folder), 'utf8').split('\n');
    const id = Number(lines[0]);
    return Number.isSafeInteger(id) && id > 0 ? { id, isReady: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/** Without /proc: the number in postmaster.pid, believed only while `ps` says that it is a PostgreSQL with this folder. */
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

async function areGone(folder: string, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (processesIn(folder).length > 0) {
    if (performance.now() > deadline) return false;
    await sleep(pauseMs);
  }
  return true;
}

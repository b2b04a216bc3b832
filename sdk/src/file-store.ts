import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Queued, QueueStore } from './queue.ts';
import { operations } from './reports.ts';

type Kept = Queued & { readonly number: number; readonly dueMs: number; readonly holdsLane: boolean };

/**
 * Stores reports in a folder, one file each, for one process on one machine. Rejected reports are added to `refused.jsonl` there. A second
 * process on the same folder is rejected.
 */
export async function openFileStore(folder: string): Promise<QueueStore & { readonly close: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { held, kept } = await openFolder(folder);
  const leasedMs = new Map<string, number>();
  let number = Math.max(0, ...[...kept.values()].map((one) => one.number));
  const pathOf = (id: string) => join(folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  const keep = async (one: Kept) => {
    held.mustBeHeld();
    await writeSafely(folder, pathOf(one.id), JSON.stringify(one));
    kept.set(one.id, one);
  };
  const forget = async ({ id }: Queued) => {
    await rm(pathOf(id), { force: true });
    kept.delete(id);
    leasedMs.delete(id);
  };
  return {
    async add(queued, dueAt) {
      if (kept.has(queued.id)) return false;
      const one = { ...queued, number: (number += 1), dueMs: dueAt.getTime(), holdsLane: true };
      // Reserves the ID before the write completes, because the same report may be added twice concurrently.
      kept.set(one.id, one);
      try {
        await keep(one);
      } catch (error) {
        kept.delete(one.id);
        throw error;
      }
      return true;
    },
    async take({ now, leaseMs, most }) {
      held.mustBeHeld();
      const nowMs = now.getTime();
      const lanes = new Set<string>();
      const taken: Kept[] = [];
      for (const one of [...kept.values()].sort((a, b) => a.number - b.number)) {
        const isFirst = !one.holdsLane || !lanes.has(one.lane);
        if (one.holdsLane) lanes.add(one.lane);
        const isDue = one.dueMs <= nowMs && (leasedMs.get(one.id) ?? 0) <= nowMs;
        if (isFirst && isDue && taken.length < most) taken.push(one);
      }
      for (const { id } of taken) leasedMs.set(id, nowMs + leaseMs);
      return taken;
    },
    remove: forget,
    async postpone({ id }, { dueAt, lane }) {
      const one = kept.get(id);
      if (one) await keep({ ...one, failures: one.failures + 1, dueMs: dueAt.getTime(), holdsLane: lane !== null });
      leasedMs.delete(id);
    },
    async refuse(queued, { at, reason, message }) {
      const { operation, body } = queued;
      const line = { operation, body, reason, message, refused_at: at.toISOString() };
      await appendSafely(join(folder, 'refused.jsonl'), `${JSON.stringify(line)}\n`);
      await forget(queued);
    },
    close: held.unlock,
  };
}

async function openFolder(folder: string): Promise<{ readonly held: Held; readonly kept: Map<string, Kept> }> {
  const held = await lock(resolve(folder));
  try {
    return { held, kept: await readAll(folder) };
  } catch (error) {
    await held.unlock();
    throw error;
  }
}

/** Written to a temporary file, flushed, then renamed: a crash leaves the whole file or none. */
async function writeSafely(folder: string, path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const parent = await open(folder, 'r');
  try {
    // The directory entry must be flushed too. Windows does not support this, and reports an error.
    await parent.sync().catch(() => undefined);
  } finally {
    await parent.close();
  }
}

async function appendSafely(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(line);
    await file.sync();
  } finally {
    await file.close();
  }
}

const openHere = new Set<string>();
const beatMs = 5_000;
const beatsMissedMax = 3;

/**
 * The process that creates the file with the next number owns the folder. Numbers only grow and the highest file stays, so one of several
 * concurrent processes wins, and none removes a lock that another has just taken. A process ID alone proves nothing: in a container the
 * next process often has the same. So the owner also touches its file regularly, and a file that was not touched for a while is stale. Two
 * containers that share the folder cannot be distinguished.
 */
async function lock(folder: string): Promise<Held> {
  const last = Math.max(0, ...(await lockNumbers(folder)));
  const touchedMs = await touchedAt(lockPath(folder, last));
  const holder = Number(await readFile(lockPath(folder, last), 'utf8').catch(() => ''));
  const isTouched = touchedMs !== null && Date.now() - touchedMs < beatsMissedMax * beatMs;
  // A file without a number is being written at this moment.
  const isOther = isTouched && (!(holder > 0) || (holder !== process.pid && isAlive(holder)));
  if (isOther || openHere.has(folder)) throw new Error(`Tributary: the process ${holder || 'beside this one'} uses this folder already.`);
  openHere.add(folder);
  const path = lockPath(folder, last + 1);
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    await leaveIfPassed(folder, last + 1);
  } catch (error) {
    openHere.delete(folder);
    throw new Error('Tributary: another process uses this folder already, or it cannot be written.', { cause: error });
  }
  return holdOn(folder, path);
}

type Held = {
  /** Throws if another process took the folder over because this one was suspended for so long that it looked dead. */
  readonly mustBeHeld: () => void;
  readonly unlock: () => Promise<void>;
};

function holdOn(folder: string, path: string): Held {
  let isHeld = true;
  let lastBeat = Promise.resolve();
  const touch = (at: Date): Promise<void> =>
    utimes(path, at, at).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') isHeld = false;
    });
  const beat = setInterval(() => void (lastBeat = touch(new Date())), beatMs);
  beat.unref();
  const unlock = async (): Promise<void> => {
    clearInterval(beat);
    await lastBeat;
    await touch(new Date(0));
    openHere.delete(folder);
  };
  let unlocked: Promise<void> | null = null;
  return {
    mustBeHeld() {
      if (!isHeld) throw new Error('Tributary: this process stood still for long, and another one uses its folder now.');
    },
    unlock: () => (unlocked ??= unlock()),
  };
}

/** A slow process may find its number free again, because a later owner removed its file. The later owner's file shows this. */
export async function leaveIfPassed(folder: string, mine: number): Promise<void> {
  const numbers = await lockNumbers(folder);
  const isPassed = numbers.some((number) => number > mine);
  const cleared = isPassed ? [mine] : numbers.filter((number) => number < mine);
  for (const number of cleared) await rm(lockPath(folder, number), { force: true });
  if (isPassed) throw new Error('It was taken over meanwhile.');
}

const lockPath = (folder: string, number: number): string => join(folder, `lock.${number}`);

const lockNumbers = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).filter((entry) => /^lock\.\d{1,15}$/.test(entry)).map((entry) => Number(entry.slice('lock.'.length)));

const touchedAt = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

function isAlive(holder: number): boolean {
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function readAll(folder: string): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>();
  for (const entry of await readdir(folder)) {
    if (entry.endsWith('.draft')) await rm(join(folder, entry), { force: true });
    if (!/^[0-9a-f]{64}\.json$/.test(entry)) continue;
    const json: unknown = JSON.parse(await readFile(join(folder, entry), 'utf8'));
    if (!isKept(json)) throw new Error(`Tributary: ${entry} in the folder of the queue cannot be read.`);
    kept.set(json.id, json);
  }
  return kept;
}

function isKept(json: unknown): json is Kept {
  if (typeof json !== 'object' || json === null) return false;
  const has = (name: string, type: string) => typeof Reflect.get(json, name) === type;
  const isWhole =
    ['id', 'lane', 'body'].every((name) => has(name, 'string')) && ['number', 'dueMs', 'failures'].every((name) => has(name, 'number'));
  return isWhole && has('holdsLane', 'boolean') && operations.some((operation) => operation === Reflect.get(json, 'operation'));
}

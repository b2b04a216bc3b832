import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Queued, QueueStore } from './queue.ts';
import { operations } from './reports.ts';

type Kept = Queued & { readonly number: number; readonly dueMs: number; readonly holdsLane: boolean };

/**
 * Reports wait in a folder, one file each, for one process on one machine. What the service refused is added to `refused.jsonl`
 * there. A second process on the same folder is refused.
 */
export async function openFileStore(folder: string): Promise<QueueStore & { readonly close: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = await lock(resolve(folder, 'lock'));
  const kept = await readAll(folder);
  const leasedMs = new Map<string, number>();
  let number = Math.max(0, ...[...kept.values()].map((one) => one.number));
  const pathOf = (id: string) => join(folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  const keep = async (one: Kept) => {
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
      // Before it is on the disk too: the same report may be added twice at once.
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
    close: unlock,
  };
}

/** Written beside its place, flushed, then renamed: a crash leaves the whole file or none. */
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
    // The name too must be on the disk. Windows knows no such thing, and says so.
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
 * The number of a process alone proves nothing: in a container the next one often has the same. So the holder also touches its file
 * again and again, and one that was not touched for a while is nobody's.
 */
async function lock(path: string): Promise<() => Promise<void>> {
  const touchedMs = await touchedAt(path);
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  const isTouched = touchedMs !== null && Date.now() - touchedMs < beatsMissedMax * beatMs;
  // Without a number it is being written just now.
  const isOther = isTouched && (!(holder > 0) || (holder !== process.pid && isAlive(holder)));
  if (isOther || openHere.has(path)) throw new Error(`Tributary: the process ${holder || 'beside this one'} uses this folder already.`);
  openHere.add(path);
  try {
    if (touchedMs !== null) await removeLeft(path, touchedMs);
    // Where two come at once, one of them fails here.
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    openHere.delete(path);
    throw new Error('Tributary: another process uses this folder already, or it cannot be written.', { cause: error });
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), beatMs);
  beat.unref();
  return async () => {
    clearInterval(beat);
    openHere.delete(path);
    await rm(path, { force: true });
  };
}

const touchedAt = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );

/** It is put aside first: of two who found the same one left, the second would else remove what the first has just written. */
async function removeLeft(path: string, touchedMs: number): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  await rename(path, aside).catch(() => undefined);
  const asideMs = await touchedAt(aside);
  if (asideMs === touchedMs) await rm(aside, { force: true });
  else if (asideMs !== null) await rename(aside, path);
}

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

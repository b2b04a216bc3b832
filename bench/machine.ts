import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const measureMs = 700;
const pageBytes = 8_192;

type Fsyncs = { readonly perSecond: number; readonly p99Ms: number };

/** The minimum cost of a commit on this disk while nothing else uses it. */
export function measureFsyncs(folder: string): Fsyncs {
  const path = join(folder, 'fsync-try');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(pageBytes);
  const tookMs: number[] = [];
  const beganAt = performance.now();
  for (let now = beganAt; now - beganAt < measureMs;) {
    writeSync(file, page, 0, pageBytes, 0);
    fdatasyncSync(file);
    const doneAt = performance.now();
    tookMs.push(doneAt - now);
    now = doneAt;
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  closeSync(file);
  rmSync(path);
  tookMs.sort((a, b) => a - b);
  return { perSecond: Math.round(tookMs.length / seconds), p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0 };
}

/** The number of cores that are busy while the benchmark is idle. */
export async function foreignLoad(): Promise<string> {
  const before = times();
  await pause(measureMs);
  const after = times();
  const cores = cpus().length;
  return `${((cores * (after.busy - before.busy)) / Math.max(1, after.all - before.all)).toFixed(1)} of ${cores} cores`;
}

function times(): { readonly busy: number; readonly all: number } {
  const all = cpus().map(({ times: of }) => ({ idle: of.idle, busy: of.user + of.nice + of.sys + of.irq }));
  const busy = all.reduce((sum, core) => sum + core.busy, 0);
  return { busy, all: busy + all.reduce((sum, core) => sum + core.idle, 0) };
}

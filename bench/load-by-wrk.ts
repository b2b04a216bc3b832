import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Loaded } from './load.ts';
import { requestsOf, type Load } from './requests.ts';

/** Uses wrk where it is installed, because it takes less CPU away from the servers. */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error === undefined;

/** The time until the last answer, after the load has ended. */
const lastAnswersSecondsMax = 8;

export async function loadByWrk(load: Load): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-load-'));
  try {
    const file = join(folder, 'requests');
    writeFileSync(file, Buffer.concat(requestsOf(load).flatMap((request) => [Buffer.from(`${request.length}\n`), request])));
    return loadedOf(load, await run(load, file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run({ port, connections, seconds, requests }: Load, file: string): Promise<string> {
  const times = requests.are === 'visits' ? 'again' : 'once';
  const own = [
    '--threads',
    '1',
    '--connections',
    `${connections}`,
    '--duration',
    `${Math.ceil(seconds) + lastAnswersSecondsMax}s`,
    '--timeout',
    '8s',
  ];
  const script = ['--script', join(import.meta.dirname, 'load.lua'), `http://127.0.0.1:${port}`, '--', file, times];
  const child = spawn('wrk', [...own, ...script, `${seconds}`, `${connections}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}

type WrkReport = {
  readonly requests: number;
  readonly refused: number;
  readonly broken: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** The last line is the output of our script. */
function loadedOf({ requests }: Load, said: string): Loaded {
  const report = JSON.parse(said.trim().split('\n').at(-1) ?? '') as WrkReport;
  const good = requests.are === 'visits' ? '302' : '200';
  const bad = { ...(report.refused > 0 && { refused: report.refused }), ...(report.broken > 0 && { broken: report.broken }) };
  const { seconds, p50Ms, p99Ms } = report;
  return { answers: { [good]: report.requests - report.refused, ...bad }, seconds, p50Ms, p99Ms };
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbedded, startEmbedded } from '../src/embedded-postgres/start.ts';
import { readArguments } from './arguments.ts';
import { compareBilling } from './billing.ts';
import { describeCost, measureCost, type Cost } from './cost.ts';
import { openBench, type Bench } from './bench.ts';
import { fillClicks } from './fill-sql.ts';
import { describeTimings } from './lists.ts';
import { hasWrk } from './load-by-wrk.ts';
import { foreignLoad, measureFsyncs } from './machine.ts';
import { compareClicks, comparePostbacks, type Comparison } from './comparisons.ts';
import { measureService, type Weighed } from './service.ts';
import { compareQuestions, describeMeasured, type Measured } from './queries.ts';
import { rowOfMeasured, rowOfWeighed, rowsOfComparison, describeWeighed, type SpeedRow } from './speed-rows.ts';
import { keepSpeed } from '../scripts/proof-results.ts';
import { commitInWords, machineInWords } from '../scripts/proof-machine.ts';
import { describeComparison } from './report.ts';

const options = readArguments();
const { pace, clicks, commissions, billed } = options;
const parts = { clicks: compareClicks, postbacks: comparePostbacks };
const isWanted = (name: string): boolean => options.only === undefined || options.only === name;
const storesBilled = 500;
const billedAlone = 5_000;
const say = (line: string) => (options.json ? process.stderr : process.stdout).write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
const database = await startEmbedded({ dataDir, log: () => {} });
// An interrupted run leaves nothing behind. The contestants end when this process is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void clear().finally(() => process.exit(1)));
const clearing: { begun: Promise<void> | null } = { begun: null };
let comparisons: readonly Comparison[] = [];
const measured: Measured[] = [];
const weighed: Weighed[] = [];
let cost: Cost | null = null;
const startedAt = new Date().toISOString();
const loadBy = hasWrk() ? 'wrk' : 'the benchmark itself';
const machine = {
  loadBy,
  fsyncsPerSecond: { before: 0, after: 0 },
  fsyncP99Ms: { before: 0, after: 0 },
  foreignLoad: { before: '', after: '' },
};
try {
  await lookAtMachine('before');
  const bench = await openBench({
    databaseUrl: database.url,
    secretKey: randomBytes(32),
    profileFolder: options.profile ?? null,
    pace,
    countsCodes: options.codes,
  });
  try {
    comparisons = await measure(bench);
    if (isWanted('cost')) {
      cost = await measureCost(bench, database.postmasterPid);
      say(describeCost(cost));
    }
    await measureBooks(bench);
  } finally {
    await bench.close();
  }
  if (isWanted('service')) weighed.push(...(await measureService(pace.rounds)));
  for (const one of weighed) say(describeWeighed(one));
  await lookAtMachine('after');
  if (!options.isProof) say('The aims are meant for the usual sizes and all parts, in one run: `npm run bench`.');
} finally {
  await clear();
}
const rows: readonly SpeedRow[] = [...comparisons.flatMap(rowsOfComparison), ...measured.map(rowOfMeasured), ...weighed.map(rowOfWeighed)];
const root = join(import.meta.dirname, '..');
const result = { startedAt, commit: commitInWords(root), machine: { is: machineInWords(), ...machine }, rows };
if (options.isProof) keepSpeed(root, result);
if (options.json) process.stdout.write(`${JSON.stringify({ ...result, comparisons, measured, weighed, cost })}\n`);
process.exitCode = rows.every(({ isHonest }) => isHonest) && (cost?.failed ?? 0) === 0 ? 0 : 1;

async function lookAtMachine(when: 'before' | 'after'): Promise<void> {
  const { perSecond, p99Ms } = measureFsyncs(dataDir);
  machine.fsyncsPerSecond[when] = perSecond;
  machine.fsyncP99Ms[when] = p99Ms;
  machine.foreignLoad[when] = await foreignLoad();
  const disk = `${perSecond} fsyncs a second, p99 ${p99Ms.toFixed(2)} ms`;
  say(`${when}: ${disk}; others take ${machine.foreignLoad[when]}; load by ${loadBy}`);
}

/** Runs once: a signal also ends the contestants, which ends the measurement. */
function clear(): Promise<void> {
  return (clearing.begun ??= remove());
}

async function remove(): Promise<void> {
  await database.stop();
  await removeEmbedded(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

async function measureBooks(bench: Bench): Promise<void> {
  const books = {
    stores: storesBilled,
    perStore: Math.ceil(billed / storesBilled),
    alone: Math.min(billedAlone, Math.ceil(billed / 20)),
  };
  if (isWanted('billing')) measured.push(...(await compareBilling(bench, books)));
  if (isWanted('questions')) {
    const questions = await compareQuestions(bench, commissions);
    measured.push(...questions.measured);
    weighed.push(...questions.weighed);
    say(describeTimings(questions.timings));
  }
  for (const one of measured) say(describeMeasured(one));
}

async function measure(bench: Bench): Promise<readonly Comparison[]> {
  const compared: Comparison[] = [];
  if (!Object.keys(parts).some(isWanted)) return compared;
  for (const rowsBefore of clicks > 0 ? [0, clicks] : [0]) {
    if (rowsBefore > 0) await fillClicks(bench.patient, rowsBefore);
    for (const [name, compare] of Object.entries(parts)) {
      if (!isWanted(name)) continue;
      const comparison = await compare(bench, rowsBefore);
      compared.push(comparison);
      say(describeComparison(comparison));
    }
  }
  return compared;
}

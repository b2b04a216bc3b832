import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeEmbedded, startEmbedded } from '../src/platform/database/embedded.ts';
import { compareBilling } from './billing.ts';
import { openBench, type Bench } from './bench.ts';
import { fillClicks } from './fill-sql.ts';
import { foreignLoad, fsyncsPerSecond } from './machine.ts';
import { compareClicks, comparePostbacks, type Comparison } from './comparisons.ts';
import { compareQuestions, toldMeasured, type Measured } from './questions.ts';
import { told } from './told.ts';

/**
 * `npm run bench`: how fast it is, as ratios within one run on this machine, because absolute figures say more about the
 * machine. `-- --quick` is a look, `-- --json` for programs, `-- --clicks 2000000` how many clicks lie there already in
 * the second half, `-- --profile` leaves CPU profiles of the service in the folder it names.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    clicks: { type: 'string' },
    commissions: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const clicks = Number(values.clicks ?? (values.quick ? 100_000 : 2_000_000));
const pace = values.quick ? { rounds: 3, seconds: 2 } : { rounds: 5, seconds: 3 };
const commissions = Number(values.commissions ?? (values.quick ? 50_000 : 1_000_000));
const parts = { clicks: compareClicks, postbacks: comparePostbacks };
const storesBilled = 500;
const billedAlone = 5_000;
const say = (line: string) => (values.json ? process.stderr : process.stdout).write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
const database = await startEmbedded({ dataDir, log: () => {} });
// A run that is broken off leaves nothing behind. The contestants end by themselves when we are gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void clear().finally(() => process.exit(1)));
const clearing: { begun: Promise<void> | null } = { begun: null };
let comparisons: readonly Comparison[] = [];
const measured: Measured[] = [];
try {
  const machine = { fsyncsPerSecond: fsyncsPerSecond(dataDir), foreignLoad: await foreignLoad() };
  say(`before: ${machine.fsyncsPerSecond} fsyncs a second; others take ${machine.foreignLoad}`);
  const bench = await openBench({ databaseUrl: database.url, secretKey: randomBytes(32), profileFolder: values.profile ?? null, pace });
  try {
    comparisons = await measure(bench);
    await measureBooks(bench);
  } finally {
    await bench.close();
  }
  say(`after: ${fsyncsPerSecond(dataDir)} fsyncs a second; others take ${await foreignLoad()}`);
} finally {
  await clear();
}
if (values.json) process.stdout.write(`${JSON.stringify({ comparisons, measured })}\n`);
process.exitCode = [...comparisons, ...measured].every(({ isHonest }) => isHonest) ? 0 : 1;

/** Once, whoever asks first: a signal ends the contestants too, and with them the measuring. */
function clear(): Promise<void> {
  return (clearing.begun ??= remove());
}

async function remove(): Promise<void> {
  await database.stop();
  await removeEmbedded(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

async function measureBooks(bench: Bench): Promise<void> {
  const isWanted = (name: string) => values.only === undefined || values.only === name;
  const sizes = { stores: storesBilled, perStore: Math.ceil(commissions / storesBilled), alone: Math.min(billedAlone, commissions) };
  if (isWanted('billing')) measured.push(...(await compareBilling(bench, sizes)));
  if (isWanted('questions')) measured.push(...(await compareQuestions(bench, commissions)));
  for (const one of measured) say(toldMeasured(one));
}

async function measure(bench: Bench): Promise<readonly Comparison[]> {
  const compared: Comparison[] = [];
  if (values.only === 'billing' || values.only === 'questions') return compared;
  for (const rowsBefore of clicks > 0 ? [0, clicks] : [0]) {
    if (rowsBefore > 0) await fillClicks(bench.platform.database, rowsBefore);
    for (const [name, compare] of Object.entries(parts)) {
      if (values.only !== undefined && values.only !== name) continue;
      const comparison = await compare(bench, rowsBefore);
      compared.push(comparison);
      say(told(comparison));
    }
  }
  return compared;
}

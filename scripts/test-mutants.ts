import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeEmbedded, startEmbedded } from '../src/platform/database/embedded.ts';
import { mutants, type Mutant } from './mutants.ts';
import { commitInWords, machineInWords } from './proof-machine.ts';
import { keepMutant, keptMutants, type MutantResult } from './proof-results.ts';

/**
 * `npm run test:mutants`: puts one fault after the other into a copy of the code, and runs the tests that should notice it. A test that
 * cannot fail holds nothing. What was tried is kept; a run that was broken off goes on where it was, and a fault is tried again only
 * when it, the file it is put into, or one of its tests has changed.
 */
const usage = `npm run test:mutants -- [--only <part of a name>] [--again]

  --only    those whose name has this in it
  --again   also those whose result is known
`;
const { values: asked } = parseArgs({
  options: { only: { type: 'string' }, again: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (asked.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const caughtAtLeast = 38;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'tributary-mutants-'));
const copy = join(folder, 'house');
const dataDir = join(folder, 'data');
const left = ['node_modules', '.git', '.data', '.proof', 'dist'];

let stopTests: (signal: NodeJS.Signals) => void = () => {};
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopped = true;
    stopTests(signal);
  });
}

const known = new Map(keptMutants(root).map((result) => [result.fingerprint, result]));
const wanted = mutants.filter(({ name }) => asked.only === undefined || name.includes(asked.only));
const open = wanted.filter((mutant) => asked.again || !known.has(fingerprintOf(mutant)));
if (open.length > 0) await tryAll(open);
tell(wanted.map((mutant) => ({ mutant, result: known.get(fingerprintOf(mutant)) })));

async function tryAll(faults: readonly Mutant[]): Promise<void> {
  mkdirSync(copy);
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.includes(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const database = await startEmbedded({ dataDir, log: () => {} });
  try {
    // A test that fails without the fault too would catch everything.
    const sound = await runTests([...new Set(faults.flatMap(({ tests }) => tests))], database.url);
    if (isStopped) return;
    if (!sound.isGood) throw new Error(`without any fault these tests fail:\n${sound.failed.join('\n')}`);
    for (const mutant of faults) {
      if (isStopped) return;
      await tryOne(mutant, database.url);
    }
  } finally {
    await database.stop();
    await removeEmbedded(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryOne(mutant: Mutant, databaseUrl: string): Promise<void> {
  const path = join(copy, mutant.file);
  const sound = readFileSync(path, 'utf8');
  const began = Date.now();
  writeFileSync(path, faulty(mutant, sound));
  try {
    const { isGood, failed } = await runTests([...mutant.tests], databaseUrl);
    if (isStopped) return;
    const result: MutantResult = {
      name: mutant.name,
      fingerprint: fingerprintOf(mutant),
      isMoney: mutant.isMoney,
      isCaught: !isGood,
      by: failed[0] ?? '',
      seconds: Math.round((Date.now() - began) / 1_000),
      at: new Date().toISOString(),
      commit: commitInWords(root),
      machine: machineInWords(),
    };
    known.set(result.fingerprint, result);
    keepMutant(root, result);
    process.stdout.write(
      `${result.isCaught ? 'caught ' : 'MISSED '} ${mutant.name} (${result.seconds} s)${failed[0] ? `: ${failed[0]}` : ''}\n`,
    );
  } finally {
    writeFileSync(path, sound);
  }
}

function faulty({ name, file, from, to }: Mutant, sound: string): string {
  const [before, ...after] = sound.split(from);
  if (before === undefined || after.length !== 1) throw new Error(`${name}: its words stand ${after.length} times in ${file}, not once`);
  return `${before}${to}${after[0]}`;
}

/** The fault, where it goes, and what looks for it. */
function fingerprintOf({ name, file, from, to, tests }: Mutant): string {
  const hash = createHash('sha256').update(JSON.stringify([name, file, from, to, tests]));
  for (const path of [file, ...tests]) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

type Ran = { readonly isGood: boolean; readonly failed: readonly string[] };
type Report = {
  readonly testResults: readonly {
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** Ends at the first test that fails. A file that cannot even be loaded is a fault in the fault, not one that was caught. */
async function runTests(files: readonly string[], databaseUrl: string): Promise<Ran> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', ...files, '--bail=1', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [vitest, ...args], { cwd: copy, env, stdio: ['ignore', 'ignore', 'ignore'] });
  stopTests = (signal) => child.kill(signal);
  const code = await new Promise<number>((resolve) => child.once('exit', (ended) => resolve(ended ?? 1)));
  const { testResults } = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : { testResults: [] };
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const broken = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  if (!isStopped && code !== 0 && failed.length === 0) {
    if (broken.length === 0) throw new Error(`vitest ended with ${code} and no test failed: ${files.join(', ')}`);
    return { isGood: false, failed: broken.map(({ message }) => `not even loaded: ${message.split('\n')[0] ?? ''}`) };
  }
  return { isGood: code === 0, failed };
}

function tell(tried: ReadonlyArray<{ readonly mutant: Mutant; readonly result: MutantResult | undefined }>): void {
  const results = tried.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const caught = results.filter(({ isCaught }) => isCaught);
  const missed = results.filter(({ isCaught }) => !isCaught);
  const untried = tried.length - results.length;
  process.stdout.write(`${caught.length} of ${tried.length} faults were caught${untried > 0 ? `, ${untried} were not tried` : ''}.\n`);
  for (const { name, isMoney } of missed) process.stdout.write(`  missed: ${name}${isMoney ? ' (money)' : ''}\n`);
  const isEnough = asked.only === undefined ? caught.length >= caughtAtLeast : missed.length === 0;
  process.exitCode = isEnough && untried === 0 && !missed.some(({ isMoney }) => isMoney) ? 0 : 1;
}

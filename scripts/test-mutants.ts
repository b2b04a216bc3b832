import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isLocked } from '../src/embedded-postgres/folder-lock.ts';
import { removeEmbedded, startEmbedded } from '../src/embedded-postgres/start.ts';
import { mutated, type Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';
import { commitInWords, machineInWords } from './proof-machine.ts';
import { keepMutant, keptMutants, type MutantResult } from './proof-results.ts';

/**
 * `npm run test:mutants`: applies one mutant after the other to a copy of the code, and runs the tests that should detect it, because a
 * test that cannot fail guards nothing. Results are stored; an interrupted run resumes, and a mutant is tried again only when it, the
 * mutated file, or one of its tests has changed.
 */
const usage = `npm run test:mutants -- [--only <part of a name>] [--again]

  --only    those whose name has this in it
  --again   also those whose result is known
`;
const { values: options } = parseArgs({
  options: { only: { type: 'string' }, again: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (options.help) {
  process.stdout.write(usage);
  process.exit(0);
}

/** At most 2 of 40 mutants may survive, no more than that with more mutants, and none that concerns money. */
const missedMost = 2;
const mutantMsMax = 120_000;
/** Runs all tests once, without a mutant, to the end. */
const soundMsMax = 15 * 60_000;
const killAfterMs = 5_000;
/** Of what the tests print as errors, the last characters. */
const wordsMax = 2_000;
const prefix = 'tributary-mutants-';
/** A folder this recent may belong to a concurrent run that has not locked it yet. */
const youngMs = 60_000;

const root = join(import.meta.dirname, '..');
const left = ['node_modules', '.git', '.data', '.proof', 'dist'];

let stopTests = (): void => {};
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopped = true;
    stopTests();
  });
}

const wanted = mutants.filter(({ name }) => options.only === undefined || name.includes(options.only));
// Computed before the copy is made, so that later changes do not count as tried.
const fingerprints = new Map(wanted.map((mutant) => [mutant.name, fingerprintOf(mutant)]));
const known = new Map(keptMutants(root).map((result) => [result.fingerprint, result]));
const broken = new Map<string, string>();
const open = wanted.filter(({ name }) => options.again || !known.has(fingerprints.get(name) ?? ''));
await removeLeftovers();
if (open.length > 0) await tryAll(open);
tell();

async function tryAll(chosen: readonly Mutant[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  mkdirSync(join(folder, 'tmp'));
  const dataDir = join(folder, 'data');
  const copy = join(folder, 'copy');
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.includes(basename(path)) });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const database = await startEmbedded({ dataDir, log: () => {} });
    try {
      await tryEach(chosen, { folder, copy, databaseUrl: database.url });
    } finally {
      await database.stop();
    }
  } finally {
    await remove(folder);
  }
}

/** The copy in which the mutants are tried. */
type Place = { readonly folder: string; readonly copy: string; readonly databaseUrl: string };

async function tryEach(chosen: readonly Mutant[], place: Place): Promise<void> {
  // A test that fails without the mutant would detect every mutant.
  const sound = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))], place, soundMsMax);
  if (isStopped) return;
  if (sound.ended !== 'all passed') throw new Error(`without any mutant: ${sound.ended}, ${sound.by}\n${sound.said ?? ''}`);
  for (const mutant of chosen) {
    if (isStopped) return;
    await tryOne(mutant, place);
  }
}

async function tryOne(mutant: Mutant, place: Place): Promise<void> {
  const path = join(place.copy, mutant.file);
  const sound = readFileSync(path, 'utf8');
  const wrong = mutated(mutant, sound);
  const began = Date.now();
  writeFileSync(path, wrong ?? sound);
  const { ended, by } = wrong === null ? unknownWords(mutant) : await runTests(mutant.tests, place, mutantMsMax);
  writeFileSync(path, sound);
  if (isStopped) return;
  const seconds = Math.round((Date.now() - began) / 1_000);
  if (ended === 'broken') broken.set(mutant.name, by);
  else keep(mutant, { isCaught: ended === 'a test failed', by, seconds });
  const word = { 'a test failed': 'caught', 'all passed': 'MISSED', broken: 'BROKEN' }[ended];
  process.stdout.write(`${word} ${mutant.name} (${seconds} s)${by === '' ? '' : `: ${by}`}\n`);
}

function unknownWords({ file }: Mutant): Ran {
  return { ended: 'broken', by: `its words do not stand exactly once in ${file}` };
}

function keep({ name, isMoney }: Mutant, tried: Pick<MutantResult, 'isCaught' | 'by' | 'seconds'>): void {
  const fingerprint = fingerprints.get(name) ?? '';
  const at = new Date().toISOString();
  const result: MutantResult = { name, fingerprint, isMoney, ...tried, at, commit: commitInWords(root), machine: machineInWords() };
  known.set(fingerprint, result);
  keepMutant(root, result);
}

/** The mutant, its file, and the tests that should detect it. */
function fingerprintOf({ name, file, from, to, tests }: Mutant): string {
  const hash = createHash('sha256').update(JSON.stringify([name, file, from, to, tests]));
  for (const path of [file, ...tests]) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Broken: no test failed, and yet the run did not succeed. The code could not be loaded, or the tests did not end. */
type Ran = { readonly ended: 'all passed' | 'a test failed' | 'broken'; readonly by: string; readonly said?: string | undefined };
type Report = {
  readonly testResults: readonly {
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** Stops at the first failing test. A file that cannot be loaded is a broken mutant, not a detected one. */
async function runTests(files: readonly string[], place: Place, msMax: number, bail = 1): Promise<Ran> {
  const report = join(place.folder, 'report.json');
  rmSync(report, { force: true });
  const { code, words, isLate } = await vitest(
    ['run', ...files, `--bail=${bail}`, '--reporter=json', `--outputFile.json=${report}`],
    place,
    msMax,
  );
  if (isLate) return { ended: 'broken', by: `its tests did not end in ${msMax / 1_000} s` };
  if (!existsSync(report)) return { ended: 'broken', by: `the tests ended with ${code}: ${words}` };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))[0];
  if (failed !== undefined) return { ended: 'a test failed', by: failed.fullName, said: failed.failureMessages[0] };
  if (code === 0) return { ended: 'all passed', by: '' };
  const unloaded = testResults.find(({ status }) => status === 'failed')?.message;
  // Two files that failed at the same moment interrupted each other, and neither names the failed test, so they run again to the end.
  if (unloaded === '' && bail > 0) return runTests(files, place, msMax, 0);
  return { ended: 'broken', by: (unloaded ?? words).split('\n', 1)[0] ?? '' };
}

type Ended = { readonly code: number | null; readonly words: string; readonly isLate: boolean };

/** Uses a process group, so that the workers' children end with it; their files are in our folder. */
function vitest(args: readonly string[], { folder, copy, databaseUrl }: Place, msMax: number): Promise<Ended> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, TMPDIR: join(folder, 'tmp') };
  const child = spawn(process.execPath, [program, ...args], { cwd: copy, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  let isLate = false;
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (words = `${words}${piece}`.slice(-wordsMax)));
  const stop = (): void => {
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), killAfterMs).unref();
  };
  const late = setTimeout(() => {
    isLate = true;
    stop();
  }, msMax);
  stopTests = stop;
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(late);
      stopTests = () => {};
      // The parent of the remaining processes is gone.
      signalGroup(child.pid, 'SIGKILL');
      resolve({ code, words, isLate });
    }),
  );
}

function signalGroup(id: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (id !== undefined) process.kill(-id, signal);
  } catch {
    // All processes of the group are gone.
  }
}

/** A killed run could not clean up, and its PostgreSQL may still be running. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    // A folder that cannot be removed belongs to another user or was just taken, so it is left alone.
    if (Date.now() - madeAt > youngMs && !isLocked(join(folder, 'data'))) await remove(folder).catch(() => {});
  }
}

async function remove(folder: string): Promise<void> {
  // A test that was killed may have started a database.
  const oneDown = readdirSync(join(folder, 'tmp')).flatMap((name) => [join(folder, 'tmp', name), join(folder, 'tmp', name, '.data')]);
  for (const dataDir of [join(folder, 'data'), ...oneDown]) {
    if (lstatSync(join(dataDir, 'database'), { throwIfNoEntry: false })) await removeEmbedded(dataDir);
  }
  rmSync(folder, { recursive: true, force: true });
}

function tell(): void {
  const results = wanted.flatMap(({ name }) => known.get(fingerprints.get(name) ?? '') ?? []);
  const missed = results.filter(({ isCaught }) => !isCaught);
  const untried = wanted.length - results.length - broken.size;
  process.stdout.write(
    `${results.length - missed.length} of ${wanted.length} mutants were caught${untried > 0 ? `, ${untried} not tried` : ''}.\n`,
  );
  for (const { name, isMoney } of missed) process.stdout.write(`  missed: ${name}${isMoney ? ' (money)' : ''}\n`);
  for (const [name, why] of broken) process.stdout.write(`  no mutant that can be tried: ${name}: ${why}\n`);
  const isEnough = missed.length <= (options.only === undefined ? missedMost : 0) && !missed.some(({ isMoney }) => isMoney);
  process.exitCode = isEnough && results.length === wanted.length ? 0 : 1;
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foreignLoad } from '../bench/machine.ts';
import { hardParts, missingFor, type HardPart } from './hard-parts.ts';
import { machineInWords, commitInWords } from './proof-machine.ts';
import { measurementsIn, keepResult, lineOf, type PartResult } from './proof-results.ts';

/**
 * `npm run test:hard -- <parts> --seed N --scale 0.01`: runs the tests of `npm test` at full length, part by part. It prints one line per
 * result, and stores the results for docs/proof.md.
 */
const usage = `npm run test:hard -- [part …] [--seed N] [--path P] [--scale 0.01] [--json]

  parts     ${Object.keys(hardParts).join(', ')}; without a name all of them, in this order
            (cluster only with the settings in CONTRIBUTING.md)
  --seed    of the run that is to be repeated; a new one is drawn otherwise
  --path    what fast-check printed with a history that differs: only that one is lived again
  --scale   so much of everything: 0.01 tries whether a part runs, 1 is the proof
  --json    one line of JSON for each part, and nothing else
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    path: { type: 'string' },
    scale: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const scale = Number(options.scale);
const unknown = positionals.filter((name) => !(name in hardParts));
const unset = positionals.flatMap((name) => missingFor(hardParts[name] ?? { files: [] }));
if (options.help || unknown.length > 0 || !(scale > 0 && scale <= 1) || (options.seed !== undefined && !/^\d+$/.test(options.seed))) {
  process.stderr.write(unknown.length > 0 ? `There is no part ${unknown.join(', ')}.\n\n${usage}` : usage);
  process.exit(options.help ? 0 : 2);
}

if (unset.length > 0) {
  process.stderr.write(`Set ${unset.join(', ')}, which CONTRIBUTING.md describes.\n`);
  process.exit(2);
}

/** These tests have no time limit that a slow machine could reach, but a hanging one must end. */
const testMsMax = 45 * 60_000;
const failuresMax = 20;
const wordsOfFailureMax = 1_500;
const root = join(import.meta.dirname, '..');
const seedsBelow = 2 ** 31;
const seed = options.seed === undefined ? Math.floor(Math.random() * seedsBelow) : Number(options.seed);
const folder = mkdtempSync(join(tmpdir(), 'tributary-hard-'));
const machine = machineInWords();
const commit = commitInWords(root);

/** Ctrl-C must also stop the child processes. */
let stopPart: (signal: NodeJS.Signals) => void = () => {};
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopped = true;
    stopPart(signal);
  });
}

let failed = 0;
for (const [name, part] of Object.entries(hardParts)) {
  if (isStopped || missingFor(part).length > 0 || (positionals.length > 0 && !positionals.includes(name))) continue;
  const result = await run(name, part);
  if (!isStopped) keepResult(root, result);
  failed += result.passed ? 0 : 1;
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : lineOf(result));
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed > 0 || isStopped ? 1 : 0;

async function run(name: string, { files, workers = 1 }: HardPart): Promise<PartResult> {
  const others = await foreignLoad();
  const startedAt = new Date();
  const measurementsFile = join(folder, `${name}.jsonl`);
  writeFileSync(measurementsFile, '');
  const { passed, wrong, failures } = await vitest([...files, `--maxWorkers=${workers}`], measurementsFile);
  return {
    part: name,
    passed: wrong === 0 && passed > 0,
    tests: { passed, failed: wrong },
    failures,
    figures: measurementsIn(measurementsFile),
    seed,
    scale,
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    commit,
    machine,
    foreignLoad: others,
  };
}

async function vitest(args: readonly string[], measurementsFile: string): Promise<Counts> {
  const report = join(mkdtempSync(join(folder, 'report-')), 'report.json');
  const reporters = ['--reporter=json', `--outputFile.json=${report}`, ...(options.json ? [] : ['--reporter=default'])];
  const path = options.path === undefined ? {} : { HISTORY_PATH: options.path };
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args, ...reporters, `--testTimeout=${testMsMax}`],
    {
      cwd: root,
      stdio: ['ignore', options.json ? 'ignore' : 'inherit', 'inherit'],
      env: { ...process.env, TEST_HARD: '1', TEST_SCALE: String(scale), SEED: String(seed), ...path, TEST_FIGURES: measurementsFile },
    },
  );
  stopPart = (signal) => child.kill(signal);
  const code = await new Promise<number>((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 1)));
  stopPart = () => {};
  const counts = readCounts(report);
  // An error outside of every test, or a file that cannot be loaded, is also a failure.
  if (code !== 0 && counts.wrong === 0) return { ...counts, wrong: 1 };
  return counts;
}

type Counts = { readonly passed: number; readonly wrong: number; readonly failures: PartResult['failures'] };
type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly name: string; readonly message?: string; readonly assertionResults: readonly Asserted[] }[];
};
type Asserted = { readonly status: string; readonly fullName: string; readonly failureMessages?: readonly string[] };

function readCounts(report: string): Counts {
  try {
    const { numPassedTests: passed, numFailedTests: wrong, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const failures = testResults.flatMap(({ name, message = '', assertionResults }) => [
      // A file that cannot be loaded has its own message, and no tests.
      ...(message === '' ? [] : [{ test: name, said: message.slice(0, wordsOfFailureMax) }]),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages = [] }) => ({ test: fullName, said: failureMessages.join('\n').slice(0, wordsOfFailureMax) })),
    ]);
    return { passed, wrong, failures: failures.slice(0, failuresMax) };
  } catch {
    return { passed: 0, wrong: 1, failures: [] };
  }
}

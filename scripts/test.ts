import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test` runs the checks and the tests at the same time, because the first tests mostly wait. If a check fails, the tests are stopped,
 * except on a build server, which reports everything. `npm test -- <arguments of vitest>` runs only the tests that they select, from any
 * run, without the checks; `npm run test:citus` (`--citus`) the tests of `npm test`, or those that its arguments select, with databases
 * that are distributed over a cluster; `npm run test:full` (`--full`) those that `npm test` omits or runs with fewer cases. The last line
 * contains only how many tests passed and failed, for people who scroll to the end and for programs that read the last line.
 */
const isFull = process.argv[2] === '--full';
const isCitus = process.argv[2] === '--citus';
const args = process.argv.slice(isFull || isCitus ? 3 : 2);
const run = isFull ? 'full' : args.length === 0 ? 'quick' : 'any';

const missing = isCitus ? ['CITUS_URL', 'CITUS_WORKERS'].filter((name) => (process.env[name] ?? '') === '') : [];
if (missing.length > 0) {
  process.stderr.write(
    `Set ${missing.join(' and ')}: CITUS_URL is the URL of a superuser on the coordinator of a Citus cluster, and CITUS_WORKERS has one for\n` +
      'each worker, with commas between them, each with the address at which the nodes reach each other, such as\n' +
      'postgres://postgres:password@127.0.0.1:5432/postgres. docs/operate.md describes the settings of a node.\n',
  );
  process.exit(2);
}
const hasChecks = run === 'quick' && !isCitus;

const folder = mkdtempSync(join(tmpdir(), 'tributary-results-'));
/** One line per test (test/support/result-lines.ts). `.ci/run` names the file, to combine several runs. */
const results = process.env['TEST_RESULTS'] ?? join(folder, 'results');
const succeeded = join(folder, 'succeeded-operations');
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
/** Node imports the configuration and remembers the compiled code of vitest, so that the first test starts a second earlier. */
const compileCache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'tributary');
const child = spawn(process.execPath, [vitest, 'run', '--configLoader', 'native', ...args], {
  stdio: 'inherit',
  env: {
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    TEST_RUN: run,
    TEST_PATHS: args.filter((arg) => !arg.startsWith('-')).join('\n'),
    TEST_RESULTS: results,
    SUCCEEDED_OPERATIONS: succeeded,
  },
});
const check = hasChecks ? spawn(process.execPath, [join(import.meta.dirname, 'check.ts')], { stdio: ['ignore', 'pipe', 'inherit'] }) : null;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopping = true;
    child.kill(signal);
    check?.kill(signal);
  });
}

const checking = check === null ? null : outcomeOf(check);
const stoppedByCheck = checking?.then(({ isGood }) => {
  const stopsTests = !isGood && !isStopping && process.env['CI'] === undefined && child.exitCode === null;
  return stopsTests && child.kill();
});
const code = await exitOf(child);
// Last, so that the output of the tests does not hide it.
const outcome = await checking;
process.stdout.write(outcome?.output ?? '');
if ((await stoppedByCheck) === true) process.stdout.write('A check failed, so the tests were stopped.\n');
const uncalled = run === 'quick' && code === 0 ? await operationsWithoutSuccess() : [];
if (uncalled.length > 0) process.stdout.write(`No test received a success response from:\n${uncalled.join('\n')}\n`);
process.exitCode = uncalled.length > 0 || outcome?.isGood === false ? 1 : (code ?? 1);
process.stdout.write(`${countsLine(linesOf(results), process.exitCode)}\n`);
rmSync(folder, { recursive: true, force: true });

async function outcomeOf(checks: ChildProcess): Promise<{ readonly isGood: boolean; readonly output: string }> {
  const [exitCode, output] = await Promise.all([exitOf(checks), checks.stdout === null ? '' : text(checks.stdout)]);
  return { isGood: exitCode === 0, output: exitCode === null ? `${output}The checks were ended by a signal.\n` : output };
}

/** Null if a signal ended it. */
function exitOf(program: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => program.once('exit', resolve));
}

/** A test must call each operation of the OpenAPI document with success; test/support/checked-fetch.ts validates the response. */
async function operationsWithoutSuccess(): Promise<readonly string[]> {
  // Imported only here: the document needs the whole service.
  const { operationNames } = await import('../test/support/described-responses.ts');
  const called = new Set(linesOf(succeeded));
  return operationNames.filter((name) => !called.has(name));
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

/** An error outside of tests counts as a failure, and so does a run that ends before the first test. */
function countsLine(lines: readonly string[], exitCode: number): string {
  const count = (state: string) => lines.filter((line) => line.startsWith(`${state}\t`)).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return `${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

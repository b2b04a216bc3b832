import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test` runs the checks and the tests; `npm test -- <arguments of vitest>` only the tests that they select, from any run;
 * `npm run test:full` (`--full`) those that `npm test` omits or runs with fewer cases. The last line contains only how many tests passed
 * and failed, for people who scroll to the end and for programs that read the last line.
 */
const isFull = process.argv[2] === '--full';
const args = process.argv.slice(isFull ? 3 : 2);
const run = isFull ? 'full' : args.length === 0 ? 'quick' : 'any';

if (run === 'quick') {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'tributary-counts-'));
const report = join(folder, 'report.json');
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
  stdio: 'inherit',
  env: { ...process.env, TEST_RUN: run },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));

child.once('exit', (code) => {
  const exitCode = code ?? 1;
  const line = countsLine(readReport(), exitCode);
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${line}\n`);
  process.exit(exitCode);
});

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
};

function readReport(): Report | null {
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** A file that cannot be loaded contains no failed test, and neither does an error outside of tests: each counts as a failure. */
function countsLine(counts: Report | null, exitCode: number): string {
  if (counts === null) return '0 passed, 1 failed';
  const brokenFiles = counts.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = counts.numFailedTests + brokenFiles.length;
  const skipped = counts.numPendingTests + counts.numTodoTests;
  const exitStatus = failed === 0 && exitCode !== 0 ? 1 : failed;
  return `${counts.numPassedTests} passed, ${exitStatus} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

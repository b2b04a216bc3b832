import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test -- <arguments of vitest>`: runs the tests, and ends with a line that contains only how many passed and failed, for people who
 * scroll to the end and for programs that read the last line.
 */
const folder = mkdtempSync(join(tmpdir(), 'tributary-counts-'));
const report = join(folder, 'report.json');
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], { stdio: 'inherit' });
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

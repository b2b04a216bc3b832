import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';

type Run = { readonly code: number; readonly lastLine: string | undefined; readonly lines: readonly string[] };

/** Runs `.ci/run` with these commands in place of `npm test` and `npm run test:full`. */
async function build(tests: string, full: string): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-build-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const say = `say() { printf '%s\\t%s\\t%s\\t%s\\n' "$1" "$2" "$3" "$4" >> "$TEST_RESULTS"; }`;
  const script = `#!/usr/bin/env bash\n${say}\nif [ "$1" = test ]; then\n${tests}\nelse\n${full}\nfi\n`;
  await writeFile(join(folder, 'npm'), script, { mode: 0o755 });
  // As if PHP were installed: `.ci/run` would install it on this machine, which takes longer than its time here.
  await writeFile(join(folder, 'php'), '#!/bin/sh\n', { mode: 0o755 });
  const settings = { ...env, PATH: `${folder}${delimiter}${env['PATH']}`, TOTAL_SECONDS: '3' };
  return new Promise((resolve) => {
    execFile('bash', ['.ci/run'], { env: settings }, (error, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ code: error === null ? 0 : Number(error.code), lastLine: lines.at(-1), lines });
    });
  });
}

const quick = 'say passed a.test.ts one; say passed b.test.ts two; say skipped b.test.ts three';

test('the build server counts a test once that runs in both commands', async () => {
  const result = await build(quick, 'say passed b.test.ts two; say passed c.test.ts four');
  expect(result).toMatchObject({ code: 0, lastLine: '3 passed, 0 failed, 1 skipped' });
});

test('the build server counts two tests of one name in one file as two', async () => {
  const result = await build('say passed a.test.ts one; say passed a.test.ts one', 'true');
  expect(result).toMatchObject({ code: 0, lastLine: '2 passed, 0 failed' });
});

test('a test that fails in one of the commands has failed', async () => {
  const failing = 'say failed b.test.ts two; exit 1';
  expect(await build(quick, failing)).toMatchObject({ code: 1, lastLine: '1 passed, 1 failed, 1 skipped' });
  expect(await build(failing, 'say passed b.test.ts two')).toMatchObject({ code: 1, lastLine: '0 passed, 1 failed' });
});

test('the build passes when only the time for the full run is over, and fails when a test failed before', async () => {
  expect(await build(quick, 'say passed c.test.ts four; sleep 20')).toMatchObject({ code: 0, lastLine: '3 passed, 0 failed, 1 skipped' });
  expect(await build(quick, 'say failed c.test.ts four; sleep 20')).toMatchObject({ code: 1, lastLine: '2 passed, 1 failed, 1 skipped' });
});

test('an error outside of tests counts as one failure', async () => {
  expect(await build('exit 3', 'say passed b.test.ts two')).toMatchObject({ code: 3, lastLine: '0 passed, 1 failed' });
  expect(await build(quick, 'exit 1')).toMatchObject({ code: 1, lastLine: '2 passed, 1 failed, 1 skipped' });
});

test('the last lines of the build name each failed test with its error', async () => {
  const { lines } = await build('say passed a.test.ts one; say failed b.test.ts "a > two" "expected 1 to be 2"; exit 1', 'seq 100');
  expect(lines.slice(-3)).toEqual(['FAILED b.test.ts > a > two', '       expected 1 to be 2', '1 passed, 1 failed']);
});

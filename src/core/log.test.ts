import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bufferedBytesMax } from './log.ts';

const lineBytes = 10_000;

/** Runs in a separate process, because it fills standard output. Nothing is written before the loop ends. */
function logInChild(count: number): { readonly lines: readonly string[]; readonly dropped: number } {
  const program = `
    const { createLog, droppedLogLines } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))});
    const log = createLog('info');
    for (let place = 0; place < ${count}; place += 1) log.info({ place }, 'x'.repeat(${lineBytes}));
    console.error(droppedLogLines());
    process.exit(0);`;
  const run = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8', maxBuffer: 10 * bufferedBytesMax });
  return { lines: stdout.trimEnd().split('\n'), dropped: Number(stderr) };
}

test('writes every line that was logged before a process exits', () => {
  const { lines, dropped } = logInChild(200);
  expect(lines.map((line) => JSON.parse(line).place)).toEqual(Array.from({ length: 200 }, (_none, place) => place));
  expect(dropped).toBe(0);
});

test('keeps a limited number of bytes while standard output is not read, and counts the lines that it drops', () => {
  const count = Math.ceil((2 * bufferedBytesMax) / lineBytes);
  const { lines, dropped } = logInChild(count);
  expect(lines.join('\n').length).toBeLessThan(bufferedBytesMax * 1.02);
  expect(lines.join('\n').length).toBeGreaterThan(bufferedBytesMax * 0.98);
  expect(lines.length + dropped).toBe(count);
}, 30_000);

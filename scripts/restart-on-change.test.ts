import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { restartOnChange } from './restart-on-change.ts';

const waitMsMax = 20_000;
const prints = (text: string): string => `console.log('${text}'); setInterval(() => {}, 1_000);`;

test('a new process replaces the old one when a source changes, also one in a folder below', async () => {
  const { write, lines, stop } = await running(prints('first'));
  write('main.ts', prints('second'));
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second']);
  write('below/other.ts', 'export {};');
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second', 'second']);
  write('main.ts', prints('third'));
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second', 'second', 'third']);
  await stop();
});

test('a folder that was added later is watched, too', async () => {
  const { addFolder, write, lines, stop } = await running(prints('first'));
  addFolder('added/below');
  // Written again and again, because the folder may not be watched yet.
  await expect
    .poll(() => (write('added/below/other.ts', ''), lines()), { timeout: waitMsMax, interval: 200 })
    .toEqual(expect.arrayContaining(['first', 'first']));
  await stop();
});

test('changes of tests and of other files start nothing, and changes at one time start one process', async () => {
  const { write, lines, stop } = await running(prints('first'));
  for (const file of ['main.test.ts', 'notes.md', 'main.ts~']) write(file, 'x');
  // The changes above are reported before this one.
  for (const file of ['main.ts', 'a.ts', 'b.json', 'c.sql']) write(file, file === 'main.ts' ? prints('second') : '');
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second']);
  await stop();
  expect(lines()).toEqual(['first', 'second']);
});

test('a process that fails is reported, and the next change starts another one', async () => {
  const { write, lines, failures, stop } = await running(prints('first'));
  write('main.ts', `console.log('second'); process.exit(1);`);
  await expect.poll(failures, { timeout: waitMsMax }).toBe(1);
  write('main.ts', prints('third'));
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second', 'third']);
  await stop();
  expect(failures()).toBe(1);
});

test('stop ends the process and starts no other', async () => {
  const { write, lines, isRunning, stop } = await running(prints('first'));
  write('main.ts', prints('second'));
  await stop();
  expect(isRunning()).toBe(false);
  write('main.ts', prints('third'));
  expect(lines()).not.toContain('third');
});

/** A process that has printed its first line. */
async function running(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'restart-on-change-'));
  mkdirSync(join(folder, 'below'));
  // As editors do, so that there is one change for each write.
  const write = (file: string, text: string): void => {
    writeFileSync(join(folder, 'draft~'), text);
    renameSync(join(folder, 'draft~'), join(folder, file));
  };
  write('main.ts', program);
  const printed: string[] = [];
  let failures = 0;
  let alive = 0;
  const start = () => {
    const child = spawn(process.execPath, [join(folder, 'main.ts')], { stdio: ['ignore', 'pipe', 'ignore'] });
    alive += 1;
    child.once('exit', () => (alive -= 1));
    createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
    return child;
  };
  const { stop } = restartOnChange({ start, folders: [folder], onFailure: () => (failures += 1) });
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => printed, { timeout: waitMsMax }).toEqual(['first']);
  const addFolder = (name: string) => mkdirSync(join(folder, name), { recursive: true });
  return { write, addFolder, lines: () => [...printed], failures: () => failures, isRunning: () => alive > 0, stop };
}

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { restartOnChange } from './restart-on-change.ts';

const waitMsMax = 20_000;
/** Longer than a restart takes to begin. */
const restartMs = 500;
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

test('a folder that was added later starts a new process, and is watched', async () => {
  const { addFolder, write, lines, stop } = await running(prints('first'));
  addFolder('added/below');
  await expect.poll(() => lines().length, { timeout: waitMsMax }).toBeGreaterThan(1);
  // The folder below may have been reported later.
  await setTimeout(restartMs);
  const before = lines().length;
  write('added/below/other.ts', '');
  await expect.poll(() => lines().length, { timeout: waitMsMax }).toBeGreaterThan(before);
  await stop();
});

test('a folder that is removed at once ends nothing', async () => {
  const { addFolder, removeFolder, write, lines, stop } = await running(prints('first'));
  for (let times = 0; times < 20; times++) {
    addFolder('added/below');
    await setTimeout(1);
    removeFolder('added');
  }
  write('main.ts', prints('second'));
  await expect.poll(() => lines().at(-1), { timeout: waitMsMax }).toBe('second');
  await stop();
});

test('changes of tests and of other files start nothing', async () => {
  const { write, lines, stop } = await running(prints('first'));
  for (const file of ['main.test.ts', 'notes.md', 'main.ts~']) write(file, prints('never'));
  await setTimeout(restartMs);
  expect(lines()).toEqual(['first']);
  await stop();
});

test('changes at one time start one process', async () => {
  const { write, lines, stop } = await running(prints('first'));
  write('main.ts', prints('second'));
  for (const file of ['a.ts', 'b.json', 'c.sql', 'd.css', 'e.js']) write(file, '');
  await expect.poll(lines, { timeout: waitMsMax }).toEqual(['first', 'second']);
  await setTimeout(restartMs);
  expect(lines()).toEqual(['first', 'second']);
  await stop();
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

test('stop ends the process, also while another one is about to start, and starts no other', async () => {
  const { write, lines, starts, isRunning, stop } = await running(prints('first'));
  write('main.ts', prints('second'));
  await setTimeout(1);
  await stop();
  expect(isRunning()).toBe(false);
  const before = starts();
  write('main.ts', prints('third'));
  await setTimeout(restartMs);
  expect(starts()).toBe(before);
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
  let starts = 0;
  let alive = 0;
  const start = () => {
    const child = spawn(process.execPath, [join(folder, 'main.ts')], { stdio: ['ignore', 'pipe', 'ignore'] });
    alive += 1;
    starts += 1;
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
  const removeFolder = (name: string) => rmSync(join(folder, name), { recursive: true, force: true });
  const counts = { failures: () => failures, starts: () => starts, isRunning: () => alive > 0 };
  return { write, addFolder, removeFolder, lines: () => [...printed], ...counts, stop };
}

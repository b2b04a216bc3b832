import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { newBuildFolder, removeAbandonedBuilds, removeBuildFolder } from './build-folders.ts';

function newParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'builds-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

test('removes the folders of builds whose process has ended, however recent they are, and no others', () => {
  const parent = newParent();
  const output = join(parent, 'web');
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const own = newBuildFolder(output);
  onTestFinished(() => removeBuildFolder(own));
  const kept = ['web', 'web.packages', `web.${process.ppid}-0123456789ab`, `other.${ended}-0123456789ab`, basename(own)];
  const abandoned = [`web.${ended}-0123456789ab`, `web.${ended}-0123456789ab.packages`, `web.${process.pid}-0123456789ab.packages`];
  for (const name of [...kept, ...abandoned]) mkdirSync(join(parent, name));
  removeAbandonedBuilds(output);
  expect(readdirSync(parent).toSorted()).toEqual(kept.toSorted());
});

test('a process that ends during a build ends the program that builds', async () => {
  const pidFile = join(newParent(), 'started');
  const builder = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const program = `
    import { existsSync, readFileSync } from 'node:fs';
    import { runToEnd } from ${JSON.stringify(import.meta.resolve('./run-to-end.ts'))};
    void runToEnd(process.execPath, ['--eval', ${JSON.stringify(builder)}], { cwd: '/', timeout: 60_000, failure: 'not built' });
    process.once('SIGTERM', () => process.exit(0));
    const wait = setInterval(() => {
      if (!existsSync(${JSON.stringify(pidFile)})) return;
      clearInterval(wait);
      setInterval(() => {}, 1_000);
      console.log(readFileSync(${JSON.stringify(pidFile)}, 'utf8'));
    }, 20);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGTERM');
  await once(child, 'exit');
  const runs = () => isAlive(Number(line));
  await expect.poll(runs, { interval: 20 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

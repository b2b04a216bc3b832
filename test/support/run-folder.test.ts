import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { processesIn } from '../../src/embedded-postgres/processes.ts';

const source = (file: string) => JSON.stringify(import.meta.resolve(file));
const run = `
  import { createRunFolder } from ${source('./run-folder.ts')};
  const { path } = await createRunFolder();`;
const withDatabase = `${run}
  import { startEmbedded } from ${source('../../src/embedded-postgres/start.ts')};
  await startEmbedded({ dataDir: path + '/tributary-embedded-a/.data', log: () => {} });
  console.log(path);
  setInterval(() => {}, 1_000);`;

/** A run of the tests, with the first line that it prints. */
async function start(program: string, parent: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, path: String(line) };
}

test('a run removes the folder of a killed run with its running PostgreSQL, and not the folder of a concurrent run', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'runs-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  chmodSync(parent, 0o755);
  const concurrent = await start(`${run} console.log(path); setInterval(() => {}, 1_000);`, parent);
  const killed = await start(withDatabase, parent);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const dataDir = join(killed.path, 'tributary-embedded-a', '.data');
  expect(processesIn(dataDir)).not.toEqual([]);

  const next = await start(`${run} console.log(path);`, parent);
  expect(processesIn(dataDir)).toEqual([]);
  expect(existsSync(killed.path)).toBe(false);
  expect(readdirSync(parent).map((name) => join(parent, name))).toEqual(expect.arrayContaining([concurrent.path, next.path]));
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const childModule = JSON.stringify(new URL('../../bench/child.ts', import.meta.url).href);
const parent = `import { startChild } from ${childModule};
const child = startChild(new URL('./child.mjs', import.meta.url), {});
console.log(await child.line());
setInterval(() => {}, 1_000);`;
const child = `import { readJob } from ${childModule};
await readJob();
console.log(process.pid);
setInterval(() => {}, 1_000);`;

test('the processes of the benchmark end when it is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-child-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'parent.mjs'), parent);
  writeFileSync(join(folder, 'child.mjs'), child);
  const bench = spawn(process.execPath, [join(folder, 'parent.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [pid] = (await once(createInterface({ input: bench.stdout }), 'line')) as [string];
  expect(Number(pid)).not.toBe(bench.pid);
  let isRunning = true;
  onTestFinished(() => void (isRunning && process.kill(Number(pid))));
  bench.kill('SIGKILL');
  // The child has the standard error of its parent, which is closed when both have ended.
  await once(bench, 'close');
  isRunning = false;
});

import { expect, test } from 'vitest';
import { createThreadPool, type ThreadPoolLimits } from './thread-pool.ts';

const limits: ThreadPoolLimits = { atOnce: 2, waitingMax: 2, timeoutMs: 60_000, heapMb: 32 };
const head = "import { parentPort, workerData } from 'node:worker_threads';";
const moduleOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(head + code)}`);
const run = (code: string, data: unknown = null, own: Partial<ThreadPoolLimits> = {}) =>
  createThreadPool({ ...limits, ...own }).run({ entry: moduleOf(code), data });

test('a task receives its data and answers with its first message', async () => {
  expect(await run('parentPort.postMessage(workerData * 2)', 21)).toEqual({ is: 'done', value: 42 });
});

test('a task sees no environment variables', async () => {
  expect(await run('parentPort.postMessage(Object.keys(process.env))')).toEqual({ is: 'done', value: [] });
});

test.each([
  ['never ends', 'for (;;);', { timeoutMs: 500 }, 'time'],
  ['waits forever', 'setInterval(() => {}, 1000)', { timeoutMs: 500 }, 'time'],
  ['needs too much memory', 'const all = []; for (;;) all.push({ a: 1 });', {}, 'memory'],
  ['throws', 'throw new Error("no")', {}, 'error'],
  ['exits without an answer', 'process.exit(0)', {}, 'error'],
] as const)('stops a task that %s and returns the reason', async (_what, code, own, why) => {
  expect(await run(code, null, own)).toEqual({ is: 'stopped', why });
});

test('does not block the main thread while a task computes', async () => {
  const pool = createThreadPool({ ...limits, timeoutMs: 1_500 });
  const end = pool.run({ entry: moduleOf('for (;;);'), data: null });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 10);
  await end;
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test('rejects tasks beyond the waiting limit, and closing stops all running and waiting tasks', async () => {
  const pool = createThreadPool({ ...limits, atOnce: 1, waitingMax: 1 });
  const ends = [1, 2, 3].map(() => pool.run({ entry: moduleOf('for (;;);'), data: null }));
  expect(await ends[2]).toEqual({ is: 'stopped', why: 'busy' });
  await pool.close();
  expect(await Promise.all(ends.slice(0, 2))).toEqual([
    { is: 'stopped', why: 'closed' },
    { is: 'stopped', why: 'closed' },
  ]);
  expect(await pool.run({ entry: moduleOf('parentPort.postMessage(1)'), data: null })).toEqual({ is: 'stopped', why: 'closed' });
});

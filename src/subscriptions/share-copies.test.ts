import { expect, test } from 'vitest';
import { shareCopies } from './share-copies.ts';

/** What was put and waits for its end. */
function setUp() {
  const waiting: Array<{ readonly isCopy: boolean; readonly end: (value: string) => void }> = [];
  const put = (isCopy: boolean) => new Promise<string>((resolve) => waiting.push({ isCopy, end: resolve }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { waiting, put, turn };
}

test('copies wait for the first request, and then run together', async () => {
  const { waiting, put, turn } = setUp();
  const copies = shareCopies<string>((end) => end === 'kept');
  const ends = Promise.all([copies('a', put), copies('a', put), copies('a', put)]);
  await turn();
  expect(waiting.map(({ isCopy }) => isCopy)).toEqual([false]);
  waiting[0]?.end('kept');
  await turn();
  expect(waiting.map(({ isCopy }) => isCopy)).toEqual([false, true, true]);
  waiting[1]?.end('again');
  waiting[2]?.end('again');
  expect(await ends).toEqual(['kept', 'again', 'again']);
});

test('the next copy runs first if the first request stored nothing', async () => {
  const { waiting, put, turn } = setUp();
  const copies = shareCopies<string>((end) => end === 'kept');
  const ends = Promise.all([copies('a', put), copies('a', put), copies('a', put)]);
  waiting[0]?.end('unknown');
  await turn();
  expect(waiting.map(({ isCopy }) => isCopy)).toEqual([false, false]);
  waiting[1]?.end('kept');
  await turn();
  waiting[2]?.end('again');
  expect([await ends, waiting.map(({ isCopy }) => isCopy)]).toEqual([
    ['unknown', 'kept', 'again'],
    [false, false, true],
  ]);
});

test('other events do not wait, and a later copy runs as a first request', async () => {
  const { waiting, put, turn } = setUp();
  const copies = shareCopies<string>(() => true);
  const ends = [copies('a', put), copies('b', put)];
  await turn();
  expect(waiting).toHaveLength(2);
  for (const one of waiting) one.end('kept');
  await Promise.all(ends);
  void copies('a', put);
  await turn();
  expect(waiting[2]?.isCopy).toBe(false);
});

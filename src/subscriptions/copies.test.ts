import { expect, test } from 'vitest';
import { createCopies } from './copies.ts';

/** What was put and waits for its end. */
function desk() {
  const waiting: Array<{ readonly isCopy: boolean; readonly end: (value: string) => void }> = [];
  const put = (isCopy: boolean) => new Promise<string>((resolve) => waiting.push({ isCopy, end: resolve }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { waiting, put, turn };
}

test('copies wait for the first, and then go together as copies', async () => {
  const { waiting, put, turn } = desk();
  const copies = createCopies<string>((end) => end === 'kept');
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

test('where the first left nothing, the next is the first and the others wait for it', async () => {
  const { waiting, put, turn } = desk();
  const copies = createCopies<string>((end) => end === 'kept');
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

test('others do not wait, and what came after all were answered is a first again', async () => {
  const { waiting, put, turn } = desk();
  const copies = createCopies<string>(() => true);
  const ends = [copies('a', put), copies('b', put)];
  await turn();
  expect(waiting).toHaveLength(2);
  for (const one of waiting) one.end('kept');
  await Promise.all(ends);
  void copies('a', put);
  await turn();
  expect(waiting[2]?.isCopy).toBe(false);
});

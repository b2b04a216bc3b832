import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachConcurrently } from './concurrency.ts';

test('processes every item and never more than the limit at the same time', async () => {
  let [now, most] = [0, 0];
  const done: number[] = [];
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++now);
    await pause(item % 2 === 0 ? 8 : 2);
    done.push(item);
    now -= 1;
  });
  expect(most).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('throws an error after the running items have finished, and starts no further item', async () => {
  const ended: number[] = [];
  const working = forEachConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
    await pause(item === 2 ? 1 : 10);
    if (item === 2) throw new Error('the second one');
    ended.push(item);
  });
  await expect(working).rejects.toThrow('the second one');
  expect(ended).toEqual([1]);
});

test('throws an error even when all items run at the same time', async () => {
  const ended: number[] = [];
  const working = forEachConcurrently([1, 2, 3, 4, 5, 6], 10, async (item) => {
    if (item === 2) throw new Error('the second one');
    await pause(10);
    ended.push(item);
  });
  await expect(working).rejects.toThrow('the second one');
  expect(ended).toContain(1);
});

test('throws an error that occurs while the next item is being fetched, and does not start that item', async () => {
  const begun: number[] = [];
  async function* fetched() {
    yield 1;
    await pause(10);
    yield 2;
  }
  const working = forEachConcurrently(fetched(), 4, async (item) => {
    begun.push(item);
    throw new Error(`item ${item}`);
  });
  await expect(working).rejects.toThrow('item 1');
  expect(begun).toEqual([1]);
});

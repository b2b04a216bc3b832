import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeadline } from './deadline.ts';

type TestWaiter = {
  readonly name: string;
  readonly until: number;
  isWaiting: boolean;
  before: TestWaiter | null;
  after: TestWaiter | null;
};

function open() {
  const expired: string[] = [];
  const queue = createDeadline<TestWaiter>(({ name, isWaiting, until }) => {
    expect([isWaiting, performance.now() >= until]).toEqual([false, true]);
    expired.push(name);
  });
  const startedAt = performance.now();
  const add = (name: string, ms: number): TestWaiter => {
    const waiter: TestWaiter = { name, until: startedAt + ms, isWaiting: false, before: null, after: null };
    queue.add(waiter);
    return waiter;
  };
  return { ...queue, add, expired };
}

test('expires each waiter after its deadline, in the order of the deadlines', async () => {
  const { add, expired, size } = open();
  for (const [name, ms] of [
    ['c', 60],
    ['a', 20],
    ['d', 80],
    ['b', 40],
  ] as const)
    add(name, ms);
  expect([expired, size()]).toEqual([[], 4]);
  while (size() > 0) await pause(5);
  expect(expired).toEqual(['a', 'b', 'c', 'd']);
});

test('expires a waiter whose deadline has passed before it was added', async () => {
  const { add, expired, size } = open();
  add('long', 60_000);
  add('late', -1_000);
  for (let waits = 0; expired.length === 0 && waits < 1_000; waits++) await pause(5);
  expect([expired, size()]).toEqual([['late'], 1]);
});

test('a removed waiter does not expire, can be removed only once, and leaves the others waiting', async () => {
  const { add, remove, expired, size } = open();
  const [first, second, third, fourth] = [add('first', 30), add('second', 40), add('third', 50), add('fourth', 60)];
  expect([first, third, fourth].map(remove)).toEqual([true, true, true]);
  expect([first, third, fourth].map(remove)).toEqual([false, false, false]);
  expect([size(), second.before, second.after]).toEqual([1, null, null]);
  while (size() > 0) await pause(5);
  await pause(40);
  expect([expired, remove(second)]).toEqual([['second'], false]);
});

test('expireAll expires every waiter, including those that are added meanwhile', async () => {
  const expired: string[] = [];
  const one = (name: string, until: number): TestWaiter => ({ name, until, isWaiting: false, before: null, after: null });
  const queue = createDeadline<TestWaiter>(({ name }) => {
    expired.push(name);
    if (name === 'first') queue.add(one('again', performance.now() + 20));
  });
  queue.add(one('first', performance.now() + 60_000));
  queue.add(one('second', performance.now() + 60_000));
  queue.expireAll();
  expect(expired).toEqual(['first', 'again', 'second']);
});

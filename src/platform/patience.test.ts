import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPatience } from './patience.ts';

type Visitor = { readonly name: string; readonly until: number; isWaiting: boolean; before: Visitor | null; after: Visitor | null };

function open() {
  const told: string[] = [];
  const patience = createPatience<Visitor>(({ name, isWaiting, until }) => {
    expect([isWaiting, performance.now() >= until]).toEqual([false, true]);
    told.push(name);
  });
  const startedAt = performance.now();
  const add = (name: string, ms: number): Visitor => {
    const visitor: Visitor = { name, until: startedAt + ms, isWaiting: false, before: null, after: null };
    patience.add(visitor);
    return visitor;
  };
  return { ...patience, add, told };
}

test('who waits is told when the time is up and never before, in the order of their moments, in whatever order they came', async () => {
  const { add, told, size } = open();
  for (const [name, ms] of [
    ['c', 60],
    ['a', 20],
    ['d', 80],
    ['b', 40],
  ] as const)
    add(name, ms);
  expect([told, size()]).toEqual([[], 4]);
  while (size() > 0) await pause(5);
  expect(told).toEqual(['a', 'b', 'c', 'd']);
});

test('one whose time was up before it came is told all the same, though others have longer', async () => {
  const { add, told, size } = open();
  add('long', 60_000);
  add('late', -1_000);
  for (let waits = 0; told.length === 0 && waits < 1_000; waits++) await pause(5);
  expect([told, size()]).toEqual([['late'], 1]);
});

test('who leaves is told nothing and can leave only once; those before and behind it go on waiting', async () => {
  const { add, leave, told, size } = open();
  const [first, second, third, fourth] = [add('first', 30), add('second', 40), add('third', 50), add('fourth', 60)];
  expect([first, third, fourth].map(leave)).toEqual([true, true, true]);
  expect([first, third, fourth].map(leave)).toEqual([false, false, false]);
  expect([size(), second.before, second.after]).toEqual([1, null, null]);
  while (size() > 0) await pause(5);
  await pause(40);
  expect([told, leave(second)]).toEqual([['second'], false]);
});

test('at the end all are told at once, whatever time they had, and so is whoever comes meanwhile', async () => {
  const told: string[] = [];
  const one = (name: string, until: number): Visitor => ({ name, until, isWaiting: false, before: null, after: null });
  const patience = createPatience<Visitor>(({ name }) => {
    told.push(name);
    if (name === 'first') patience.add(one('again', performance.now() + 20));
  });
  patience.add(one('first', performance.now() + 60_000));
  patience.add(one('second', performance.now() + 60_000));
  patience.endAll();
  expect(told).toEqual(['first', 'again', 'second']);
});

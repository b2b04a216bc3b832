import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueue, type QueueEntry, type Queue } from './queue.ts';

const deadlineAt = 0;
const ids = (entries: ReadonlyArray<QueueEntry<string>>) => entries.map(({ item }) => item);
const join = (queue: Queue<string>, item: string, group: string, keys: readonly string[]) => queue.add({ item, group, keys, deadlineAt });

test('groups rotate within a batch and from one batch to the next, each with its earliest item first', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) join(queue, item, item.charAt(0), [item]);
  expect(ids(queue.take(4))).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(ids(queue.take(1))).toEqual(['b2']);
  expect(ids(queue.take(9))).toEqual(['a3', 'a4', 'a5']);
});

test('an item that waited for a key runs before later items of its group', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  for (const [item, key] of [
    ['first', 'k'],
    ['second', 'k'],
    ['later', 'x'],
    ['latest', 'y'],
  ] as const)
    join(queue, item, 's', [key]);
  const [first] = queue.take(1);
  if (first) queue.remove(first);
  expect(ids(queue.take(9))).toEqual(['second', 'later', 'latest']);
});

test('an item behind two others starts when both are finished, and a removed item unblocks those behind it', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  join(queue, 'x', 's', ['x']);
  join(queue, 'y', 's', ['y']);
  const both = join(queue, 'both', 's', ['x', 'y', 'z', 'x']).entry;
  join(queue, 'z', 's', ['z']);
  const [x, y] = queue.take(9);
  if (x) queue.remove(x);
  expect(ids(queue.take(9))).toEqual([]);
  queue.remove(both);
  expect(ids(queue.take(9))).toEqual(['z']);
  if (y) queue.remove(y);
  expect(queue.stats()).toEqual({ waiting: 0, running: 1, groups: 0, keys: 1 });
});

test('items that wait for a settled key may all start, in order of arrival', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  join(queue, 'first', 's', ['k', 'm']);
  for (const [item, keys] of [
    ['second', ['k']],
    ['third', ['k', 'm']],
    ['fourth', ['k']],
    ['fifth', ['m']],
    ['sixth', ['k', 'm']],
  ] as const)
    join(queue, item, 's', keys);
  const [first] = queue.take(9);
  if (first) queue.remove(first, ['k']);
  // Key m still queues: third is first, fifth and sixth are behind it.
  expect(ids(queue.take(2))).toEqual(['second', 'third']);
  expect(ids(queue.take(9))).toEqual(['fourth']);
  join(queue, 'newcomer', 's', ['k']);
  join(queue, 'behind it', 's', ['k']);
  expect(ids(queue.take(9)), 'a settled key queues again for later items').toEqual(['newcomer']);
});

test('when full, evicts the newest item of the largest group, or on a tie the new item', () => {
  const queue = createQueue<string>({ waitingMax: 4 });
  for (const item of ['a1', 'a2', 'a3', 'a4']) join(queue, item, 'a', [item]);
  const refusedFor = (item: string, group: string) => join(queue, item, group, [item]).refused?.item;
  expect(refusedFor('a5', 'a')).toBe('a5');
  expect(refusedFor('b1', 'b')).toBe('a4');
  expect(refusedFor('b2', 'b')).toBe('a3');
  expect(refusedFor('b3', 'b')).toBe('b3');
  expect(refusedFor('c1', 'c')).toBe('a2');
  expect(ids(queue.take(9))).toEqual(['a1', 'b1', 'c1', 'b2']);
});

test('an item that is retried alone is the last of its group to be evicted, and keeps its keys', () => {
  const queue = createQueue<string>({ waitingMax: 3 });
  join(queue, 'a1', 'a', ['k']);
  const [a1] = queue.take(1);
  for (const item of ['a2', 'a3']) join(queue, item, 'a', [item]);
  join(queue, 'behind', 'b', ['k']);
  if (a1) queue.retryAlone(a1);
  expect(join(queue, 'c1', 'c', ['c']).refused?.item).toBe('a3');
  expect(ids(queue.take(9))).toEqual(['a2', 'c1']);
  expect(ids(queue.takeAlone())).toEqual(['a1']);
  if (a1) queue.remove(a1);
  expect(ids(queue.take(9))).toEqual(['behind']);
});

/** A reference implementation of the queue, without optimizations. */
type Simple = {
  readonly entry: QueueEntry<string>;
  readonly group: string;
  readonly keys: readonly string[];
  state: 'waiting' | 'alone' | 'running';
};
type Both = { readonly queue: Queue<string>; readonly waitingMax: number; all: readonly Simple[] };

const sharesKey = (one: Simple, other: Simple) => one.keys.some((key) => other.keys.includes(key));
const readyOf = (all: readonly Simple[]) =>
  all.filter((one, index) => one.state === 'waiting' && !all.slice(0, index).some((earlier) => sharesKey(earlier, one)));
const waitingOf = (all: readonly Simple[]) => all.filter(({ state }) => state !== 'running');
const ofGroup = (all: readonly Simple[], group: string) => all.filter((one) => one.group === group);
const placesOf = (all: readonly Simple[]) => all.map(({ entry }) => entry);
const pick = (all: readonly Simple[], which: number) => all[which % Math.max(1, all.length)];

function joinBoth(both: Both, item: string, { group, keys }: { readonly group: string; readonly keys: readonly string[] }): void {
  const before = waitingOf(both.all);
  const { entry, refused } = join(both.queue, item, group, keys);
  expect(refused !== null).toBe(before.length >= both.waitingMax);
  const sizeWithNewcomer = ofGroup(before, group).length + 1;
  const largest = Math.max(...groups.map((name) => ofGroup(before, name).length));
  if (refused === entry) return expect(largest).toBeLessThanOrEqual(sizeWithNewcomer);
  if (refused) {
    const others = ofGroup(before, refused.group);
    expect(others.length).toBe(largest);
    expect(largest).toBeGreaterThan(sizeWithNewcomer);
    const neverBegun = others.filter(({ state }) => state === 'waiting').at(-1);
    if (neverBegun) expect(refused).toBe(neverBegun.entry);
    both.all = both.all.filter((one) => one.entry !== refused);
  }
  both.all = [...both.all, { entry, group, keys, state: 'waiting' }];
}

function takeBoth(both: Both, countMax: number): void {
  const ready = readyOf(both.all);
  const taken = both.queue.take(countMax);
  expect(taken.length).toBe(Math.min(countMax, ready.length));
  const shares = groups.map((group) => taken.filter((entry) => entry.group === group));
  for (const [index, group] of groups.entries()) {
    const mine = placesOf(ofGroup(ready, group));
    const share = shares[index] ?? [];
    expect(share).toEqual(mine.slice(0, share.length));
    if (share.length < mine.length) expect(share.length).toBeGreaterThanOrEqual(Math.max(...shares.map(({ length }) => length)) - 1);
  }
  for (const one of ready) if (taken.includes(one.entry)) one.state = 'running';
}

function takeAloneBoth({ queue, all }: Both): void {
  const alone = all.filter(({ state }) => state === 'alone');
  const [entry, ...others] = queue.takeAlone();
  expect(others).toEqual([]);
  const one = ofGroup(alone, entry?.group ?? '')[0];
  expect(entry).toBe(one?.entry);
  expect(entry === undefined).toBe(alone.length === 0);
  if (one) one.state = 'running';
}

function leaveBoth(both: Both, which: number): void {
  const one = pick(both.all, which);
  if (!one) return;
  both.queue.remove(one.entry);
  both.queue.remove(one.entry);
  both.all = both.all.filter((other) => other !== one);
}

function waitAloneBoth({ queue, all }: Both, which: number): void {
  const one = pick(
    all.filter(({ state }) => state === 'running'),
    which,
  );
  if (!one) return;
  queue.retryAlone(one.entry);
  one.state = 'alone';
}

function expectSameStats({ queue, all }: Both): void {
  const waiting = waitingOf(all);
  expect(queue.stats()).toEqual({
    waiting: waiting.length,
    running: all.length - waiting.length,
    groups: new Set(waiting.map(({ group }) => group)).size,
    keys: new Set(all.flatMap(({ keys }) => keys)).size,
  });
  expect(queue.isEmpty()).toBe(all.length === 0);
}

const groups = ['a', 'b', 'c'];
const newcomer = fc.record({
  group: fc.constantFrom(...groups),
  keys: fc.array(fc.constantFrom('k', 'l', 'm', 'n', 'o', 'p'), { maxLength: 3 }),
});
type Step = (both: Both, number: number) => void;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: newcomer.map(
      (of): Step =>
        (both, number) =>
          joinBoth(both, `${number}`, of),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(
      (countMax): Step =>
        (both) =>
          takeBoth(both, countMax),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>(takeAloneBoth) },
  {
    weight: 2,
    arbitrary: fc.nat().map(
      (which): Step =>
        (both) =>
          leaveBoth(both, which),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map(
      (which): Step =>
        (both) =>
          waitAloneBoth(both, which),
    ),
  },
);

test('behaves like a plain list that is searched from its beginning', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 8 }), (steps, waitingMax) => {
      const both: Both = { queue: createQueue<string>({ waitingMax }), waitingMax, all: [] };
      for (const [number, act] of steps.entries()) {
        act(both, number);
        expectSameStats(both);
      }
    }),
    { numRuns: 1_000 },
  );
});

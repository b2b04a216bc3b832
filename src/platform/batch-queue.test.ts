import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueue, type Place, type Queue } from './batch-queue.ts';

const deadlineAt = 0;
const ids = (places: ReadonlyArray<Place<string>>) => places.map(({ item }) => item);
const join = (queue: Queue<string>, item: string, group: string, keys: readonly string[]) => queue.join({ item, group, keys, deadlineAt });

test('groups take turns within a batch and from one batch to the next, each with its earliest first', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) join(queue, item, item.charAt(0), [item]);
  expect(ids(queue.take(4))).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(ids(queue.take(1))).toEqual(['b2']);
  expect(ids(queue.take(9))).toEqual(['a3', 'a4', 'a5']);
});

test('who waited for a key goes before those of its group who came later and never waited', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  for (const [item, key] of [
    ['first', 'k'],
    ['second', 'k'],
    ['later', 'x'],
    ['latest', 'y'],
  ] as const)
    join(queue, item, 's', [key]);
  const [first] = queue.take(1);
  if (first) queue.leave(first);
  expect(ids(queue.take(9))).toEqual(['second', 'later', 'latest']);
});

test('who waits behind two others starts when both are over, and who never starts lets those behind it through', () => {
  const queue = createQueue<string>({ waitingMax: 100 });
  join(queue, 'x', 's', ['x']);
  join(queue, 'y', 's', ['y']);
  const both = join(queue, 'both', 's', ['x', 'y', 'z', 'x']).place;
  join(queue, 'z', 's', ['z']);
  const [x, y] = queue.take(9);
  if (x) queue.leave(x);
  expect(ids(queue.take(9))).toEqual([]);
  queue.leave(both);
  expect(ids(queue.take(9))).toEqual(['z']);
  if (y) queue.leave(y);
  expect(queue.figures()).toEqual({ waiting: 0, underWay: 1, groups: 0, keys: 1 });
});

test('who waits for a key that was left settled starts at once, with all others who do, first come first', () => {
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
  if (first) queue.leave(first, ['k']);
  // On m the line stands: third is first in it, fifth and sixth are behind.
  expect(ids(queue.take(2))).toEqual(['second', 'third']);
  expect(ids(queue.take(9))).toEqual(['fourth']);
  join(queue, 'newcomer', 's', ['k']);
  join(queue, 'behind it', 's', ['k']);
  expect(ids(queue.take(9)), 'a settled key is a key again for who comes later').toEqual(['newcomer']);
});

test('where there is no room the newest of the largest group goes; on a tie the newcomer', () => {
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

test('who waits to be tried alone is the last of its group to be refused, and keeps its keys', () => {
  const queue = createQueue<string>({ waitingMax: 3 });
  join(queue, 'a1', 'a', ['k']);
  const [a1] = queue.take(1);
  for (const item of ['a2', 'a3']) join(queue, item, 'a', [item]);
  join(queue, 'behind', 'b', ['k']);
  if (a1) queue.waitAlone(a1);
  expect(join(queue, 'c1', 'c', ['c']).refused?.item).toBe('a3');
  expect(ids(queue.take(9))).toEqual(['a2', 'c1']);
  expect(ids(queue.takeAlone())).toEqual(['a1']);
  if (a1) queue.leave(a1);
  expect(ids(queue.take(9))).toEqual(['behind']);
});

/** The same queue written without any thought of speed, beside the real one. */
type Simple = {
  readonly place: Place<string>;
  readonly group: string;
  readonly keys: readonly string[];
  state: 'waiting' | 'alone' | 'under way';
};
type Both = { readonly queue: Queue<string>; readonly waitingMax: number; all: readonly Simple[] };

const sharesKey = (one: Simple, other: Simple) => one.keys.some((key) => other.keys.includes(key));
const readyOf = (all: readonly Simple[]) =>
  all.filter((one, index) => one.state === 'waiting' && !all.slice(0, index).some((earlier) => sharesKey(earlier, one)));
const waitingOf = (all: readonly Simple[]) => all.filter(({ state }) => state !== 'under way');
const ofGroup = (all: readonly Simple[], group: string) => all.filter((one) => one.group === group);
const placesOf = (all: readonly Simple[]) => all.map(({ place }) => place);
const pick = (all: readonly Simple[], which: number) => all[which % Math.max(1, all.length)];

function joinBoth(both: Both, item: string, { group, keys }: { readonly group: string; readonly keys: readonly string[] }): void {
  const before = waitingOf(both.all);
  const { place, refused } = join(both.queue, item, group, keys);
  expect(refused !== null).toBe(before.length >= both.waitingMax);
  const sizeWithNewcomer = ofGroup(before, group).length + 1;
  const largest = Math.max(...groups.map((name) => ofGroup(before, name).length));
  if (refused === place) return expect(largest).toBeLessThanOrEqual(sizeWithNewcomer);
  if (refused) {
    const others = ofGroup(before, refused.group);
    expect(others.length).toBe(largest);
    expect(largest).toBeGreaterThan(sizeWithNewcomer);
    const neverBegun = others.filter(({ state }) => state === 'waiting').at(-1);
    if (neverBegun) expect(refused).toBe(neverBegun.place);
    both.all = both.all.filter((one) => one.place !== refused);
  }
  both.all = [...both.all, { place, group, keys, state: 'waiting' }];
}

function takeBoth(both: Both, countMax: number): void {
  const ready = readyOf(both.all);
  const taken = both.queue.take(countMax);
  expect(taken.length).toBe(Math.min(countMax, ready.length));
  const shares = groups.map((group) => taken.filter((place) => place.group === group));
  for (const [index, group] of groups.entries()) {
    const mine = placesOf(ofGroup(ready, group));
    const share = shares[index] ?? [];
    expect(share).toEqual(mine.slice(0, share.length));
    if (share.length < mine.length) expect(share.length).toBeGreaterThanOrEqual(Math.max(...shares.map(({ length }) => length)) - 1);
  }
  for (const one of ready) if (taken.includes(one.place)) one.state = 'under way';
}

function takeAloneBoth({ queue, all }: Both): void {
  const alone = all.filter(({ state }) => state === 'alone');
  const [place, ...others] = queue.takeAlone();
  expect(others).toEqual([]);
  const one = ofGroup(alone, place?.group ?? '')[0];
  expect(place).toBe(one?.place);
  expect(place === undefined).toBe(alone.length === 0);
  if (one) one.state = 'under way';
}

function leaveBoth(both: Both, which: number): void {
  const one = pick(both.all, which);
  if (!one) return;
  both.queue.leave(one.place);
  both.queue.leave(one.place);
  both.all = both.all.filter((other) => other !== one);
}

function waitAloneBoth({ queue, all }: Both, which: number): void {
  const one = pick(
    all.filter(({ state }) => state === 'under way'),
    which,
  );
  if (!one) return;
  queue.waitAlone(one.place);
  one.state = 'alone';
}

function expectSameFigures({ queue, all }: Both): void {
  const waiting = waitingOf(all);
  expect(queue.figures()).toEqual({
    waiting: waiting.length,
    underWay: all.length - waiting.length,
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

test('it is a list that is searched from its beginning, only faster', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 8 }), (steps, waitingMax) => {
      const both: Both = { queue: createQueue<string>({ waitingMax }), waitingMax, all: [] };
      for (const [number, act] of steps.entries()) {
        act(both, number);
        expectSameFigures(both);
      }
    }),
    { numRuns: 1_000 },
  );
});

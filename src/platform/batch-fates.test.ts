import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answers, empty, failed, inWords, open, type Carry, type Order } from '../../test/support/batch-of-orders.ts';
import { leaveBatch, Superseded, type Attempt } from './batch-attempts.ts';
import type { BatchEnd } from './batch.ts';

type Try = { readonly items: readonly Order[]; readonly attempt: Attempt; readonly commit: (items: readonly Order[]) => void };
type Fate = (now: Try) => ReturnType<Carry>;

const fails =
  (error: unknown): Fate =>
  async () => {
    throw error;
  };
const leaving =
  (leaves: (index: number) => boolean): Fate =>
  async ({ items, attempt, commit }) => {
    attempt.commitSent();
    await turn();
    commit(items.filter((_item, index) => !leaves(index)));
    return answers(items).map((answer, index) => (leaves(index) ? leaveBatch : answer));
  };

/** What a database may do to an attempt. */
const fates: Readonly<Record<string, Fate>> = {
  commits: leaving(() => false),
  'finds every second row taken': leaving((index) => index % 2 === 0),
  'finds all rows taken': leaving(() => true),
  'commits slowly': async (now) => pause(8).then(() => leaving(() => false)(now)),
  'finds a guilty item': fails(failed('23505')),
  deadlocks: fails(failed('40P01')),
  'waits in vain for a lock': fails(failed('55P03')),
  'has no connection': fails(failed('ECONNRESET')),
  'is superseded': fails(new Superseded()),
  'throws nothing': fails(undefined),
  'answers too few': async ({ items }) => answers(items.slice(1)),
  'breaks at its commit': async ({ attempt }) => {
    attempt.commitSent();
    throw failed('40001');
  },
  'breaks after its commit': async ({ items, attempt, commit }) => {
    attempt.commitSent();
    commit(items);
    throw failed('ECONNRESET');
  },
};

/** A database in memory, which notes where two touch a key at once, and where a key is touched out of the order of arrival. */
function fatefulDatabase(named: readonly string[], orders: readonly Order[]) {
  const commits: string[] = [];
  const wrong: string[] = [];
  const touched = new Set<string>();
  const latestOn = new Map<string, number>();
  const underWay = { usual: 0, alone: 0 };
  const most = { usual: 0, alone: 0, items: 0, itemsAlone: 0 };
  let attempts = 0;

  function touch(item: Order): void {
    const arrival = orders.indexOf(item);
    for (const key of item.keys) {
      if (touched.has(key)) wrong.push(`${key} is touched twice at once`);
      if ((latestOn.get(key) ?? -1) > arrival) wrong.push(`${key}: ${item.id} comes after a later one`);
      touched.add(key);
      latestOn.set(key, arrival);
    }
  }
  const carryOut: Carry = async (items, attempt) => {
    const kind = attempt.lockWaitMs > 0 ? 'alone' : 'usual';
    const sizeOf = kind === 'alone' ? 'itemsAlone' : 'items';
    underWay[kind] += 1;
    most[kind] = Math.max(most[kind], underWay[kind]);
    most[sizeOf] = Math.max(most[sizeOf], items.length);
    items.forEach(touch);
    const fate = fates[named[attempts++ % named.length] ?? ''] ?? leaving(() => false);
    try {
      await turn();
      return await fate({ items, attempt, commit: (kept) => commits.push(...kept.map(({ id }) => id)) });
    } finally {
      underWay[kind] -= 1;
      for (const key of items.flatMap(({ keys }) => keys)) touched.delete(key);
    }
  };
  return { carryOut, commits, wrong, most };
}

type Rhythm = { readonly turnsBefore: readonly number[]; readonly closesAfter: number | null };

/** Puts them in their order, a few turns of the event loop apart, and closes somewhere on the way or at the end. */
async function putInOrder(batch: ReturnType<typeof open>, orders: readonly Order[], rhythm: Rhythm): Promise<readonly string[]> {
  const ends: Array<Promise<BatchEnd<string>>> = [];
  for (const [index, order] of orders.entries()) {
    for (let turns = 0; turns < (rhythm.turnsBefore[index] ?? 0); turns += 1) await turn();
    ends.push(batch.putOrder(order));
    if (index === rhythm.closesAfter) void batch.close();
  }
  const all = await Promise.all(ends);
  await batch.close();
  return all.map(inWords);
}

const scenario = fc.record({
  orders: fc.array(
    fc.record({ store: fc.constantFrom('a', 'b', 'c'), keys: fc.subarray(['k', 'l', 'm', 'n', 'o']), turnsBefore: fc.nat({ max: 2 }) }),
    { maxLength: 40 },
  ),
  // A plain commit as often as all others together, so that most stories are long.
  named: fc.array(fc.oneof(fc.constant('commits'), fc.constantFrom(...Object.keys(fates))), { minLength: 1, maxLength: 30 }),
  closesAfter: fc.option(fc.nat({ max: 40 })),
  limits: fc.record({
    lanes: fc.integer({ min: 1, max: 3 }),
    lanesAlone: fc.integer({ min: 1, max: 2 }),
    sizeMax: fc.integer({ min: 1, max: 5 }),
    waitingMax: fc.integer({ min: 3, max: 40 }),
    deadlineMs: fc.constantFrom(4, 15, 5_000),
  }),
});
const reasons = ['unavailable', 'connection lost', 'guilty item', 'again', 'superseded', 'row taken'].map((why) => `unavailable: ${why}`);
const leavesNothing: ReadonlySet<string> = new Set([...reasons, 'overloaded', 'closed']);
const leavesOpen: ReadonlySet<string> = new Set(['unavailable: outcome unknown', 'unavailable: deadline']);

test('whatever the database does: one end for each item, no second commit, no key shared or out of order, nothing left', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ orders: wanted, named, closesAfter, limits }) => {
      const orders = wanted.map(({ store, keys }, index) => ({ id: `${index}`, store, keys }));
      const { carryOut, commits, wrong, most } = fatefulDatabase(named, orders);
      const batch = open(carryOut, limits);
      const ends = await putInOrder(batch, orders, { turnsBefore: wanted.map(({ turnsBefore }) => turnsBefore), closesAfter });
      // Only where a deadline came first may a transaction still be under way.
      for (let waits = 0; waits < 1_000 && batch.figures().underWay > 0 && ends.includes('unavailable: deadline'); waits += 1)
        await pause(1);

      expect(batch.figures()).toEqual(empty);
      expect(wrong).toEqual([]);
      expect(commits.length).toBe(new Set(commits).size);
      for (const [index, end] of ends.entries()) {
        if (leavesOpen.has(end)) continue;
        if (!leavesNothing.has(end)) expect(end).toBe(`done ${index}`);
        expect(commits.includes(`${index}`)).toBe(!leavesNothing.has(end));
      }
      expect(most.usual).toBeLessThanOrEqual(limits.lanes);
      expect(most.alone).toBeLessThanOrEqual(limits.lanesAlone);
      expect(most.items).toBeLessThanOrEqual(limits.sizeMax);
      expect(most.itemsAlone).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
}, 120_000);

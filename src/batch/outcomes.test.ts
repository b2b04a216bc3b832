import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answers, empty, failed, resultText, open, type RunOrders, type Order } from '../../test/support/batch-of-orders.ts';
import { rowLocked, Superseded, type Attempt } from './attempts.ts';
import type { BatchResult } from './batch.ts';

type Try = { readonly items: readonly Order[]; readonly attempt: Attempt; readonly commit: (items: readonly Order[]) => void };
type Behavior = (now: Try) => ReturnType<RunOrders>;

const fails =
  (error: unknown): Behavior =>
  async () => {
    throw error;
  };
const leaving =
  (leaves: (index: number) => boolean): Behavior =>
  async ({ items, attempt, commit }) => {
    attempt.commitSent();
    await turn();
    commit(items.filter((_item, index) => !leaves(index)));
    return answers(items).map((answer, index) => (leaves(index) ? rowLocked : answer));
  };

/** What the database may do during an attempt. */
const behaviors: Readonly<Record<string, Behavior>> = {
  commits: leaving(() => false),
  'finds every second row locked': leaving((index) => index % 2 === 0),
  'finds all rows locked': leaving(() => true),
  'commits slowly': async (now) => pause(8).then(() => leaving(() => false)(now)),
  'finds an invalid item': fails(failed('23505')),
  deadlocks: fails(failed('40P01')),
  'times out on a lock': fails(failed('55P03')),
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

/** An in-memory database that records when a key is used concurrently or out of the order of arrival. */
function inMemoryDatabase(named: readonly string[], orders: readonly Order[]) {
  const commits: string[] = [];
  const wrong: string[] = [];
  const touched = new Set<string>();
  const latestOn = new Map<string, number>();
  const running = { usual: 0, alone: 0 };
  const most = { usual: 0, alone: 0, items: 0, itemsAlone: 0 };
  let attempts = 0;

  function touch(item: Order): void {
    const arrival = orders.indexOf(item);
    for (const key of item.keys) {
      if (touched.has(key)) wrong.push(`${key} is used concurrently`);
      if ((latestOn.get(key) ?? -1) > arrival) wrong.push(`${key}: ${item.id} runs after a later item`);
      touched.add(key);
      latestOn.set(key, arrival);
    }
  }
  const runBatch: RunOrders = async (items, attempt) => {
    const kind = attempt.lockWaitMs > 0 ? 'alone' : 'usual';
    const sizeOf = kind === 'alone' ? 'itemsAlone' : 'items';
    running[kind] += 1;
    most[kind] = Math.max(most[kind], running[kind]);
    most[sizeOf] = Math.max(most[sizeOf], items.length);
    items.forEach(touch);
    const behavior = behaviors[named[attempts++ % named.length] ?? ''] ?? leaving(() => false);
    try {
      await turn();
      return await behavior({ items, attempt, commit: (kept) => commits.push(...kept.map(({ id }) => id)) });
    } finally {
      running[kind] -= 1;
      for (const key of items.flatMap(({ keys }) => keys)) touched.delete(key);
    }
  };
  return { runBatch, commits, wrong, most };
}

type Timing = { readonly turnsBefore: readonly number[]; readonly closesAfter: number | null };

/** Puts the items in order, a few event loop turns apart, and closes on the way or at the end. */
async function putInOrder(batch: ReturnType<typeof open>, orders: readonly Order[], timing: Timing): Promise<readonly string[]> {
  const ends: Array<Promise<BatchResult<string>>> = [];
  for (const [index, order] of orders.entries()) {
    for (let turns = 0; turns < (timing.turnsBefore[index] ?? 0); turns += 1) await turn();
    ends.push(batch.putOrder(order));
    if (index === timing.closesAfter) void batch.close();
  }
  const all = await Promise.all(ends);
  await batch.close();
  return all.map(resultText);
}

const scenario = fc.record({
  orders: fc.array(
    fc.record({ store: fc.constantFrom('a', 'b', 'c'), keys: fc.subarray(['k', 'l', 'm', 'n', 'o']), turnsBefore: fc.nat({ max: 2 }) }),
    { maxLength: 40 },
  ),
  // A plain commit is as likely as all other behaviors together, so that most runs are long.
  named: fc.array(fc.oneof(fc.constant('commits'), fc.constantFrom(...Object.keys(behaviors))), { minLength: 1, maxLength: 30 }),
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

test('whatever the database does, each item has one result, commits at most once, shares no key concurrently, runs in order and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ orders: wanted, named, closesAfter, limits }) => {
      const orders = wanted.map(({ store, keys }, index) => ({ id: `${index}`, store, keys }));
      const { runBatch, commits, wrong, most } = inMemoryDatabase(named, orders);
      const batch = open(runBatch, limits);
      const ends = await putInOrder(batch, orders, { turnsBefore: wanted.map(({ turnsBefore }) => turnsBefore), closesAfter });
      // A transaction may still run only if a deadline passed first.
      for (let waits = 0; waits < 1_000 && batch.stats().running > 0 && ends.includes('unavailable: deadline'); waits += 1) await pause(1);

      expect(batch.stats()).toEqual(empty);
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

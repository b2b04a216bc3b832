import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answers, commit, empty, gate, lateMsMax, named, open, order } from '../../test/support/batch-of-orders.ts';
import { Superseded } from './attempts.ts';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
/** The test runner has timers too, and they come and go; a leaked timer would stay. */
async function expectNoTimer(before: number): Promise<void> {
  for (const startedAt = performance.now(); timers() > before && performance.now() - startedAt < 1_000;) await turn();
  expect(timers()).toBeLessThanOrEqual(before);
}

test('items of one event loop turn share a transaction; a single item does not wait and leaves no timer', async () => {
  const { put, putAll, attemptLog } = open(commit);
  const timersBefore = timers();
  const first = put('s..1');
  for (let jobs = 0; jobs < 100; jobs += 1) await Promise.resolve();
  expect(await putAll(['s..2', 's..3'])).toEqual(['done s..2', 'done s..3']);
  expect(await first).toBe('done s..1');
  const startedAt = performance.now();
  await put('s..4');
  expect(performance.now() - startedAt).toBeLessThan(500 + lateMsMax);
  expect(attemptLog()).toEqual(['s..1 s..2 s..3: committed', 's..4: committed']);
  await expectNoTimer(timersBefore);
});

test('items that arrive during a commit form the next batches, limited in size and in lanes', async () => {
  const { runBatch, next, startedCount } = gate();
  const { put, putAll, stats } = open(runBatch, { lanes: 2, sizeMax: 4 });
  const first = put('s..first');
  const one = await next();
  const others = putAll(named('s', 10));
  const two = await next();
  expect(two.ids).toEqual(named('s', 10).slice(0, 4));
  await turn();
  expect(startedCount()).toBe(0);
  one.commit();
  expect(await first).toBe('done s..first');
  const three = await next();
  expect(three.ids).toEqual(named('s', 10).slice(4, 8));
  expect(stats()).toEqual({ waiting: 2, running: 8, groups: 1, keys: 10, unanswered: 10 });
  two.commit();
  three.commit();
  (await next()).commit();
  await others;
  expect(stats()).toEqual(empty);
});

test('beside a running transaction, the next one starts with enough items, or after a while', async () => {
  const { runBatch, next, startedCount } = gate();
  const { put, stats } = open(runBatch, { lanes: 3, collecting: { itemsMin: 3, msMax: 4_000 }, deadlineMs: 60_000 });
  const answered = [put('s..1')];
  const one = await next();
  answered.push(put('s..2'), put('s..3'));
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(startedCount()).toBe(0);
  answered.push(put('s..4'));
  const two = await next();
  expect(two.ids).toEqual(['s..2', 's..3', 's..4']);
  answered.push(put('s..5'));
  one.commit();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(startedCount()).toBe(0);
  two.commit();
  const three = await next();
  expect(three.ids).toEqual(['s..5']);
  three.commit();
  expect(await Promise.all(answered)).toHaveLength(5);
  expect(stats()).toEqual(empty);
});

test('a transaction that hangs holds up the next items only for the time of collecting', async () => {
  const { runBatch, next } = gate();
  const { put, stats } = open(runBatch, { lanes: 2, collecting: { itemsMin: 3, msMax: 100 }, deadlineMs: 60_000 });
  const hanging = put('s..1');
  const one = await next();
  const other = put('s..2');
  const two = await next();
  two.commit();
  expect(await other).toBe('done s..2');
  one.commit();
  await hanging;
  expect(stats()).toEqual(empty);
});

test('after a transaction of several items, the next one waits until as many are ready', async () => {
  const { runBatch, next, startedCount } = gate();
  const { put, putAll, stats } = open(runBatch, { returning: { share: 1_000_000, msMax: 30_000 }, deadlineMs: 60_000 });
  const first = putAll(['s..1', 's..2', 's..3']);
  const one = await next();
  expect(one.ids).toHaveLength(3);
  const waiting = [put('s..4')];
  one.commit();
  await first;
  waiting.push(put('s..5'));
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(startedCount()).toBe(0);
  waiting.push(put('s..6'));
  const two = await next();
  expect(two.ids).toEqual(['s..4', 's..5', 's..6']);
  two.commit();
  await Promise.all(waiting);
  expect(stats()).toEqual(empty);
});

test('it waits for a part of the time of that transaction at most, and not at all after a single item', async () => {
  const { runBatch, next } = gate();
  const { put, putAll } = open(runBatch, { returning: { share: 1_000_000, msMax: 50 }, deadlineMs: 60_000 });
  const both = putAll(['s..1', 's..2']);
  const one = await next();
  const startedAt = performance.now();
  one.commit();
  await both;
  const alone = put('s..3');
  const two = await next();
  expect(performance.now() - startedAt).toBeGreaterThan(40);
  two.commit();
  await alone;
  const withoutWait = open(runBatch, { returning: { share: 1_000_000, msMax: 30_000 }, deadlineMs: 60_000 });
  for (const id of ['t..1', 't..2']) {
    const answered = withoutWait.put(id);
    (await next()).commit();
    expect(await answered).toBe(`done ${id}`);
  }
});

test('an item that waited beside a transaction does not wait as long after its end', async () => {
  const { runBatch, next } = gate();
  const waits = { collecting: { itemsMin: 10, msMax: 30_000 }, returning: { share: 1_000_000, msMax: 50 } };
  const { put, putAll } = open(runBatch, { lanes: 2, ...waits, deadlineMs: 60_000 });
  const both = putAll(['s..1', 's..2']);
  const one = await next();
  const beside = put('s..3');
  for (let turns = 0; turns < 10; turns += 1) await turn();
  one.commit();
  await both;
  (await next()).commit();
  expect(await beside).toBe('done s..3');
});

test('items with one key run one after the other in order of arrival, even if another lane is free', async () => {
  const { runBatch, next, startedCount } = gate();
  const { putAll } = open(runBatch, { lanes: 3 });
  const all = putAll(['s.k.1', 's.k.2', 's.x.1', 's.k.3', 's.x.2']);
  for (const expected of [['s.k.1', 's.x.1'], ['s.k.2', 's.x.2'], ['s.k.3']]) {
    const transaction = await next();
    await turn();
    expect([transaction.ids, startedCount()]).toEqual([expected, 0]);
    transaction.commit();
  }
  await all;
});

test('an answer that settles its key lets all items that wait for it share the next transaction', async () => {
  const { runBatch, next } = gate();
  const settles = ({ keys }: { readonly keys: readonly string[] }, answer: string) => (answer === 'done s.k.2' ? keys : []);
  const { putAll, stats } = open(runBatch, { settledKeys: settles });
  const all = putAll(['s.k.1', 's.k.2', 's.k.3', 's.k.4', 's.k.5']);
  for (const expected of [['s.k.1'], ['s.k.2'], ['s.k.3', 's.k.4', 's.k.5']]) {
    const transaction = await next();
    expect(transaction.ids).toEqual(expected);
    transaction.commit();
  }
  await all;
  expect(stats()).toEqual(empty);
});

test('a thousand items that wait for one key do not delay other keys', async () => {
  const { runBatch, next } = gate();
  const { putAll, put } = open(runBatch, { waitingMax: 2_000, deadlineMs: 1_500 });
  const hot = putAll(Array.from({ length: 1_000 }, (_none, index) => `s.k.${index}`));
  const other = put('s.x.1');
  expect((await next()).ids).toEqual(['s.k.0', 's.x.1']);
  expect(await other).toBe('unavailable: deadline');
  expect(new Set(await hot)).toEqual(new Set(['unavailable: deadline']));
});

test('an item of a quiet store joins the next batch, however many items of a busy store are waiting', async () => {
  const { runBatch, next } = gate();
  const { put, putAll } = open(runBatch, { deadlineMs: 1_500 });
  const all = [putAll(named('loud', 500))];
  const under = await next();
  const quiet = put('quiet..1');
  under.commit();
  const transaction = await next();
  expect(transaction.ids).toContain('quiet..1');
  transaction.commit();
  expect(await quiet).toBe('done quiet..1');
  await Promise.all(all);
});

test('when full, rejects items of a busy store and evicts its newest ones for a quiet store', async () => {
  const { runBatch, next } = gate();
  const { putAll, put, stats } = open(runBatch, { waitingMax: 5, deadlineMs: 1_500 });
  const under = put('loud..first');
  await next();
  const loud = named('loud', 7).map(put);
  expect(await Promise.all(loud.slice(5))).toEqual(['overloaded', 'overloaded']);
  const quiet = putAll(['quiet..1', 'quiet..2']);
  expect(await Promise.all(loud.slice(3, 5))).toEqual(['overloaded', 'overloaded']);
  expect(stats().waiting).toBe(5);
  expect(await Promise.all([under, quiet, ...loud.slice(0, 3)])).toEqual([
    'unavailable: deadline',
    ['unavailable: deadline', 'unavailable: deadline'],
    ...Array(3).fill('unavailable: deadline'),
  ]);
});

test('answers by the deadline while the transaction hangs: its keys stay busy, other keys continue', async () => {
  const { runBatch, next, startedCount } = gate();
  const { put, stats } = open(runBatch, { lanes: 2, deadlineMs: 1_500 });
  const startedAt = performance.now();
  const hanging = put('s.k.1');
  const transaction = await next();
  await pause(300);
  const behind = put('s.k.2');
  expect(await hanging).toBe('unavailable: deadline');
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThanOrEqual(1_500);
  expect(tookMs).toBeLessThan(1_500 + lateMsMax);
  const other = put('s.x.1');
  (await next()).commit();
  expect(await other).toBe('done s.x.1');
  expect(await behind).toBe('unavailable: deadline');
  expect([startedCount(), stats()]).toEqual([0, { waiting: 0, running: 1, groups: 0, keys: 1, unanswered: 0 }]);
  const late = put('s.k.3');
  transaction.commit();
  (await next()).commit();
  expect(await late).toBe('done s.k.3');
  expect(stats()).toEqual(empty);
});

test('an item that expires while waiting unblocks the items behind it, even if the item ahead of it still hangs', async () => {
  const { runBatch, next } = gate();
  const { putOrder } = open(runBatch, { lanes: 2, deadlineMs: 2_500 });
  const ahead = putOrder({ id: 'ahead', store: 's', keys: ['k'] });
  await next();
  const between = putOrder({ id: 'between', store: 's', keys: ['k', 'l'] });
  await pause(2_000);
  const behind = putOrder({ id: 'behind', store: 's', keys: ['l'] });
  expect(await between).toEqual({ is: 'unavailable', why: 'deadline' });
  (await next()).commit();
  expect([await behind, await ahead]).toEqual([
    { is: 'answered', answer: 'done behind' },
    { is: 'unavailable', why: 'deadline' },
  ]);
});

test('an item that expired because the process was busy never starts', async () => {
  const { put, attempts } = open(commit, { deadlineMs: 20 });
  const late = put('s..1');
  for (const startedAt = performance.now(); performance.now() - startedAt < 30;);
  expect(await late).toBe('unavailable: deadline');
  expect(attempts).toEqual([]);
});

test('a batch has the latest deadline of its items, and an expired item is not retried', async () => {
  const { runBatch, next } = gate();
  const { put } = open(runBatch, { deadlineMs: 2_500 });
  const first = put('s..1');
  const under = await next();
  const early = put('s..early');
  await pause(1_500);
  const putAt = performance.now();
  const later = put('s..later');
  under.commit();
  expect(await first).toBe('done s..1');
  const both = await next();
  expect(both.ids).toEqual(['s..early', 's..later']);
  expect(both.attempt.deadlineAt).toBeGreaterThanOrEqual(putAt + 2_500);
  expect(await early).toBe('unavailable: deadline');
  both.fail(new Superseded());
  const again = await next();
  expect(again.ids).toEqual(['s..later']);
  again.commit();
  expect(await later).toBe('done s..later');
});

test('closing rejects new items, finishes the waiting ones, and leaves no timer', async () => {
  const { runBatch, next } = gate();
  const { put, putAll, close, stats } = open(runBatch, { sizeMax: 2 });
  const timersBefore = timers();
  const all = putAll(named('s', 3));
  const closed = Promise.all([close(), close()]);
  expect(await put('s..late')).toBe('closed');
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  (await next()).commit();
  await turn();
  expect(isClosed).toBe(false);
  (await next()).commit();
  await closed;
  expect(await all).toEqual(answers(named('s', 3).map(order)));
  expect(stats()).toEqual(empty);
  await expectNoTimer(timersBefore);
});

test('closing ends by the deadline when a transaction hangs, and every item has a result by then', async () => {
  const { runBatch, next } = gate();
  const { putAll, close } = open(runBatch, { sizeMax: 2, deadlineMs: 1_000 });
  const startedAt = performance.now();
  let ended = 0;
  void putAll(named('s', 3)).then((ends) => (ended = ends.length));
  await next();
  await close();
  await turn();
  expect(ended).toBe(3);
  expect(performance.now() - startedAt).toBeLessThan(1_000 + lateMsMax);
});

test('an idle batch closes immediately', async () => {
  const { close, put } = open(commit);
  await close();
  expect(await put('s..1')).toBe('closed');
});

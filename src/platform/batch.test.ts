import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answers, commit, empty, gate, lateMsMax, named, open, order } from '../../test/support/batch-of-orders.ts';
import { Superseded } from './batch-attempts.ts';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
/** Whoever runs this process has timers too, and they come and go; one of ours would stay. */
async function expectNoTimer(before: number): Promise<void> {
  for (const startedAt = performance.now(); timers() > before && performance.now() - startedAt < 1_000;) await turn();
  expect(timers()).toBeLessThanOrEqual(before);
}

test('what arrives in one turn of the event loop shares a transaction; a lone item waits for nobody, and leaves no timer', async () => {
  const { put, putAll, tried } = open(commit);
  const timersBefore = timers();
  const first = put('s..1');
  for (let jobs = 0; jobs < 100; jobs += 1) await Promise.resolve();
  expect(await putAll(['s..2', 's..3'])).toEqual(['done s..2', 'done s..3']);
  expect(await first).toBe('done s..1');
  const startedAt = performance.now();
  await put('s..4');
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(tried()).toEqual(['s..1 s..2 s..3: committed', 's..4: committed']);
  await expectNoTimer(timersBefore);
});

test('what arrives while a transaction commits forms the next batches, of at most their size, in at most their lanes', async () => {
  const { carryOut, next, begunCount } = gate();
  const { put, putAll, figures } = open(carryOut, { lanes: 2, sizeMax: 4 });
  const first = put('s..first');
  const one = await next();
  const others = putAll(named('s', 10));
  const two = await next();
  expect(two.ids).toEqual(named('s', 10).slice(0, 4));
  await turn();
  expect(begunCount()).toBe(0);
  one.commit();
  expect(await first).toBe('done s..first');
  const three = await next();
  expect(three.ids).toEqual(named('s', 10).slice(4, 8));
  expect(figures()).toEqual({ waiting: 2, underWay: 8, groups: 1, keys: 10, unanswered: 10 });
  two.commit();
  three.commit();
  (await next()).commit();
  await others;
  expect(figures()).toEqual(empty);
});

test('items of one key go one after the other in the order they came, also where another lane is free', async () => {
  const { carryOut, next, begunCount } = gate();
  const { putAll } = open(carryOut, { lanes: 3 });
  const all = putAll(['s.k.1', 's.k.2', 's.x.1', 's.k.3', 's.x.2']);
  for (const expected of [['s.k.1', 's.x.1'], ['s.k.2', 's.x.2'], ['s.k.3']]) {
    const transaction = await next();
    await turn();
    expect([transaction.ids, begunCount()]).toEqual([expected, 0]);
    transaction.commit();
  }
  await all;
});

test('an answer that settles its key lets all who wait for it share the next transaction', async () => {
  const { carryOut, next } = gate();
  const settles = ({ keys }: { readonly keys: readonly string[] }, answer: string) => (answer === 'done s.k.2' ? keys : []);
  const { putAll, figures } = open(carryOut, { settles });
  const all = putAll(['s.k.1', 's.k.2', 's.k.3', 's.k.4', 's.k.5']);
  for (const expected of [['s.k.1'], ['s.k.2'], ['s.k.3', 's.k.4', 's.k.5']]) {
    const transaction = await next();
    expect(transaction.ids).toEqual(expected);
    transaction.commit();
  }
  await all;
  expect(figures()).toEqual(empty);
});

test('a thousand that wait for one key hold up no other key', async () => {
  const { carryOut, next } = gate();
  const { putAll, put } = open(carryOut, { waitingMax: 2_000, deadlineMs: 1_500 });
  const hot = putAll(Array.from({ length: 1_000 }, (_none, index) => `s.k.${index}`));
  const other = put('s.x.1');
  expect((await next()).ids).toEqual(['s.k.0', 's.x.1']);
  expect(await other).toBe('unavailable: deadline');
  expect(new Set(await hot)).toEqual(new Set(['unavailable: deadline']));
});

test('a quiet store rides with the next batch however much a loud one has waiting', async () => {
  const { carryOut, next } = gate();
  const { put, putAll } = open(carryOut, { deadlineMs: 1_500 });
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

test('when full, a loud store is refused at once and a quiet one takes the place of its newest', async () => {
  const { carryOut, next } = gate();
  const { putAll, put, figures } = open(carryOut, { waitingMax: 5, deadlineMs: 1_500 });
  const under = put('loud..first');
  await next();
  const loud = named('loud', 7).map(put);
  expect(await Promise.all(loud.slice(5))).toEqual(['overloaded', 'overloaded']);
  const quiet = putAll(['quiet..1', 'quiet..2']);
  expect(await Promise.all(loud.slice(3, 5))).toEqual(['overloaded', 'overloaded']);
  expect(figures().waiting).toBe(5);
  expect(await Promise.all([under, quiet, ...loud.slice(0, 3)])).toEqual([
    'unavailable: deadline',
    ['unavailable: deadline', 'unavailable: deadline'],
    ...Array(3).fill('unavailable: deadline'),
  ]);
});

test('a deadline is kept while the transaction hangs: its keys stay busy, other keys go on, the late are never begun', async () => {
  const { carryOut, next, begunCount } = gate();
  const { put, figures } = open(carryOut, { lanes: 2, deadlineMs: 1_500 });
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
  expect([begunCount(), figures()]).toEqual([0, { waiting: 0, underWay: 1, groups: 0, keys: 1, unanswered: 0 }]);
  const late = put('s.k.3');
  transaction.commit();
  (await next()).commit();
  expect(await late).toBe('done s.k.3');
  expect(figures()).toEqual(empty);
});

test('who is too late while waiting lets those behind it through at once, though who was ahead of it still hangs', async () => {
  const { carryOut, next } = gate();
  const { putOrder } = open(carryOut, { lanes: 2, deadlineMs: 2_500 });
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

test('who is too late because the process was busy is never begun', async () => {
  const { put, attempts } = open(commit, { deadlineMs: 20 });
  const late = put('s..1');
  for (const startedAt = performance.now(); performance.now() - startedAt < 30;);
  expect(await late).toBe('unavailable: deadline');
  expect(attempts).toEqual([]);
});

test('a batch has the time of its latest, and who is too late takes no part in its next try', async () => {
  const { carryOut, next } = gate();
  const { put } = open(carryOut, { deadlineMs: 2_500 });
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

test('closing takes no more, carries through what waits, then ends, and leaves no timer', async () => {
  const { carryOut, next } = gate();
  const { put, putAll, close, figures } = open(carryOut, { sizeMax: 2 });
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
  expect(figures()).toEqual(empty);
  await expectNoTimer(timersBefore);
});

test('closing ends in time when a transaction hangs, and everybody has an answer by then', async () => {
  const { carryOut, next } = gate();
  const { putAll, close } = open(carryOut, { sizeMax: 2, deadlineMs: 1_000 });
  const startedAt = performance.now();
  let ended = 0;
  void putAll(named('s', 3)).then((ends) => (ended = ends.length));
  await next();
  await close();
  await turn();
  expect(ended).toBe(3);
  expect(performance.now() - startedAt).toBeLessThan(1_000 + lateMsMax);
});

test('an idle batch closes at once', async () => {
  const { close, put } = open(commit);
  await close();
  expect(await put('s..1')).toBe('closed');
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commit, empty, failed, gate, open, type RunOrders } from '../../test/support/batch-of-orders.ts';
import { rowLocked, lockWaitMsMax, nextStep, Superseded, triesMax, type AttemptFailure } from './attempts.ts';

const batch = { isSingle: false, isLastTry: false, waitsForLocks: false };
const single = { ...batch, isSingle: true };
const last = { ...batch, isLastTry: true };
const lastSingle = { ...single, isLastTry: true };
const alone = { ...single, waitsForLocks: true };

test.each<[string, AttemptFailure, Parameters<typeof nextStep>[1]]>([
  ['give up', 'outcome unknown', batch],
  ['give up', 'outcome unknown', single],
  ['give up', 'unavailable', batch],
  ['give up', 'unavailable', alone],
  ['retry on new connection', 'connection lost', batch],
  ['retry on new connection', 'connection lost', alone],
  ['give up', 'connection lost', last],
  ['give up', 'connection lost', lastSingle],
  ['one by one', 'guilty item', batch],
  ['give up', 'guilty item', single],
  ['retry after pause', 'row taken', batch],
  ['one by one', 'row taken', last],
  ['retry alone', 'row taken', single],
  ['retry alone', 'row taken', lastSingle],
  ['give up', 'row taken', alone],
  ['retry after pause', 'again', batch],
  ['retry after pause', 'again', alone],
  ['one by one', 'again', last],
  ['give up', 'again', lastSingle],
  ['retry now', 'superseded', batch],
  ['retry now', 'superseded', single],
  ['one by one', 'superseded', last],
  ['give up', 'superseded', lastSingle],
])('%s <- %s %j', (next, failure, circumstances) => {
  expect(nextStep(failure, circumstances)).toBe(next);
});

test.each(['21000', '22P02', '23502'])(
  'SQLSTATE %s fails only the invalid item; the others of its batch commit one by one',
  async (code) => {
    const runBatch: RunOrders = async (items, attempt) => {
      if (items.some(({ id }) => id === 's..bad')) throw failed(code);
      return commit(items, attempt);
    };
    const { putAll, attemptLog, stats } = open(runBatch);
    expect(await putAll(['s..1', 's..bad', 's..2'])).toEqual(['done s..1', 'unavailable: guilty item', 'done s..2']);
    expect(attemptLog()).toEqual(['s..1 s..bad s..2: guilty item', 's..1: committed', 's..bad: guilty item', 's..2: committed']);
    expect(stats()).toEqual(empty);
  },
);

test.each([
  ['40P01', 'again'],
  ['40001', 'again'],
  ['55P03', 'row taken'],
])('retries the whole batch after SQLSTATE %s', async (code, failure) => {
  let runs = 0;
  const { putAll, attemptLog } = open(async (items, attempt) => {
    runs += 1;
    if (runs < triesMax) throw failed(code);
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(['done s..1', 'done s..2']);
  expect(attemptLog()).toEqual([`s..1 s..2: ${failure}`, `s..1 s..2: ${failure}`, 's..1 s..2: committed']);
});

test.each([
  ['again', failed('40P01')],
  ['superseded', new Superseded()],
])('an error that is always %s is retried three times for the batch and three times per item, then given up', async (failure, error) => {
  const runBatch: RunOrders = async (items, attempt) => {
    if (items.some(({ id }) => id === 's..bad')) throw error;
    return commit(items, attempt);
  };
  const { putAll, attemptLog } = open(runBatch);
  expect(await putAll(['s..bad', 's..good'])).toEqual([`unavailable: ${failure}`, 'done s..good']);
  expect(attemptLog()).toEqual([
    ...Array(triesMax).fill(`s..bad s..good: ${failure}`),
    ...Array(triesMax).fill(`s..bad: ${failure}`),
    's..good: committed',
  ]);
});

test('loads and decides again when another process was first', async () => {
  const rows = new Map<string, string>();
  const { put, attemptLog } = open(async ([item], attempt) => {
    const id = item?.id ?? '';
    const earlier = rows.get(id);
    if (!earlier) {
      rows.set(id, 'another process');
      throw new Superseded();
    }
    attempt.commitSent();
    return [`replay of ${earlier}`];
  });
  expect(await put('s..1')).toBe('replay of another process');
  expect(attemptLog()).toEqual(['s..1: superseded', 's..1: committed']);
});

test.each([
  ['a timeout', new Error('Query read timeout')],
  ['a bug of our own', new Error('impossible: …')],
  ['undefined', undefined],
  ['a string', 'no'],
])('%s fails the whole batch as unavailable without a retry, and the next batch succeeds', async (_what, error) => {
  let runs = 0;
  const { put, putAll, attemptLog, stats } = open(async (items, attempt) => {
    runs += 1;
    if (runs === 1) throw error;
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 't..1'])).toEqual(['unavailable: unavailable', 'unavailable: unavailable']);
  expect(await put('s..2')).toBe('done s..2');
  expect(attemptLog()).toEqual(['s..1 t..1: unavailable', 's..2: committed']);
  expect(stats()).toEqual(empty);
});

test('retries a batch whose connection is lost before its commit, and gives up after three attempts', async () => {
  let runs = 0;
  const { putAll, attemptLog, stats } = open(async (items, attempt) => {
    runs += 1;
    if (runs === 1 || runs > 2) throw failed('57P01');
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 't..1'])).toEqual(['done s..1', 'done t..1']);
  expect(await putAll(['s..2', 't..2'])).toEqual(['unavailable: connection lost', 'unavailable: connection lost']);
  const lost = 's..2 t..2: connection lost';
  expect(attemptLog()).toEqual(['s..1 t..1: connection lost', 's..1 t..1: committed', lost, lost, lost]);
  expect(stats()).toEqual(empty);
});

test.each<[string, RunOrders]>([
  [
    'throws synchronously',
    () => {
      throw new Error('synchronously');
    },
  ],
  ['returns too few answers', async () => ['one']],
  ['returns too many answers', async () => ['one', 'two', 'three']],
])('reports a batch function that %s, and answers every item', async (_what, runBatch) => {
  const { putAll, attempts, stats } = open(runBatch);
  expect(await putAll(['s..1', 's..2'])).toEqual(['unavailable: unavailable', 'unavailable: unavailable']);
  expect(attempts.map(({ error }) => error)).toEqual([expect.any(Error)]);
  expect(stats()).toEqual(empty);
});

test('a throwing listener costs no item its answer, and emits a warning', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const { putAll } = open(commit, {
    onAttempt: () => {
      throw new Error('no such metric');
    },
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(['done s..1', 'done s..2']);
  expect((await warned).message).toBe('no such metric');
});

test.each(['23505', '40001', 'ECONNRESET'])('retries nothing after COMMIT was sent, whatever fails then (%s)', async (code) => {
  const { putAll, attemptLog } = open(async (_items, attempt) => {
    attempt.commitSent();
    throw failed(code);
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(Array(2).fill('unavailable: outcome unknown'));
  expect(attemptLog()).toEqual(['s..1 s..2: outcome unknown']);
});

test('an item with a locked row leaves its batch and is retried alone for a second; only items with its keys wait for it', async () => {
  const waits: number[] = [];
  const row = Promise.withResolvers<void>();
  const { put, putAll, attemptLog, stats } = open(async (items, attempt) => {
    waits.push(attempt.lockWaitMs);
    const taken = (id: string) => id === 's.row.1' && attempt.lockWaitMs === 0;
    if (attempt.lockWaitMs > 0) await row.promise;
    attempt.commitSent();
    return items.map(({ id }) => (taken(id) ? rowLocked : `done ${id}`));
  });
  const busy = put('s.row.1');
  const behind = put('s.row.2');
  expect(await putAll(['s..1', 't..1'])).toEqual(['done s..1', 'done t..1']);
  expect(await put('s..2')).toBe('done s..2');
  expect(stats()).toEqual({ waiting: 1, running: 1, groups: 1, keys: 1, unanswered: 2 });
  row.resolve();
  expect(await Promise.all([busy, behind])).toEqual(['done s.row.1', 'done s.row.2']);
  expect(waits.toSorted()).toEqual([0, 0, 0, lockWaitMsMax]);
  expect(attemptLog()).toEqual(['s.row.1 t..1 s..1: committed', 's..2: committed', 's.row.1: committed', 's.row.2: committed']);
});

test.each<[string, RunOrders]>([
  ['it is locked again', async () => [rowLocked]],
  [
    'the wait times out',
    async () => {
      throw failed('55P03');
    },
  ],
])('an item whose row stays locked is unavailable after its second alone: %s', async (_what, runBatch) => {
  const { put, attempts, stats } = open(runBatch, { deadlineMs: 5_000 });
  expect(await put('s..1')).toBe('unavailable: row taken');
  expect(attempts.length).toBe(2);
  expect(stats()).toEqual(empty);
});

test('retries an item with a locked row alone immediately, while the others of its batch still run one by one', async () => {
  const { runBatch, next } = gate();
  const { put } = open(runBatch);
  const ends = ['s..busy', 's..slow'].map(put);
  (await next()).fail(failed('23505'));
  (await next()).fail(failed('55P03'));
  const started = [await next(), await next()];
  expect(started.map(({ ids }) => ids.join()).toSorted()).toEqual(['s..busy', 's..slow']);
  for (const transaction of started) transaction.commit();
  expect(await Promise.all(ends)).toEqual(['done s..busy', 'done s..slow']);
});

test('does not retry a locked item after its deadline, and frees its keys', async () => {
  const row = Promise.withResolvers<void>();
  const { put } = open(
    async (items, { lockWaitMs }) => {
      if (lockWaitMs > 0) await row.promise;
      else if (items.some(({ id }) => id === 's.late.1')) await pause(1_500);
      return items.map(({ id }) => (lockWaitMs === 0 && id.endsWith('.1') ? rowLocked : `done ${id}`));
    },
    { deadlineMs: 1_000 },
  );
  // The only lane for single retries is busy, so an expired item that entered it would keep its keys.
  const busy = put('s.busy.1');
  await pause(200);
  const late = put('s.late.1');
  expect(await Promise.all([busy, late])).toEqual(['unavailable: deadline', 'unavailable: deadline']);
  await pause(800);
  expect(await put('s.late.2')).toBe('done s.late.2');
  row.resolve();
});

test('the lock timeout is at most the time until the deadline, and never 0, which means no timeout', async () => {
  const waits: number[] = [];
  const { put } = open(
    async (_items, { lockWaitMs }) => {
      waits.push(lockWaitMs);
      return [rowLocked];
    },
    { deadlineMs: 5_000 },
  );
  await put('s..1');
  expect(waits[0]).toBe(0);
  expect(waits[1]).toBeGreaterThan(0);
  expect(waits[1]).toBeLessThanOrEqual(5_000);
  expect(waits[1]).toSatisfy(Number.isInteger);
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commit, empty, failed, gate, open, type Carry } from '../../test/support/batch-of-orders.ts';
import { leaveBatch, lockWaitMsMax, nextStep, Superseded, triesMax, type AttemptFailure } from './batch-attempts.ts';

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
  ['again on another connection', 'connection lost', batch],
  ['again on another connection', 'connection lost', alone],
  ['give up', 'connection lost', last],
  ['give up', 'connection lost', lastSingle],
  ['one by one', 'guilty item', batch],
  ['give up', 'guilty item', single],
  ['again after a pause', 'row taken', batch],
  ['one by one', 'row taken', last],
  ['wait alone', 'row taken', single],
  ['wait alone', 'row taken', lastSingle],
  ['give up', 'row taken', alone],
  ['again after a pause', 'again', batch],
  ['again after a pause', 'again', alone],
  ['one by one', 'again', last],
  ['give up', 'again', lastSingle],
  ['again at once', 'superseded', batch],
  ['again at once', 'superseded', single],
  ['one by one', 'superseded', last],
  ['give up', 'superseded', lastSingle],
])('%s <- %s %j', (next, failure, circumstances) => {
  expect(nextStep(failure, circumstances)).toBe(next);
});

test.each(['21000', '22P02', '23502'])(
  'SQLSTATE %s fails the guilty item alone; the others of its batch commit one by one',
  async (code) => {
    const carryOut: Carry = async (items, attempt) => {
      if (items.some(({ id }) => id === 's..bad')) throw failed(code);
      return commit(items, attempt);
    };
    const { putAll, tried, figures } = open(carryOut);
    expect(await putAll(['s..1', 's..bad', 's..2'])).toEqual(['done s..1', 'unavailable: guilty item', 'done s..2']);
    expect(tried()).toEqual(['s..1 s..bad s..2: guilty item', 's..1: committed', 's..bad: guilty item', 's..2: committed']);
    expect(figures()).toEqual(empty);
  },
);

test.each([
  ['40P01', 'again'],
  ['40001', 'again'],
  ['55P03', 'row taken'],
])('after SQLSTATE %s the whole batch is run again', async (code, failure) => {
  let runs = 0;
  const { putAll, tried } = open(async (items, attempt) => {
    runs += 1;
    if (runs < triesMax) throw failed(code);
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(['done s..1', 'done s..2']);
  expect(tried()).toEqual([`s..1 s..2: ${failure}`, `s..1 s..2: ${failure}`, 's..1 s..2: committed']);
});

test.each([
  ['again', failed('40P01')],
  ['superseded', new Superseded()],
])('what is %s for ever is tried thrice together, then thrice one by one, then never again', async (failure, error) => {
  const carryOut: Carry = async (items, attempt) => {
    if (items.some(({ id }) => id === 's..bad')) throw error;
    return commit(items, attempt);
  };
  const { putAll, tried } = open(carryOut);
  expect(await putAll(['s..bad', 's..good'])).toEqual([`unavailable: ${failure}`, 'done s..good']);
  expect(tried()).toEqual([
    ...Array(triesMax).fill(`s..bad s..good: ${failure}`),
    ...Array(triesMax).fill(`s..bad: ${failure}`),
    's..good: committed',
  ]);
});

test('where somebody else was first, everything is loaded and decided again', async () => {
  const rows = new Map<string, string>();
  const { put, tried } = open(async ([item], attempt) => {
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
  expect(tried()).toEqual(['s..1: superseded', 's..1: committed']);
});

test.each([
  ['a time-out', new Error('Query read timeout')],
  ['a mistake of our own', new Error('impossible: …')],
  ['nothing at all', undefined],
  ['a text', 'no'],
])('%s is unavailable for the whole batch at once, and the next batch is well', async (_what, error) => {
  let runs = 0;
  const { put, putAll, tried, figures } = open(async (items, attempt) => {
    runs += 1;
    if (runs === 1) throw error;
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 't..1'])).toEqual(['unavailable: unavailable', 'unavailable: unavailable']);
  expect(await put('s..2')).toBe('done s..2');
  expect(tried()).toEqual(['s..1 t..1: unavailable', 's..2: committed']);
  expect(figures()).toEqual(empty);
});

test('a batch whose connection is lost before its commit is carried out whole on the next, and given up after three', async () => {
  let runs = 0;
  const { putAll, tried, figures } = open(async (items, attempt) => {
    runs += 1;
    if (runs === 1 || runs > 2) throw failed('57P01');
    return commit(items, attempt);
  });
  expect(await putAll(['s..1', 't..1'])).toEqual(['done s..1', 'done t..1']);
  expect(await putAll(['s..2', 't..2'])).toEqual(['unavailable: connection lost', 'unavailable: connection lost']);
  const lost = 's..2 t..2: connection lost';
  expect(tried()).toEqual(['s..1 t..1: connection lost', 's..1 t..1: committed', lost, lost, lost]);
  expect(figures()).toEqual(empty);
});

test.each<[string, Carry]>([
  [
    'throws before it has a promise',
    () => {
      throw new Error('at once');
    },
  ],
  ['answers too few', async () => ['one']],
  ['answers too many', async () => ['one', 'two', 'three']],
])('carrying out that %s is heard, and everybody has an answer', async (_what, carryOut) => {
  const { putAll, attempts, figures } = open(carryOut);
  expect(await putAll(['s..1', 's..2'])).toEqual(['unavailable: unavailable', 'unavailable: unavailable']);
  expect(attempts.map(({ error }) => error)).toEqual([expect.any(Error)]);
  expect(figures()).toEqual(empty);
});

test('a listener that throws costs nobody an answer, and is heard of', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const { putAll } = open(commit, {
    tried: () => {
      throw new Error('no such figure');
    },
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(['done s..1', 'done s..2']);
  expect((await warned).message).toBe('no such figure');
});

test.each(['23505', '40001', 'ECONNRESET'])('once COMMIT was sent nothing is run again, whatever then fails (%s)', async (code) => {
  const { putAll, tried } = open(async (_items, attempt) => {
    attempt.commitSent();
    throw failed(code);
  });
  expect(await putAll(['s..1', 's..2'])).toEqual(Array(2).fill('unavailable: outcome unknown'));
  expect(tried()).toEqual(['s..1 s..2: outcome unknown']);
});

test('an item whose row is taken leaves its batch and is tried alone for a second; only its own keys wait for it', async () => {
  const waits: number[] = [];
  const row = Promise.withResolvers<void>();
  const { put, putAll, tried, figures } = open(async (items, attempt) => {
    waits.push(attempt.lockWaitMs);
    const taken = (id: string) => id === 's.row.1' && attempt.lockWaitMs === 0;
    if (attempt.lockWaitMs > 0) await row.promise;
    attempt.commitSent();
    return items.map(({ id }) => (taken(id) ? leaveBatch : `done ${id}`));
  });
  const busy = put('s.row.1');
  const behind = put('s.row.2');
  expect(await putAll(['s..1', 't..1'])).toEqual(['done s..1', 'done t..1']);
  expect(await put('s..2')).toBe('done s..2');
  expect(figures()).toEqual({ waiting: 1, underWay: 1, groups: 1, keys: 1, unanswered: 2 });
  row.resolve();
  expect(await Promise.all([busy, behind])).toEqual(['done s.row.1', 'done s.row.2']);
  expect(waits.toSorted()).toEqual([0, 0, 0, lockWaitMsMax]);
  expect(tried()).toEqual(['s.row.1 t..1 s..1: committed', 's..2: committed', 's.row.1: committed', 's.row.2: committed']);
});

test.each<[string, Carry]>([
  ['it leaves again', async () => [leaveBatch]],
  [
    'the wait runs out',
    async () => {
      throw failed('55P03');
    },
  ],
])('an item whose row stays taken is unavailable after its second alone: %s', async (_what, carryOut) => {
  const { put, attempts, figures } = open(carryOut, { deadlineMs: 5_000 });
  expect(await put('s..1')).toBe('unavailable: row taken');
  expect(attempts.length).toBe(2);
  expect(figures()).toEqual(empty);
});

test('an item whose row is taken is tried alone at once, while the others of its batch are still run one by one', async () => {
  const { carryOut, next } = gate();
  const { put } = open(carryOut);
  const ends = ['s..busy', 's..slow'].map(put);
  (await next()).fail(failed('23505'));
  (await next()).fail(failed('55P03'));
  const begun = [await next(), await next()];
  expect(begun.map(({ ids }) => ids.join()).toSorted()).toEqual(['s..busy', 's..slow']);
  for (const transaction of begun) transaction.commit();
  expect(await Promise.all(ends)).toEqual(['done s..busy', 'done s..slow']);
});

test('an item that is too late when its row is found taken is not tried again, and frees its keys for the next', async () => {
  const row = Promise.withResolvers<void>();
  const { put } = open(
    async (items, { lockWaitMs }) => {
      if (lockWaitMs > 0) await row.promise;
      else if (items.some(({ id }) => id === 's.late.1')) await pause(1_500);
      return items.map(({ id }) => (lockWaitMs === 0 && id.endsWith('.1') ? leaveBatch : `done ${id}`));
    },
    { deadlineMs: 1_000 },
  );
  // The only lane for trying alone is taken, so that a late one put there would keep its keys.
  const busy = put('s.busy.1');
  await pause(200);
  const late = put('s.late.1');
  expect(await Promise.all([busy, late])).toEqual(['unavailable: deadline', 'unavailable: deadline']);
  await pause(800);
  expect(await put('s.late.2')).toBe('done s.late.2');
  row.resolve();
});

test('to wait for a row takes no longer than the deadline leaves, and never 0, which would be for ever', async () => {
  const waits: number[] = [];
  const { put } = open(
    async (_items, { lockWaitMs }) => {
      waits.push(lockWaitMs);
      return [leaveBatch];
    },
    { deadlineMs: 5_000 },
  );
  await put('s..1');
  expect(waits[0]).toBe(0);
  expect(waits[1]).toBeGreaterThan(0);
  expect(waits[1]).toBeLessThanOrEqual(5_000);
  expect(waits[1]).toSatisfy(Number.isInteger);
});

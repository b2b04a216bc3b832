import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheOpenKeys, type FoundKey } from './request-checks.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const hash = Buffer.from('hash of a key');
const open: FoundKey<string> = { is: 'open', integration: 'store' };
const unknown: FoundKey<string> = { is: 'unknown' };

function cached(...answers: Array<FoundKey<string> | Error | Promise<FoundKey<string>>>) {
  const findKey = vi.fn<() => Promise<FoundKey<string>>>(async () => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next === undefined || next instanceof Error) throw next ?? new Error('no answer');
    return next;
  });
  const find = cacheOpenKeys(findKey, () => {});
  return { find: async () => (await find('tk', hash)).is, lookUps: () => findKey.mock.calls.length };
}

test('a busy store looks its key up once a second, and no request waits for an answer within half a second', async () => {
  const slow = Promise.withResolvers<FoundKey<string>>();
  const { find, lookUps } = cached(open, slow.promise);
  expect(await find()).toBe('open');
  vi.advanceTimersByTime(999);
  expect(await find()).toBe('open');
  expect(lookUps()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await Promise.all([find(), find(), find()])).toEqual(['open', 'open', 'open']);
  expect(lookUps()).toBe(2);
  slow.resolve(open);
  await turn();
  vi.advanceTimersByTime(999);
  expect(await find()).toBe('open');
  expect(lookUps()).toBe(2);
});

test('a revoked key is refused after the look-up that a request began, and after 1.5 s at the latest', async () => {
  const slow = Promise.withResolvers<FoundKey<string>>();
  const { find, lookUps } = cached(open, slow.promise, unknown);
  await find();
  vi.advanceTimersByTime(1_000);
  expect(await find()).toBe('open');
  vi.advanceTimersByTime(499);
  expect(await find()).toBe('open');
  vi.advanceTimersByTime(1);
  expect(await find()).toBe('unknown');
  slow.resolve(unknown);
  await turn();
  expect(await find()).toBe('unknown');
  expect(lookUps()).toBe(4);
});

test('a key that was unknown is looked up again by the next request', async () => {
  const { find, lookUps } = cached(unknown, open);
  expect(await find()).toBe('unknown');
  expect(await find()).toBe('open');
  expect(lookUps()).toBe(2);
});

test('a failed look-up costs no request its answer before 1.5 s, and is tried again', async () => {
  const { find, lookUps } = cached(open, new Error('the database is away'));
  await find();
  vi.advanceTimersByTime(1_000);
  expect(await find()).toBe('open');
  await turn();
  expect(await find()).toBe('open');
  vi.advanceTimersByTime(500);
  await expect(find()).rejects.toThrow('the database is away');
  expect(lookUps()).toBeGreaterThanOrEqual(4);
});

test('requests that arrive during the first look-up of a key share it', async () => {
  const slow = Promise.withResolvers<FoundKey<string>>();
  const { find, lookUps } = cached(slow.promise, unknown);
  const all = Promise.all([find(), find(), find()]);
  slow.resolve(open);
  expect(await all).toEqual(['open', 'open', 'open']);
  expect(lookUps()).toBe(1);
});

test('a key that is created during a look-up that does not find it is found by the requests that waited', async () => {
  const slow = Promise.withResolvers<FoundKey<string>>();
  const { find, lookUps } = cached(slow.promise, open);
  const first = find();
  const waiting = Promise.all([find(), find(), find()]);
  slow.resolve(unknown);
  expect(await first).toBe('unknown');
  expect(await waiting).toEqual(['open', 'open', 'open']);
  expect(lookUps()).toBe(2);
});

test('requests that wait for an unknown key look it up once more, together', async () => {
  const { find, lookUps } = cached(unknown);
  expect(await Promise.all([find(), find(), find(), find()])).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  expect(lookUps()).toBe(2);
});

test('no request waits for a look-up that began 1.5 s before it', async () => {
  const slow = Promise.withResolvers<FoundKey<string>>();
  const { find } = cached(slow.promise, unknown);
  const first = find();
  vi.advanceTimersByTime(1_500);
  expect(await find()).toBe('unknown');
  slow.resolve(open);
  expect(await first).toBe('open');
});

test('a failed look-up fails the requests that share it, and the next request tries again', async () => {
  const { find, lookUps } = cached(new Error('the database is away'), open);
  expect(await Promise.allSettled([find(), find()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await find()).toBe('open');
  expect(lookUps()).toBe(2);
});

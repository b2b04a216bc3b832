import { expect, test } from 'vitest';
import { invariant } from '../core/invariant.ts';
import { createConcurrencyLimiter, maxForOneSender, type ConcurrencyLimiter } from './concurrency-limiter.ts';

const takeAll = ({ take }: ConcurrencyLimiter, sender: string): ReadonlyArray<() => void> => {
  const release = take(sender);
  return release === null ? [] : [release, ...takeAll({ take }, sender)];
};

test('a store that sends a burst gets four fifths of the capacity, and leaves the rest to another', () => {
  const limiter = createConcurrencyLimiter(1_250);
  expect(takeAll(limiter, 'burst')).toHaveLength(maxForOneSender(1_250));
  expect(maxForOneSender(1_250)).toBe(1_000);
  expect(takeAll(limiter, 'other')).toHaveLength(200);
});

test('released capacity goes to a new store and not back to a burst, however many stores send bursts', () => {
  const limiter = createConcurrencyLimiter(1_250);
  const [taken] = Array.from({ length: 20 }, (_, burst) => takeAll(limiter, `burst ${burst}`));
  expect(limiter.take('one more')).toBeNull();
  for (const release of taken?.slice(0, 100) ?? []) release();
  expect(limiter.take('burst 0')).toBeNull();
  expect(limiter.take('one more')).not.toBeNull();
});

test('released capacity is available again, to the same store and to others', () => {
  const limiter = createConcurrencyLimiter(1_250);
  const taken = takeAll(limiter, 'burst');
  for (const release of taken) release();
  const again = takeAll(limiter, 'burst');
  expect(again).toHaveLength(taken.length);
  const [first] = again;
  invariant(first !== undefined, 'a request was let through');
  first();
  expect(takeAll(limiter, 'burst')).toHaveLength(1);
});

test('a limiter without capacity rejects every request', () => {
  expect(createConcurrencyLimiter(0).take('store')).toBeNull();
});

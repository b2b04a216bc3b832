import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { feedLimiter, feedsMax, feedsPerStoreMax } from './log-api.ts';

test('where as many stores follow their logs as could take all feeds, one more store finds a place', () => {
  const stores = Array.from({ length: feedsMax / feedsPerStoreMax + 1 }, () => newId<'store'>(new Date()));
  const taken = stores.map((storeId) => {
    const held = [];
    for (let leave = feedLimiter.take(storeId); leave !== null; leave = feedLimiter.take(storeId)) held.push(leave);
    return held;
  });
  expect(taken[0]).toHaveLength(feedsPerStoreMax);
  expect(taken.at(-1)?.length).toBeGreaterThan(0);
  expect(taken.flat()).toHaveLength(feedsMax);
  for (const leave of taken.flat()) leave();
});

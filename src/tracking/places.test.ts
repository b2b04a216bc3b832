import { expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { feedPlaces, feedsMax, feedsOfStoreMax } from './places.ts';

test('where as many stores follow their logs as could take all feeds, one more store finds a place', () => {
  const stores = Array.from({ length: feedsMax / feedsOfStoreMax + 1 }, () => newId<'store'>(new Date()));
  const taken = stores.map((storeId) => {
    const held = [];
    for (let leave = feedPlaces.take(storeId); leave !== null; leave = feedPlaces.take(storeId)) held.push(leave);
    return held;
  });
  expect(taken[0]).toHaveLength(feedsOfStoreMax);
  expect(taken.at(-1)?.length).toBeGreaterThan(0);
  expect(taken.flat()).toHaveLength(feedsMax);
  for (const leave of taken.flat()) leave();
});

import { expect, test } from 'vitest';
import { must } from '../platform/must.ts';
import { openPlaces, placesOfOne, type Places } from './places.ts';

const takeAll = ({ take }: Places, sender: string): ReadonlyArray<() => void> => {
  const leave = take(sender);
  return leave === null ? [] : [leave, ...takeAll({ take }, sender)];
};

test('a store that storms has four fifths of the places, and another finds room beside it', () => {
  const places = openPlaces(1_250);
  expect(takeAll(places, 'storm')).toHaveLength(placesOfOne(1_250));
  expect(placesOfOne(1_250)).toBe(1_000);
  expect(takeAll(places, 'other')).toHaveLength(200);
});

test('however many stores storm, what is given back goes to one more, and not to the storm that had it', () => {
  const places = openPlaces(1_250);
  const [held] = Array.from({ length: 20 }, (_, storm) => takeAll(places, `storm ${storm}`));
  expect(places.take('one more')).toBeNull();
  for (const leave of held?.slice(0, 100) ?? []) leave();
  expect(places.take('storm 0')).toBeNull();
  expect(places.take('one more')).not.toBeNull();
});

test('a place that was given back is there again, for the same store and for others', () => {
  const places = openPlaces(1_250);
  const held = takeAll(places, 'storm');
  for (const leave of held) leave();
  const again = takeAll(places, 'storm');
  expect(again).toHaveLength(held.length);
  const [first] = again;
  must(first !== undefined, 'a place was taken');
  first();
  expect(takeAll(places, 'storm')).toHaveLength(1);
});

test('without places there is room for nobody', () => {
  expect(openPlaces(0).take('store')).toBeNull();
});

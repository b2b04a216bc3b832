import { expect, test } from 'vitest';
import { openWaitingLine } from './waiting-line.ts';

test('a crowd that finds no room is spread over the seconds to come, no more in each than may be under way', () => {
  const comeAgainIn = openWaitingLine(2_000);
  const told = Array.from({ length: 9_000 }, () => comeAgainIn(1_000));
  const inEach = Map.groupBy(told, (seconds) => seconds);
  expect([...inEach.keys()]).toEqual([2, 3, 4, 5, 6, 7]);
  expect(Math.max(...[...inEach.values()].map((same) => same.length))).toBeLessThanOrEqual(2_000);
});

test('nobody waits longer than half a minute, however many there are', () => {
  const comeAgainIn = openWaitingLine(2_000);
  expect(Array.from({ length: 200_000 }, () => comeAgainIn(0)).at(-1)).toBe(30);
});

test('once the crowd is gone, two seconds are enough again', () => {
  const comeAgainIn = openWaitingLine(2_000);
  for (let refused = 0; refused < 9_000; refused++) comeAgainIn(0);
  expect(comeAgainIn(1_000)).toBe(6);
  expect(comeAgainIn(60_000)).toBe(2);
});

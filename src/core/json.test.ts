import { expect, test } from 'vitest';
import { findSizeError } from './json.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const wide = (fields: number) => Object.fromEntries(Array.from({ length: fields }, (_, place) => [`k${place}`, 1]));

test.each([
  ['a value without members', 1],
  ['64 levels', nested(64)],
  ['2,000 fields', wide(2_000)],
  ['a long list', Array.from({ length: 100_000 }, () => 1)],
])('accepts %s', (_what, value) => {
  expect(findSizeError(value)).toBeNull();
});

test.each([
  ['65 levels', nested(65), 'must not be nested deeper than 64'],
  ['a hundred thousand levels', nested(100_000), 'must not be nested deeper than 64'],
  ['2,001 fields', wide(2_001), 'must not have an object with more than 2000 fields'],
  ['2,001 fields within a list', [wide(2_001)], 'must not have an object with more than 2000 fields'],
])('rejects %s', (_what, value, message) => {
  expect(findSizeError(value)).toBe(message);
});

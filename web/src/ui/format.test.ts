import { expect, test } from 'vitest';
import { formatDollars, formatHundredths, formatPercent, parseHundredths, formatUsd } from './format.ts';

const typed: ReadonlyArray<[string, number | null]> = [
  ['12.5', 1_250],
  ['12,5', 1_250],
  [' 7 ', 700],
  ['0.07', 7],
  ['0.29', 29],
  ['4.35', 435],
  ['100', 10_000],
  ['', null],
  ['1.234', null],
  ['-1', null],
  ['1e3', null],
  ['ten', null],
];

test.for(typed)('"%s" is parsed as %s hundredths, or as null', ([text, hundredths]) => {
  expect(parseHundredths(text)).toBe(hundredths);
});

test('cents are formatted as dollars with two decimals and grouped thousands', () => {
  expect([0, 7, 100, 123_456_789].map(formatDollars)).toEqual(['0.00', '0.07', '1.00', '1,234,567.89']);
});

test('a negative amount has its sign first', () => {
  expect([-7, -150, -123_456_789].map(formatDollars)).toEqual(['−0.07', '−1.50', '−1,234,567.89']);
  expect(formatUsd(-7)).toBe('−0.07 USD');
});

test('basis points are formatted as percent without trailing zeros', () => {
  expect([0, 5, 1_000, 1_250, 10_000].map(formatPercent)).toEqual(['0%', '0.05%', '10%', '12.5%', '100%']);
});

test('a formatted number is parsed as the same number', () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++) expect(parseHundredths(formatHundredths(hundredths))).toBe(hundredths);
});

import { expect, test } from 'vitest';
import { dollarsOf, hundredthsText, percentOf, readHundredths, usd } from './amounts.ts';

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

test.for(typed)('"%s" is read as %s hundredths, or as nothing', ([text, hundredths]) => {
  expect(readHundredths(text)).toBe(hundredths);
});

test('cents are written as dollars with two places and thousands apart', () => {
  expect([0, 7, 100, 123_456_789].map(dollarsOf)).toEqual(['0.00', '0.07', '1.00', '1,234,567.89']);
});

test('what is less than nothing says so before its figures', () => {
  expect([-7, -150, -123_456_789].map(dollarsOf)).toEqual(['−0.07', '−1.50', '−1,234,567.89']);
  expect(usd(-7)).toBe('−0.07 USD');
});

test('basis points are written as percent without empty places', () => {
  expect([0, 5, 1_000, 1_250, 10_000].map(percentOf)).toEqual(['0 %', '0.05 %', '10 %', '12.5 %', '100 %']);
});

test('what is written is read back as the same', () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++) expect(readHundredths(hundredthsText(hundredths))).toBe(hundredths);
});

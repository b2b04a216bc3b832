import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsFromDecimal } from '../../sdk/src/cents.ts';

test.each([
  ['10.05', 1005],
  ['1.1', 110],
  ['8', 800],
  ['0', 0],
  ['007.5', 750],
  ['19.9900', 1999],
  ['90071992547409.91', 9007199254740991],
])('parses "%s" as %i cents', (decimal, cents) => expect(centsFromDecimal(decimal)).toBe(cents));

test.each([
  '',
  '.',
  '1.',
  '.5',
  '-1',
  '+1',
  '1,00',
  '1e3',
  ' 1',
  '$1',
  '1.005',
  '0.001',
  '90071992547409.92',
  '12345678901234567',
  '١',
  'NaN',
])('throws for "%s" instead of guessing an amount', (decimal) => expect(() => centsFromDecimal(decimal)).toThrow(RangeError));

test('rejects a number, even if it would parse well', () => {
  expect(() => Reflect.apply(centsFromDecimal, null, [10.05])).toThrow(RangeError);
});

test('every amount of cents is parsed back from its decimal text', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (cents) => {
      const digits = String(cents).padStart(3, '0');
      expect(centsFromDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`)).toBe(cents);
    }),
  );
});

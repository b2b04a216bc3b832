import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './time.ts';

test('writes a time as toISOString does, on any day', () => {
  const write = fc.property(fc.date({ noInvalidDate: true }), (time) => {
    expect(isoTime(time)).toBe(time.toISOString());
  });
  fc.assert(write, {
    examples: [[new Date(0)], [new Date(-1)], [new Date(8.64e15)], [new Date(-8.64e15)], [new Date('2026-12-31T23:59:59.999Z')]],
  });
});

test('does not accept an invalid time', () => {
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
});

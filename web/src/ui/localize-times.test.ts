import { expect, test } from 'vitest';
import { localizeTimes } from './localize-times.ts';
import { formatTime } from './time.tsx';

test('times, days, and months of an explanation are written like all others of the page', () => {
  expect(localizeTimes('The click was on 2026-11-26 03:42 UTC.')).toBe(`The click was on ${formatTime('2026-11-26T03:42:00.000Z')}.`);
  expect(localizeTimes('(tier 2 since 2026-11-26: 17 approved commissions)')).toMatch(
    /^\(tier 2 since Nov 26, 2026( UTC)?: 17 approved commissions\)$/,
  );
  expect(localizeTimes('12 approved orders in 2026-11. Done')).toBe('12 approved orders in November 2026. Done');
});

test('what only looks like a time stays: IDs, values to send, and days that do not exist', () => {
  const texts = [
    'The discount code sale-2026-11-26 belongs to you.',
    'occurred_at must be 2026-11-26T03:42:27.111Z.',
    'The click was on +010000-01-01 00:00 UTC.',
    'https://shop.example/2026-11-26/ was opened.',
    'The refund hold ends on 2026-13-40.',
    'The order 2026-11 earns nothing.',
  ];
  expect(texts.map(localizeTimes)).toEqual(texts);
});

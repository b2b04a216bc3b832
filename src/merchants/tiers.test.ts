import { expect, test } from 'vitest';
import type { TierTerms } from './terms.ts';
import { nextTier, periodStart, tierAt, type TierStep } from './tiers.ts';

const noRules = { orderRules: [], subscriptionRules: [] };
const terms: TierTerms = {
  measure: 'approved_commissions',
  period: 'month',
  timeZone: 'UTC',
  tiers: [10n, 40n, 100n].map((threshold) => ({ threshold, ...noRules })),
};

test.each([
  ['month', 'UTC', '2026-05-31T23:59:59.999Z', '2026-05-01T00:00:00.000Z'],
  ['month', 'UTC', '2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
  ['month', 'Europe/Berlin', '2026-05-31T21:59:59.999Z', '2026-04-30T22:00:00.000Z'],
  ['month', 'Europe/Berlin', '2026-05-31T22:00:00.000Z', '2026-05-31T22:00:00.000Z'],
  ['month', 'America/Los_Angeles', '2026-03-31T12:00:00.000Z', '2026-03-01T08:00:00.000Z'],
  ['days_30', 'UTC', '2026-03-30T12:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['days_30', 'Europe/Berlin', '2026-04-05T12:00:00.000Z', '2026-03-06T23:00:00.000Z'],
  ['days_90', 'UTC', '2026-01-01T12:00:00.000Z', '2025-10-04T00:00:00.000Z'],
] as const)('the period of %s in %s that contains %s begins at %s', (period, timeZone, at, from) => {
  expect(periodStart({ period, timeZone }, new Date(at)).toISOString()).toBe(from);
});

const at = (time: string) => new Date(`2026-05-03T${time}:00.000Z`);
const steps: readonly TierStep[] = [
  { number: 1, reachedAt: at('09:00'), figure: 10n },
  { number: 3, reachedAt: at('12:00'), figure: 120n },
];

test.each([
  ['before the first approval', '08:59', null],
  ['at the moment of the approval that reaches a tier', '09:00', 1],
  ['until the next one', '11:59', 1],
  ['after many approvals at the same time, which pass a tier', '12:00', 3],
])('the tier %s', (_when, time, number) => {
  expect(tierAt(terms, steps, at(time))?.number ?? null).toBe(number);
});

test('a tier has what was counted when it was reached', () => {
  expect(tierAt(terms, steps, at('13:00'))).toEqual({
    number: 3,
    threshold: 100n,
    reachedAt: at('12:00'),
    figure: 120n,
    measure: 'approved_commissions',
    period: 'month',
  });
});

test.each([
  [0n, { number: 1, missing: 10n }],
  [10n, { number: 2, missing: 30n }],
  [99n, { number: 3, missing: 1n }],
  [100n, null],
] as const)('with %s approved, the next tier is found', (figure, next) => {
  expect(nextTier(terms, figure)).toEqual(next);
});

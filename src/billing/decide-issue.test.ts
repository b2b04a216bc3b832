import { expect, test } from 'vitest';
import { basisPoints, cents } from '../core/money.ts';
import { plusDays } from '../core/time.ts';
import { amountsOf, decideIssue, type IssueFacts } from './decide-issue.ts';

const now = new Date('2026-05-01T03:00:00.000Z');

/** A store that is invoiced on the 1st: 50 USD, a fee of 10%, no credit. */
const good: IssueFacts = {
  now,
  moment: 'cut',
  isBegun: false,
  linesCents: cents(5_000),
  since: plusDays(now, -10),
  creditCents: cents(0),
  isUnpaid: false,
  isArchivingUnbilled: false,
  settings: { fee: basisPoints(1_000), minimum: cents(1_000), early: cents(100_000) },
  chargeMin: cents(50),
};

/** In the order of the rules: each row also breaks every later rule that it can. */
test.each<[string, Partial<IssueFacts>]>([
  ['carry on: nothing', { linesCents: cents(0), isBegun: true, isUnpaid: true, isArchivingUnbilled: true }],
  ['issue: begun', { isBegun: true, isUnpaid: true, linesCents: cents(10), moment: 'day' }],
  ['carry on: unpaid_invoice', { isUnpaid: true, linesCents: cents(40), isArchivingUnbilled: true }],
  ['carry on: below_provider_minimum', { linesCents: cents(44), isArchivingUnbilled: true, since: plusDays(now, -400) }],
  ['carry on: below_provider_minimum', { creditCents: cents(5_451), isArchivingUnbilled: true }],
  ['issue: archived', { linesCents: cents(46), isArchivingUnbilled: true, since: plusDays(now, -400), moment: 'day' }],
  ['issue: archived', { creditCents: cents(9_000), isArchivingUnbilled: true, moment: 'day' }],
  ['issue: age', { linesCents: cents(46), since: plusDays(now, -90), moment: 'day' }],
  ['carry on: below_minimum', { linesCents: cents(46), since: plusDays(now, -89), moment: 'now' }],
  ['carry on: below_minimum', { linesCents: cents(908), moment: 'now' }],
  ['issue: asked', { linesCents: cents(909), moment: 'now' }],
  ['issue: asked', { linesCents: cents(46), moment: 'now', settings: { ...good.settings, minimum: cents(0) } }],
  ['carry on: below_minimum', { creditCents: cents(4_501) }],
  ['issue: cut', { creditCents: cents(4_500) }],
  ['issue: cut', {}],
  ['carry on: not_yet', { moment: 'day', linesCents: cents(90_908) }],
  ['issue: early', { moment: 'day', linesCents: cents(90_909) }],
])('decides "%s" for %o', (decision, broken) => {
  const { do: what, why } = decideIssue({ ...good, ...broken });
  expect(`${what}: ${why}`).toBe(decision);
});

test('carries no commission over for more than 90 days when the job runs daily', () => {
  const since = new Date('2026-02-01T13:37:00.000Z');
  const small = { ...good, linesCents: cents(100), since, moment: 'day' } as const;
  const looks = Array.from({ length: 100 }, (_none, day) => plusDays(new Date('2026-02-01T03:10:00.000Z'), day));
  const first = looks.find((look) => decideIssue({ ...small, now: look }).do === 'issue');
  expect(first).toBeDefined();
  expect((first ?? now).getTime() - since.getTime()).toBeLessThanOrEqual(90 * 86_400_000);
  expect((first ?? now).getTime() - since.getTime()).toBeGreaterThan(88 * 86_400_000);
});

test.each([
  [5_000n, 0, 0n, [5_000n, 0n, 0n, 5_000n]],
  [5_005n, 1_000, 0n, [5_005n, 501n, 0n, 5_506n]],
  [5_004n, 1_000, 0n, [5_004n, 500n, 0n, 5_504n]],
  [5_000n, 1_000, 700n, [5_000n, 500n, 700n, 4_800n]],
  [5_000n, 1_000, 9_999n, [5_000n, 500n, 5_500n, 0n]],
  [1n, 10_000, 0n, [1n, 1n, 0n, 2n]],
])(
  'computes the amounts of %i cents with a fee of %i basis points and %i cents of credit',
  (lines, fee, credit, [linesCents, feeCents, creditCents, totalCents]) => {
    const amounts = amountsOf(cents(lines), { fee: basisPoints(fee), credit: cents(credit) });
    expect(amounts).toEqual({ linesCents, feeCents, creditCents, totalCents });
  },
);

import { expect, test } from 'vitest';
import { clicksOnly, sameRates, type Terms } from '../merchants/terms.ts';
import type { Id } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideConversion, type ConversionFacts, type ReferralClick, type TestClick } from './decide-conversion.ts';
import type { ConversionReport } from './report.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const days = (count: number) => count * dayMs;
const minutes = (count: number) => count * minuteMs;

const terms: Terms = {
  version: 3,
  effectiveFrom: before(days(100)),
  madeAt: before(days(100)),
  attributionDays: 30,
  holdDays: 14,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [{ productId: null, rate: { is: 'share', basisPoints: basisPoints(1_000) } }],
  subscriptionRules: [],
  attribution: clicksOnly,
  rates: sameRates,
};
const perProduct: Terms = { ...terms, pays: 'product' };
const referral: ReferralClick = {
  kind: 'referral',
  clickId: 'c' as Id<'click'>,
  at: before(days(2)),
  linkNumber: 7n,
  programId: 'p' as Id<'prog'>,
  creatorId: 'k' as Id<'crt'>,
  isCreatorSuspended: false,
  backsAnotherOrder: false,
  terms,
};
const testClick: TestClick = { kind: 'test', clickId: 't' as Id<'click'>, expiresAt: new Date(now.getTime() + 1) };
const good: ConversionReport = {
  orderId: 'A-1',
  clickId: 'rmc_x',
  currency: 'USD',
  subtotal: cents(12_345),
  eligible: cents(10_005),
  occurredAt: before(days(1)),
  lines: null,
  orderName: null,
  customerId: null,
  discountCode: null,
  discountCodes: null,
  country: null,
  metadata: null,
  isTest: false,
  content: {},
};
const fresh: ConversionFacts = {
  now,
  storeId: 's' as Id<'store'>,
  earlier: null,
  click: referral,
  wasReversedEarly: false,
  partners: null,
  fresh: { transactionId: 'o' as Id<'ord'>, commissionId: 'm' as Id<'com'> },
};
const earlier = (isSame: boolean) => ({
  transactionId: 'o1' as Id<'ord'>,
  commissionId: 'm1' as Id<'com'>,
  recordedAt: before(days(1)),
  isSame,
});
const all = { ...referral, backsAnotherOrder: true, terms: { ...perProduct, attributionDays: 1 }, at: before(0) };

type Row = readonly [expected: string, guarantee: string, report: Partial<ConversionReport>, facts: Partial<ConversionFacts>];

// Each row also breaks a rule below it, so the table proves the precedence of the contract.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { clickId: null, currency: 'EUR' }, { earlier: earlier(true), click: null }],
  [
    'duplicate_order_conflict',
    'other content conflicts, whatever else is wrong',
    { clickId: null },
    { earlier: earlier(false), click: null },
  ],
  ['missing_referral_click', 'no click', { clickId: null, currency: 'EUR' }, { click: null }],
  ['unsupported_pricing_currency', 'not USD', { currency: 'EUR', occurredAt: 'unreadable' }, { click: null }],
  ['unsupported_pricing_currency', 'lower-case usd is not USD', { currency: 'usd' }, {}],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { click: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-minutes(5) - 1) }, { click: null }],
  ['unknown_referral_click', 'a click that is not ours', { isTest: true, occurredAt: before(days(90)) }, { click: null }],
  ['test_click_required', 'a test order with an ordinary click', { isTest: true, occurredAt: before(days(90)) }, { click: all }],
  ['test_click_not_allowed', 'a real order with a test click', {}, { click: { ...testClick, expiresAt: now } }],
  ['test_link_expired', 'a test link past its time, to the millisecond', { isTest: true }, { click: { ...testClick, expiresAt: now } }],
  ['verify', 'a live test link, however old the order is', { isTest: true, occurredAt: before(days(90)) }, { click: testClick }],
  ['pricing_history_unavailable', 'the history cannot be read', { occurredAt: before(days(90)) }, { click: { ...all, terms: null } }],
  [
    'invalid_occurred_at',
    'older than window and grace, by a millisecond',
    { occurredAt: before(days(37) + 1) },
    { click: { ...all, terms: perProduct } },
  ],
  ['invalid_payload', 'per product, no lines', { occurredAt: before(minutes(6)) }, { click: all }],
  ['order_precedes_click', 'more than 5 minutes before its click', { occurredAt: before(minutes(5) + 1), lines: [] }, { click: all }],
  [
    'attribution_window_expired',
    'later than the window, by a millisecond',
    { occurredAt: now },
    { click: { ...referral, backsAnotherOrder: true, at: before(days(30) + 1) } },
  ],
  ['referral_click_already_converted', 'the click backs another order', {}, { click: { ...referral, backsAnotherOrder: true } }],
  ['record', 'no rule applies', {}, {}],
  ['record', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-minutes(5)) }, {}],
  [
    'record',
    'limits are inclusive: exactly 37 days old',
    { occurredAt: before(days(37)) },
    { click: { ...referral, at: before(days(37)) } },
  ],
  [
    'record',
    'limits are inclusive: exactly 5 minutes before its click',
    { occurredAt: before(minutes(5)) },
    { click: { ...referral, at: now } },
  ],
  ['record', "limits are inclusive: exactly at the window's end", { occurredAt: now }, { click: { ...referral, at: before(days(30)) } }],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, facts) => {
  const decision = decideConversion({ ...good, ...report }, { ...fresh, ...facts });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(expected);
});

function recorded(report: Partial<ConversionReport> = {}, facts: Partial<ConversionFacts> = {}) {
  const decision = decideConversion({ ...good, ...report }, { ...fresh, ...facts });
  if (decision.do !== 'record') throw new Error(`not recorded but ${decision.do}`);
  return decision;
}

test('a recorded order opens a commission on the eligible amount, with the terms copied and the hold counted from the order', () => {
  const { commission, postings } = recorded();
  expect(commission).toMatchObject({
    earning: { amount: 1_001n },
    eligible: 10_005n,
    termsVersion: 3,
    attributionDays: 30,
    holdDays: 14,
    held: null,
    autoApproveAt: null,
  });
  expect(commission.holdUntil).toEqual(new Date('2026-04-13T12:00:00Z'));
  expect(postings).toEqual([
    { storeId: 's', creatorId: 'k', source: { kind: 'order', id: 'o' }, debit: 'expected', credit: 'to_creators', amount: 1_001n, at: now },
  ]);
});

test('a commission of 0 is recorded and moves no money', () => {
  const { commission, postings } = recorded({}, { click: { ...referral, terms: { ...terms, orderRules: [] } } });
  expect(commission.earning.amount).toBe(0n);
  expect(postings).toEqual([]);
});

test('automatic approval counts from when the order was recorded, not from when it happened', () => {
  const { commission } = recorded({}, { click: { ...referral, terms: { ...terms, approval: { by: 'time', afterDays: 3 } } } });
  expect(commission.autoApproveAt).toEqual(new Date('2026-04-03T12:00:00Z'));
});

test('what is recorded while its creator is suspended is held, and it is held too when its reversal came first', () => {
  const suspended = { ...referral, isCreatorSuspended: true };
  expect(recorded({}, { click: suspended }).commission.held?.reason).toBe('creator_suspended');
  expect(recorded({}, { wasReversedEarly: true }).commission.held?.reason).toBe('early_reversal');
  expect(recorded({}, { click: suspended, wasReversedEarly: true }).commission.held?.reason).toBe('early_reversal');
});

test('the decision returns the values that it compared', () => {
  const click = { ...referral, at: before(days(40)) };
  expect(decideConversion(good, { ...fresh, click })).toMatchObject({
    reason: 'attribution_window_expired',
    why: { clicked_at: '2026-02-19T12:00:00.000Z', occurred_at: '2026-03-30T12:00:00.000Z', attribution_days: 30, terms_version: 3 },
  });
});

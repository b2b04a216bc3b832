import { expect, test } from 'vitest';
import {
  active,
  basic,
  before,
  burned,
  burnedConflict,
  conflict,
  ended,
  held,
  id,
  live,
  now,
  plan,
  pro,
  replay,
  testOne,
  wordOf,
} from '../../test/support/relationships.ts';
import { clicksOnly, sameRates, type SubscriptionRule, type Terms } from '../merchants/terms.ts';
import { basisPoints, cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideBind, type BindFacts, type BoundClick } from './decide-bind.ts';
import type { CodeFacts, CustomerBinding, Partners } from '../orders/decide-attribution.ts';
import type { BindReport } from './report.ts';

const rule = (productId: string | null, priceId: string | null, flat: number): SubscriptionRule => ({
  productId,
  priceId,
  rate: { is: 'flat', cents: cents(flat) },
  maxInvoices: 12,
  maxMonths: null,
});
const terms: Terms = {
  version: 3,
  effectiveFrom: before(100 * dayMs),
  madeAt: before(100 * dayMs),
  attributionDays: 30,
  holdDays: 14,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [],
  subscriptionRules: [{ ...rule('basic', null, 0), rate: plan.rate }],
  attribution: clicksOnly,
  rates: sameRates,
};
const noRule: Terms = { ...terms, subscriptionRules: [] };

type Referral = Extract<BoundClick, { readonly kind: 'referral' }>;
const click: Referral = { kind: 'referral', clickId: id<'click'>('c'), at: before(2 * dayMs), ...live, terms };
const testClick: BoundClick = {
  kind: 'test',
  clickId: id<'click'>('t'),
  at: before(60 * minuteMs),
  expiresAt: new Date(now.getTime() + 1),
};
const expired: BoundClick = { ...testClick, expiresAt: now };

const good: BindReport = {
  eventId: 'e',
  relationshipId: 'sub-1',
  environment: 'live',
  content: {},
  clickId: 'rmc_x',
  partners: null,
  product: basic,
  currency: 'USD',
  occurredAt: null,
};
const facts: BindFacts = {
  now,
  key: { storeId: active.storeId, relationshipHash: active.relationshipHash },
  earlier: null,
  click,
  partners: null,
  touchHash: Buffer.from('same'),
  before: null,
  fresh: { bindingId: id<'bind'>('b1'), eventId: id<'evt'>('e1') },
};

type Row = readonly [expected: string, guarantee: string, report: Partial<BindReport>, facts: Partial<BindFacts>];
const euro = { currency: 'EUR' };
const unreadable = { occurredAt: 'unreadable' } as const;
const late = { ...click, at: before(30 * dayMs + 1), terms: noRule };

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', euro, { earlier: replay, click: null }],
  ['duplicate_event_conflict', 'other content is a conflict', euro, { earlier: conflict, click: null }],
  ['duplicate_event', 'what was refused with 422 is burned', {}, { earlier: burned }],
  ['duplicate_event_conflict', 'what was refused conflicts with other content too', {}, { earlier: burnedConflict }],
  ['unsupported_pricing_currency', 'not USD', { ...euro, ...unreadable }, { click: null }],
  ['unsupported_pricing_currency', 'lowercase usd is not USD', { currency: 'usd' }, {}],
  ['invalid_occurred_at', 'an unreadable time', unreadable, { click: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { click: null }],
  ['invalid_occurred_at', 'older than 372 days, by a millisecond', { occurredAt: before(372 * dayMs + 1) }, { click: null }],
  ['unknown_referral_click', 'a click that is not ours', {}, { click: null, before: { ...active, firstBound: pro } }],
  ['environment_mismatch', 'a live report with a test click', {}, { click: expired }],
  ['environment_mismatch', 'a test report with an ordinary click', { environment: 'test' }, { before: { ...active, firstBound: pro } }],
  ['test_link_expired', 'a test link past its time, to the millisecond', { environment: 'test' }, { click: expired, before: active }],
  ['bound before', 'the same bind, out of its window by now', {}, { click: late, before: active }],
  ['bound before', 'compared with what was bound first, not with what a review accepted', {}, { before: { ...active, bound: pro } }],
  ['bound before', 'a relationship that ended or is held is bound all the same', {}, { before: { ...held, lifecycle: ended.lifecycle } }],
  ['duplicate_relationship_conflict', 'another product', { product: pro }, { click: late, before: active }],
  ['duplicate_relationship_conflict', 'another price', { product: { ...basic, priceId: 'yearly' } }, { before: active }],
  ['duplicate_relationship_conflict', 'a price that is not named is another', { product: { ...basic, priceId: null } }, { before: active }],
  ['duplicate_relationship_conflict', 'another click', {}, { click: late, before: { ...active, clickId: id<'click'>('c0') } }],
  ['duplicate_relationship_conflict', 'another environment', {}, { before: testOne }],
  ['pricing_history_unavailable', 'the history cannot be read', { occurredAt: before(9 * dayMs) }, { click: { ...click, terms: null } }],
  ['order_precedes_click', 'over 5 minutes before its click', { occurredAt: before(5 * minuteMs + 1) }, { click: { ...late, at: now } }],
  ['order_precedes_click', 'a test too', { environment: 'test', occurredAt: before(65 * minuteMs + 1) }, { click: testClick }],
  ['attribution_window_expired', 'later than the window, by a millisecond', {}, { click: late }],
  ['bind', 'no rule', {}, { click: { ...click, terms: noRule } }],
  ['bind', 'no rule applies', {}, {}],
  ['bind', 'a test needs no rule', { environment: 'test' }, { click: testClick }],
  ['bind', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-5 * minuteMs) }, {}],
  [
    'bind',
    'limits are inclusive: exactly 5 minutes before its click',
    { occurredAt: before(5 * minuteMs) },
    { click: { ...click, at: now } },
  ],
  ['bind', "limits are inclusive: exactly at the window's end", {}, { click: { ...click, at: before(30 * dayMs) } }],
  [
    'bind',
    'limits are inclusive: exactly 372 days old',
    { occurredAt: before(372 * dayMs) },
    { click: { ...click, at: before(372 * dayMs) } },
  ],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  expect(wordOf(decideBind({ ...good, ...report }, { ...facts, ...given }))).toBe(expected);
});

function bound(report: Partial<BindReport> = {}, given: Partial<BindFacts> = {}) {
  const decision = decideBind({ ...good, ...report }, { ...facts, ...given });
  if (decision.do !== 'bind') throw new Error(`not bound but ${decision.do}`);
  return decision;
}

test('copies the rule in force with its terms', () => {
  const { relationship, answer } = bound();
  expect(relationship.attribution).toEqual({ ...live, plan });
  expect(answer).toEqual({ reason: 'recorded', bindingId: 'b1', eventId: 'e1', commissionId: null });
});

test.each([
  ['product and price', [rule(null, null, 1), rule(null, 'monthly', 2), rule('basic', null, 3), rule('basic', 'monthly', 4)], 4n],
  ['product', [rule(null, null, 1), rule(null, 'monthly', 2), rule('basic', null, 3), rule('basic', 'yearly', 4)], 3n],
  ['all', [rule('pro', null, 3), rule(null, null, 1)], 1n],
])('the most specific rule wins: %s', (_of, subscriptionRules, flat) => {
  const { attribution } = bound({}, { click: { ...click, terms: { ...terms, subscriptionRules } } }).relationship;
  expect(attribution).toMatchObject({ plan: { rate: { is: 'flat', cents: flat } } });
});

test('binds without a matching rule at zero commission, with its own reason', () => {
  const { relationship, answer } = bound({}, { click: { ...click, terms: noRule } });
  expect(relationship.attribution).toEqual({ ...live, plan: null });
  expect(answer).toEqual({ reason: 'no_matching_subscription_rule', bindingId: 'b1', eventId: null, commissionId: null });
});

test('answers another event for the same bind like the first one, with its identifiers', () => {
  const again = decideBind(good, { ...facts, before: active });
  expect(again).toMatchObject({ do: 'bound before', answer: { reason: 'recorded', bindingId: 'b', eventId: 'be' } });
  const zero = decideBind(good, { ...facts, before: { ...active, attribution: { ...live, plan: null } } });
  expect(zero).toMatchObject({ answer: { reason: 'no_matching_subscription_rule', bindingId: 'b', eventId: null } });
});

test('a bind without a time uses the time of receipt', () => {
  expect(bound().relationship.boundAt).toEqual(now);
  expect(bound({ occurredAt: before(dayMs) }).relationship.boundAt).toEqual(before(dayMs));
});

test('the decision returns the values that it compared', () => {
  expect(bound().why).toEqual({
    occurred_at: '2026-03-31T12:00:00.000Z',
    clicked_at: '2026-03-29T12:00:00.000Z',
    attribution_days: 30,
    terms_version: 3,
    basis_points: basisPoints(2_000),
    invoices_max: 12,
  });
});

const uuid = (last: string) => `019f0000-0000-7000-8000-00000000000${last}` as const;
const [ada, ben] = [id<'crt'>(uuid('a')), id<'crt'>(uuid('b'))];
const countsCodes: Terms = {
  ...terms,
  attribution: { ...clicksOnly, codes: 'before_click', returning: { days: 30, ordersMax: 2, newClick: 'last_click' } },
};
const owner = { programId: live.programId, creatorId: ben, linkNumber: 9n, isCreatorSuspended: false, terms: countsCodes };
const code: CodeFacts = {
  ...owner,
  codeId: id<'code'>(uuid('d')),
  code: 'BEN10',
  isShared: false,
  validFrom: before(50 * dayMs),
  validUntil: null,
  ordersPerCustomer: null,
  pausedAt: null,
  endedAt: null,
  memberStatus: 'approved',
  memberSince: before(60 * dayMs),
  programStatus: 'published',
  pastDueAt: null,
  customerOrders: 0,
};
const customer: CustomerBinding = { ...owner, bindingId: id<'cust'>(uuid('e')), number: 1, boundAt: before(10 * dayMs), orders: 0 };
const ofCode: Partners = { codes: [code], bindings: [], customerHash: Buffer.from('c') };
const byCode: Partial<BindReport> = { clickId: null, partners: { discountCode: 'BEN10', discountCodes: null, customerId: 'c' } };
const coded: Partial<BindFacts> = { click: null, partners: ofCode };
const boundByCode = { ...active, clickId: null, touchHash: facts.touchHash };
const adaClick = { ...click, creatorId: ada, terms: countsCodes };

// As above: each row also violates a later rule.
test.each<readonly [...Row, by: string | null]>([
  ['repeat', 'a replay comes first', { ...byCode, ...euro }, { ...coded, earlier: replay }, null],
  ['unsupported_pricing_currency', 'not USD', { ...byCode, ...euro }, { ...coded, partners: { ...ofCode, codes: [] } }, null],
  ['invalid_occurred_at', 'an unreadable time', { ...byCode, ...unreadable }, { ...coded, before: boundByCode }, null],
  ['bound before', 'the same codes again, although the code ended', byCode, { ...coded, partners: null, before: boundByCode }, null],
  ['duplicate_relationship_conflict', 'other codes', byCode, { ...coded, touchHash: Buffer.from('other'), before: boundByCode }, null],
  ['duplicate_relationship_conflict', 'bound by a click before', byCode, { ...coded, before: active }, null],
  [
    'duplicate_relationship_conflict',
    'bound by a code before, and now by a click',
    {},
    { touchHash: Buffer.from('other'), before: boundByCode },
    null,
  ],
  ['duplicate_relationship_conflict', 'another product', { ...byCode, product: pro }, { ...coded, before: boundByCode }, null],
  ['duplicate_relationship_conflict', 'a test', byCode, { ...coded, before: { ...testOne, clickId: null } }, null],
  [
    'missing_referral_click',
    'no code that counts',
    byCode,
    { ...coded, partners: { ...ofCode, codes: [{ ...code, isShared: true }] } },
    null,
  ],
  ['missing_referral_click', 'nothing known', byCode, { ...coded, partners: { ...ofCode, codes: [] } }, null],
  ['unknown_referral_click', 'a click that is not ours comes before a code', {}, coded, null],
  ['bind', 'a code', byCode, coded, 'code'],
  ['bind', 'a returning customer', byCode, { ...coded, partners: { ...ofCode, codes: [], bindings: [customer] } }, 'customer'],
  ['bind', 'a code instead of a late click', byCode, { click: late, partners: ofCode }, 'code'],
  ['attribution_window_expired', 'a late click, and no code that counts', {}, { click: late, partners: { ...ofCode, codes: [] } }, null],
  ['bind', 'a click against the code of another creator', {}, { click: { ...adaClick, terms }, partners: ofCode }, 'click'],
  ['bind', 'a code before the click of another creator', {}, { click: adaClick, partners: ofCode }, 'code'],
  ['bind', 'a click and a code of one creator', {}, { click: { ...adaClick, creatorId: ben }, partners: ofCode }, 'click'],
])('%s: %s', (expected, _guarantee, report, given, by) => {
  const decision = decideBind({ ...good, ...report }, { ...facts, ...given });
  expect(wordOf(decision)).toBe(expected);
  if (decision.do === 'bind') expect(decision.partners?.credited.by).toBe(by);
});

test('a code binds to its owner by the rule in force, claims no click, and the explanation names code, owner, and rule', () => {
  const { relationship, why, partners, binding } = bound(byCode, coded);
  expect(relationship).toMatchObject({ clickId: null, attribution: { ...live, creatorId: ben, linkNumber: 9n, plan } });
  expect(relationship.touchHash).toEqual(boundByCode.touchHash);
  expect(why).toMatchObject({ rule: 'code', attributed_by: 'code', discount_code: 'BEN10', terms_version: 3, basis_points: 2_000 });
  expect(why).not.toHaveProperty('clicked_at');
  expect([partners?.credited.use, binding]).toEqual([null, { number: 1 }]);
});

test('what was compared says nothing about money, because the invoices of a subscription are not known when it is bound', () => {
  const { relationship, partners } = bound({}, { click: adaClick, partners: ofCode });
  expect(partners?.outcompeted?.creatorId).toBe(ada);
  expect(relationship.comparedAtBind?.compared).toMatchObject({ by: 'click', clicked_at: adaClick.at.toISOString() });
  expect(relationship.comparedAtBind?.compared).not.toHaveProperty('commission_cents');
});

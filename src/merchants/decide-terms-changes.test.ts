import { expect, test } from 'vitest';
import { publicId, type Id } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { decideTermsChanges, describeChange, overallEffect } from './decide-terms-changes.ts';
import { clicksOnly, sameRates, type OrderRule, type SubscriptionRule, type Terms } from './terms.ts';

const share = (points: number) => ({ is: 'share', basisPoints: basisPoints(points) }) as const;
const flat = (amount: number) => ({ is: 'flat', cents: cents(amount) }) as const;
const order = (productId: string | null, rate: OrderRule['rate']): OrderRule => ({ productId, rate });
const subscription = (fields: Partial<SubscriptionRule>): SubscriptionRule => ({
  productId: null,
  priceId: null,
  rate: share(2_000),
  maxInvoices: null,
  maxMonths: 12,
  ...fields,
});
const at = new Date('2026-03-05T12:00:00Z');
const usual: Terms = {
  version: 1,
  effectiveFrom: at,
  madeAt: at,
  attributionDays: 30,
  holdDays: 30,
  approval: { by: 'hand' },
  pays: 'product',
  orderRules: [order(null, share(1_000))],
  subscriptionRules: [subscription({})],
  attribution: clicksOnly,
  rates: sameRates,
};
const lead = { kind: 'trial', amount: cents(500), perMonthMax: null };
const returning = { days: 90, ordersMax: 5, newClick: 'last_click' } as const;
const withReturning = (fields: object | null): Terms['attribution'] => ({
  ...clicksOnly,
  returning: fields === null ? null : { ...returning, ...fields },
});

const grp = '0190b8a0-0000-7000-8000-000000000001' as Id<'grp'>;
const ownRates = (rate: OrderRule['rate'] | null): Pick<Terms, 'rates'> => ({
  rates: {
    own: rate === null ? [] : [{ subject: { is: 'group', groupId: grp }, orderRules: [order(null, rate)], subscriptionRules: [] }],
    tiers: null,
  },
});

test.each([
  [
    'an own rate for a group',
    ownRates(null),
    ownRates(share(1_500)),
    'depends',
    `Rate for one group or creator of ${publicId('grp', grp)}: 15%, before: that of the program.`,
  ],
  ['another own rate', ownRates(share(1_500)), ownRates(flat(500)), 'depends', null],
  ['a higher rate', {}, { orderRules: [order(null, share(1_500))] }, 'better', 'Commission of one-time orders: 15%, before: 10%.'],
  ['a lower rate', {}, { orderRules: [order(null, share(750))] }, 'worse', 'Commission of one-time orders: 7.5%, before: 10%.'],
  ['no rule any more', {}, { orderRules: [] }, 'worse', 'Commission of one-time orders: nothing, before: 10%.'],
  [
    'a rate of 0 instead of a flat amount',
    { orderRules: [order(null, flat(500))] },
    { orderRules: [order(null, share(0))] },
    'worse',
    null,
  ],
  ['a flat amount instead of a share', {}, { orderRules: [order(null, flat(500))] }, 'depends', null],
  [
    'a lower rate for one product',
    {},
    { orderRules: [order(null, share(1_000)), order('mug', share(500))] },
    'worse',
    'Commission of one-time orders of mug: 5%, before: 10%.',
  ],
  [
    'a removed rule that was better than the general one',
    { orderRules: [order(null, share(1_000)), order('mug', share(2_000))] },
    {},
    'worse',
    'Commission of one-time orders of mug: 10%, before: 20%.',
  ],
  ['more months', {}, { subscriptionRules: [subscription({ maxMonths: 24 })] }, 'better', null],
  ['no limit of months', {}, { subscriptionRules: [subscription({ maxMonths: null })] }, 'better', null],
  ['a limit of invoices', {}, { subscriptionRules: [subscription({ maxInvoices: 3 })] }, 'worse', null],
  ['a higher rate for fewer months', {}, { subscriptionRules: [subscription({ rate: share(3_000), maxMonths: 6 })] }, 'depends', null],
  [
    'another price',
    {},
    { subscriptionRules: [subscription({}), subscription({ productId: 'pro', priceId: 'eu', rate: share(100) })] },
    'worse',
    null,
  ],
  ['a longer window', {}, { attributionDays: 60 }, 'better', 'Attribution window: 60 days, before: 30 days.'],
  ['a shorter window', {}, { attributionDays: 1 }, 'worse', 'Attribution window: 1 day, before: 30 days.'],
  ['a longer hold', {}, { holdDays: 60 }, 'worse', null],
  ['automatic approval', {}, { approval: { by: 'time', afterDays: 7 } }, 'better', 'Approval: automatic after 7 days, before: by hand.'],
  ['approval by hand', { approval: { by: 'time', afterDays: 7 } }, {}, 'worse', null],
  ['orders instead of products', {}, { pays: 'order' }, 'depends', null],
  ['codes without a click', {}, { attribution: { ...clicksOnly, codes: 'when_no_click' } }, 'better', null],
  ['codes before a click', {}, { attribution: { ...clicksOnly, codes: 'before_click' } }, 'depends', null],
  ['no codes any more', { attribution: { ...clicksOnly, codes: 'when_no_click' } }, {}, 'worse', null],
  ['returning customers', {}, { attribution: withReturning({}) }, 'better', null],
  ['returning customers of the first creator', {}, { attribution: withReturning({ newClick: 'first_partner' }) }, 'depends', null],
  ['fewer later orders', { attribution: withReturning({}) }, { attribution: withReturning({ ordersMax: 2 }) }, 'worse', null],
  [
    'more days and fewer orders',
    { attribution: withReturning({}) },
    { attribution: withReturning({ ordersMax: 2, days: 180 }) },
    'depends',
    null,
  ],
  [
    'a kind of lead',
    {},
    { attribution: { ...clicksOnly, leads: [lead] } },
    'better',
    'Leads of trial: 5.00 USD, no limit, before: nothing.',
  ],
  [
    'a limit of leads',
    { attribution: { ...clicksOnly, leads: [lead] } },
    { attribution: { ...clicksOnly, leads: [{ ...lead, perMonthMax: 9 }] } },
    'worse',
    null,
  ],
  ['no later orders', { attribution: withReturning({}) }, {}, 'worse', null],
] satisfies ReadonlyArray<readonly [string, Partial<Terms>, Partial<Terms>, string, string | null]>)(
  '%s is one change, with what it means for creators',
  (_case, before, after, effect, text) => {
    const changes = decideTermsChanges({ ...usual, ...before }, { ...usual, ...after, version: 2 });
    expect(changes).toHaveLength(1);
    expect(overallEffect(changes)).toBe(effect);
    if (text !== null) expect(changes.map(describeChange)).toEqual([text]);
  },
);

test('a rule that equals the general one changes nothing', () => {
  const after = { ...usual, version: 2, orderRules: [order('mug', share(1_000)), order(null, share(1_000))] };
  expect(decideTermsChanges(usual, after)).toEqual([]);
  expect(overallEffect([])).toBeNull();
});

test('the first version is better than nothing, and a better and a worse change together depend', () => {
  expect(decideTermsChanges(null, usual).map(({ field, effect }) => [field, effect])).toEqual([
    ['order_rule', 'better'],
    ['subscription_rule', 'better'],
  ]);
  expect(overallEffect(decideTermsChanges(usual, { ...usual, attributionDays: 60, holdDays: 60 }))).toBe('depends');
});

test('equal own rates are no change', () => {
  const terms = { ...usual, ...ownRates(share(1_500)) };
  expect(decideTermsChanges(terms, { ...terms, version: 2 })).toEqual([]);
});

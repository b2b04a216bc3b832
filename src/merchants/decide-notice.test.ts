import { expect, test } from 'vitest';
import type { Id } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { plusDays } from '../core/time.ts';
import { anyCreator, decideChangesFor, decideNotice, isWorse, type NamedMember } from './decide-notice.ts';
import { clicksOnly, sameRates, type OrderRule, type OwnRates, type Returning, type SubscriptionRule, type Terms } from './terms.ts';

const now = new Date('2026-05-01T12:00:00Z');
const share = (points: number) => ({ is: 'share', basisPoints: basisPoints(points) }) as const;
const rule = (points: number, fields: Partial<OrderRule> = {}): OrderRule => ({ productId: null, rate: share(points), ...fields });
const forNew = (points: number): OrderRule => rule(points, { conditions: { newCustomers: true } });
const plan: SubscriptionRule = { productId: null, priceId: null, rate: share(2_000), maxInvoices: null, maxMonths: 12 };
const planOf = (points: number, of: Partial<SubscriptionRule>): SubscriptionRule => ({ ...plan, ...of, rate: share(points) });
const returning = (days: number, newClick: Returning['newClick'] = 'last_click') => ({ returning: { days, ordersMax: null, newClick } });
const group = '0190b8a0-0000-7000-8000-000000000001' as Id<'grp'>;
const member = '0190b8a0-0000-7000-8000-000000000002' as Id<'mem'>;
const ofGroup = (points: number): OwnRates => ({
  subject: { is: 'group', groupId: group },
  orderRules: [rule(points)],
  subscriptionRules: [],
});
const ofMember = (points: number): OwnRates => ({
  subject: { is: 'member', memberId: member },
  orderRules: [rule(points)],
  subscriptionRules: [],
});
const own = (...rates: readonly OwnRates[]): Partial<Terms> => ({ rates: { own: rates, tiers: null } });
const tiers = (threshold: number, points: number): Partial<Terms> => ({
  rates: {
    own: [],
    tiers: {
      measure: 'approved_commissions',
      period: 'month',
      timeZone: 'UTC',
      tiers: [{ threshold: BigInt(threshold), orderRules: [rule(points)], subscriptionRules: [] }],
    },
  },
});
const ownWithTiers = (points: number): Partial<Terms> => ({
  rates: { own: [ofMember(points)], tiers: tiers(10, 1_500).rates?.tiers ?? null },
});
const usual: Terms = {
  version: 1,
  effectiveFrom: now,
  madeAt: now,
  attributionDays: 30,
  holdDays: 30,
  approval: { by: 'hand' },
  pays: 'product',
  orderRules: [rule(1_000)],
  subscriptionRules: [plan],
  attribution: clicksOnly,
  rates: sameRates,
  noticeDays: 7,
};
const lead = { kind: 'trial', amount: cents(500), perMonthMax: null };
const inGroup: NamedMember = { memberId: member, groupId: group };

type Case = readonly [string, Partial<Terms>, Partial<Terms>, readonly NamedMember[], 'start' | 'announce'];

test.each([
  ['no change', {}, {}, [], 'start'],
  ['a higher rate', {}, { orderRules: [rule(1_200)] }, [], 'start'],
  ['a lower rate', {}, { orderRules: [rule(900)] }, [], 'announce'],
  ['a lower rate for one product', {}, { orderRules: [rule(1_000), rule(500, { productId: 'mug' })] }, [], 'announce'],
  ['a higher rate and a longer hold', {}, { orderRules: [rule(1_200)], holdDays: 60 }, [], 'announce'],
  ['a flat amount instead of a share', {}, { orderRules: [rule(0, { rate: { is: 'flat', cents: cents(500) } })] }, [], 'announce'],
  ['a better rule for new customers', {}, { orderRules: [forNew(2_000), rule(1_000)] }, [], 'start'],
  ['a worse rule for new customers', {}, { orderRules: [forNew(500), rule(1_000)] }, [], 'announce'],
  ['no better rule for new customers any more', { orderRules: [forNew(2_000), rule(1_000)] }, {}, [], 'announce'],
  ['fewer months of subscriptions', {}, { subscriptionRules: [{ ...plan, maxMonths: 6 }] }, [], 'announce'],
  ['more months of subscriptions', {}, { subscriptionRules: [{ ...plan, maxMonths: 24 }] }, [], 'start'],
  [
    'a rule for a product that precedes a better one for a price',
    { subscriptionRules: [planOf(2_000, { priceId: 'yearly' })] },
    { subscriptionRules: [planOf(3_000, { priceId: 'yearly' }), planOf(1_000, { productId: 'mug' })] },
    [],
    'announce',
  ],
  [
    'a better rule for a product than that for a price',
    { subscriptionRules: [planOf(2_000, { priceId: 'yearly' })] },
    { subscriptionRules: [planOf(2_000, { priceId: 'yearly' }), planOf(3_000, { productId: 'mug' })] },
    [],
    'start',
  ],
  ['a better rate of a group', {}, own(ofGroup(1_500)), [], 'start'],
  ['a worse rate of a group', {}, own(ofGroup(500)), [], 'announce'],
  ['no rate of a group any more', own(ofGroup(1_500)), {}, [], 'announce'],
  [
    'a better rate of a member in no group',
    own(ofGroup(2_000)),
    own(ofGroup(2_000), ofMember(1_500)),
    [{ ...inGroup, groupId: null }],
    'start',
  ],
  ['a rate of a member below that of the group', own(ofGroup(2_000)), own(ofGroup(2_000), ofMember(1_500)), [inGroup], 'announce'],
  ['better tiers', {}, tiers(10, 1_500), [], 'start'],
  ['worse tiers', {}, tiers(10, 500), [], 'announce'],
  ['a higher rate of a tier', tiers(10, 1_500), tiers(10, 1_600), [], 'start'],
  ['an own rate above those of the program and its tiers', tiers(10, 1_500), ownWithTiers(1_600), [inGroup], 'start'],
  ['an own rate above that of the program, and below that of a tier', tiers(10, 1_500), ownWithTiers(1_200), [inGroup], 'announce'],
  ['a tier that is harder to reach', tiers(10, 1_500), tiers(20, 1_500), [], 'announce'],
  ['a budget', {}, { budget: { programMonth: cents(1), programTotal: null, creatorMonth: null, creatorTotal: null } }, [], 'announce'],
  ['leads', {}, { attribution: { ...clicksOnly, leads: [lead] } }, [], 'start'],
  ['no leads any more', { attribution: { ...clicksOnly, leads: [lead] } }, {}, [], 'announce'],
  ['codes without a click', {}, { attribution: { ...clicksOnly, codes: 'when_no_click' } }, [], 'start'],
  ['codes before a click', {}, { attribution: { ...clicksOnly, codes: 'before_click' } }, [], 'announce'],
  [
    'returning customers',
    {},
    { attribution: { ...clicksOnly, returning: { days: 90, ordersMax: null, newClick: 'last_click' } } },
    [],
    'start',
  ],
  [
    'codes that take orders of returning customers',
    { attribution: { ...clicksOnly, ...returning(90) } },
    { attribution: { ...clicksOnly, ...returning(90), codes: 'when_no_click' } },
    [],
    'announce',
  ],
  [
    'more time for returning customers',
    { attribution: { ...clicksOnly, ...returning(30) } },
    { attribution: { ...clicksOnly, ...returning(90) } },
    [],
    'start',
  ],
  [
    'more time for first creators, who precede those of new clicks',
    { attribution: { ...clicksOnly, ...returning(30, 'first_partner') } },
    { attribution: { ...clicksOnly, ...returning(90, 'first_partner') } },
    [],
    'announce',
  ],
  ['a shorter window', {}, { attributionDays: 7 }, [], 'announce'],
  ['a longer window', {}, { attributionDays: 60 }, [], 'start'],
  ['a longer hold', {}, { holdDays: 60 }, [], 'announce'],
  ['automatic approval', {}, { approval: { by: 'time', afterDays: 7 } }, [], 'start'],
  ['approval by hand', { approval: { by: 'time', afterDays: 7 } }, {}, [], 'announce'],
  ['orders instead of products', {}, { pays: 'order' }, [], 'announce'],
  ['a longer notice', {}, { noticeDays: 14 }, [], 'start'],
  ['a shorter notice', { noticeDays: 14 }, {}, [], 'announce'],
] as const satisfies readonly Case[])('%s starts now or is announced', (...[, before, after, members, expected]: Case) => {
  const inForce = { ...usual, ...before };
  const decision = decideNotice(
    { ...usual, ...after, version: 2 },
    { now, inForce, wasEverPublished: true, requestedFrom: undefined, members },
  );
  const days = expected === 'start' ? 0 : (inForce.noticeDays ?? 0);
  expect(decision).toEqual({ do: expected, effectiveFrom: plusDays(now, days) });
});

const worse = { ...usual, version: 2, orderRules: [rule(900)] };

test.each([
  ['no version in force', { inForce: null }, { do: 'start', effectiveFrom: now }],
  ['a program that was never published', { wasEverPublished: false }, { do: 'start', effectiveFrom: now }],
  ['an early date', { requestedFrom: plusDays(now, 6) }, { do: 'refuse', noticeDays: 7 }],
  ['a date at the end of the notice', { requestedFrom: plusDays(now, 7) }, { do: 'announce', effectiveFrom: plusDays(now, 7) }],
  ['a later date', { requestedFrom: plusDays(now, 30) }, { do: 'announce', effectiveFrom: plusDays(now, 30) }],
] as const)('a worse version with %s is decided by the first rule that matches', (_case, facts, expected) => {
  const decision = decideNotice(worse, { now, inForce: usual, wasEverPublished: true, requestedFrom: undefined, members: [], ...facts });
  expect(decision).toEqual(expected);
});

test('a version without a promise before it starts immediately, also if it takes something away', () => {
  const { noticeDays: _none, ...inForce } = usual;
  const decision = decideNotice(worse, { now, inForce, wasEverPublished: true, requestedFrom: undefined, members: [] });
  expect(decision).toEqual({ do: 'start', effectiveFrom: now });
});

test('a lower rate of the program changes nothing for a group with its own rate', () => {
  const [before, after] = [
    { ...usual, ...own(ofGroup(1_500)) },
    { ...worse, ...own(ofGroup(1_500)) },
  ];
  expect(decideChangesFor(before, after, { memberId: null, groupId: group })).toEqual([]);
  const changes = decideChangesFor(before, after, anyCreator);
  expect([isWorse(changes), changes.map(({ field, rates }) => [field, rates])]).toEqual([
    true,
    [['order_rule', { before: share(1_000), after: share(900) }]],
  ]);
});

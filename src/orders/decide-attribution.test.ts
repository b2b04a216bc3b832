import { expect, test } from 'vitest';
import { decideEarning } from '../commissions/decide-earning.ts';
import { basisPoints, cents } from '../core/money.ts';
import { dayMs } from '../core/time.ts';
import type { Id } from '../core/ids.ts';
import { clicksOnly, sameRates, type AttributionTerms, type Returning, type Terms } from '../merchants/terms.ts';
import {
  bindingOf,
  codeProblem,
  decideAttribution,
  type ClickCandidate,
  type CodeFacts,
  type CustomerBinding,
  type Partners,
} from './decide-attribution.ts';

const occurredAt = new Date('2026-03-31T12:00:00Z');
const before = (days: number) => new Date(occurredAt.getTime() - days * dayMs);
const uuid = (last: string) => `019f0000-0000-7000-8000-00000000000${last}` as const;
const [ada, ben] = [uuid('a') as Id<'crt'>, uuid('b') as Id<'crt'>];
const returning: Returning = { days: 30, ordersMax: 2, newClick: 'last_click' };
const termsOf = (attribution: AttributionTerms): Terms => ({
  version: 1,
  effectiveFrom: before(100),
  madeAt: before(100),
  attributionDays: 30,
  holdDays: 14,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [{ productId: null, rate: { is: 'share', basisPoints: basisPoints(1_000) } }],
  subscriptionRules: [],
  rates: sameRates,
  attribution,
});
const noClick = termsOf({ ...clicksOnly, codes: 'when_no_click', returning });
const codeFirst = termsOf({ ...clicksOnly, codes: 'before_click', returning });
const firstPartner = termsOf({ ...clicksOnly, codes: 'before_click', returning: { ...returning, newClick: 'first_partner' } });
const owner = { programId: uuid('1') as Id<'prog'>, linkNumber: 7n, isCreatorSuspended: false };
const click: ClickCandidate = { ...owner, clickId: uuid('c') as Id<'click'>, at: before(1), creatorId: ada, terms: codeFirst };
const code: CodeFacts = {
  ...owner,
  codeId: uuid('d') as Id<'code'>,
  code: 'BEN10',
  creatorId: ben,
  isShared: false,
  validFrom: before(50),
  validUntil: null,
  ordersPerCustomer: null,
  pausedAt: null,
  endedAt: null,
  memberStatus: 'approved',
  memberSince: before(60),
  programStatus: 'published',
  pastDueAt: null,
  customerOrders: 0,
  terms: codeFirst,
};
const binding: CustomerBinding = {
  ...owner,
  bindingId: uuid('e') as Id<'cust'>,
  number: 1,
  creatorId: ben,
  boundAt: before(10),
  orders: 0,
  terms: codeFirst,
};
const earns = (terms: Terms) => decideEarning(terms, { eligible: cents(10_000), lines: [] }).amount;
const none: Partners = { codes: [], bindings: [], customerHash: Buffer.from('c') };
const decide = (given: {
  readonly click?: ClickCandidate;
  readonly codes?: readonly CodeFacts[];
  readonly bindings?: readonly CustomerBinding[];
}) =>
  decideAttribution({
    earns,
    occurredAt,
    click: given.click ?? null,
    partners: { ...none, codes: given.codes ?? [], bindings: given.bindings ?? [] },
  });

const all = { click, codes: [code], bindings: [binding] };
type Case = readonly [rule: string, by: string | null, guarantee: string, given: Parameters<typeof decide>[0]];

// Each row also satisfies a rule below it, so the table proves the precedence.
const rules: readonly Case[] = [
  [
    'first_partner',
    'customer',
    'the first creator keeps the customer',
    { click, codes: [{ ...code, creatorId: ada }], bindings: [{ ...binding, terms: firstPartner }] },
  ],
  ['same_creator', 'click', 'the click and the code of one creator are one commission', { ...all, codes: [{ ...code, creatorId: ada }] }],
  ['code_before_click', 'code', 'the terms of both programs count codes first', all],
  ['click', 'click', 'the terms of the click’s program do not', { ...all, click: { ...click, terms: noClick } }],
  ['click', 'click', 'the terms of the code’s program do not', { ...all, codes: [{ ...code, terms: noClick }] }],
  ['click', 'click', 'a new click wins against the binding', { click, bindings: [binding] }],
  ['code', 'code', 'a code wins against the binding of another creator', { codes: [{ ...code, creatorId: ada }], bindings: [binding] }],
  [
    'code',
    'code',
    'the first code that counts earns',
    {
      codes: [
        { ...code, isShared: true },
        { ...code, codeId: uuid('f') as Id<'code'> },
      ],
    },
  ],
  ['returning_customer', 'customer', 'without a click or code', { bindings: [binding] }],
];

test.each(rules)('%s by %s: %s', (rule, by, _guarantee, given) => {
  const { attribution } = decide(given);
  expect([attribution?.why?.rule, attribution?.credited.by]).toEqual([rule, by]);
});

test('of the codes of several creators, those after the first that counts do not count, whatever earns the order', () => {
  const others = [
    { ...code, code: 'ADA10', creatorId: ada },
    { ...code, code: 'ADA20', creatorId: ada, isShared: true },
  ];
  const rejected = [
    { discount_code: 'ADA10', because: 'not_first' },
    { discount_code: 'ADA20', because: 'shared' },
  ];
  expect(decide({ codes: [code, ...others] })).toMatchObject({ attribution: { credited: { creatorId: ben } }, rejectedCodes: rejected });
  expect(decide({ click, codes: [{ ...code, terms: noClick }, ...others] })).toMatchObject({
    attribution: { credited: { creatorId: ada, by: 'click' }, outcompeted: { creatorId: ben } },
    rejectedCodes: rejected,
  });
  expect(decide({ codes: [code, { ...code, code: 'BEN20' }] }).rejectedCodes).toEqual([]);
});

test('an order with a click alone has nothing to explain, and an order with nothing has no creator', () => {
  expect(decide({ click }).attribution).toMatchObject({ credited: { by: 'click', creatorId: ada }, outcompeted: null, why: null });
  expect(decide({}).attribution).toBeNull();
});

test('the other creator is named with what they would have earned', () => {
  expect(decide(all).attribution).toMatchObject({
    outcompeted: { creatorId: ada },
    why: { compared: { by: 'click', commission_cents: 1_000 } },
  });
});

test.each<[string, Partial<CustomerBinding>]>([
  ['after its days', { boundAt: before(31) }],
  ['for an order from before it', { boundAt: before(-1) }],
  ['after its orders', { orders: 2 }],
  ['if the terms no longer count returning customers', { terms: termsOf(clicksOnly) }],
])('a binding earns nothing %s', (_when, change) => {
  expect(decide({ bindings: [{ ...binding, ...change }] }).attribution).toBeNull();
});

const broken: CodeFacts = {
  ...code,
  terms: termsOf(clicksOnly),
  isShared: true,
  validFrom: before(-1),
  validUntil: before(1),
  endedAt: before(2),
  pausedAt: before(3),
  memberStatus: 'removed',
  memberSince: before(4),
  programStatus: 'paused',
  pastDueAt: before(1),
  ordersPerCustomer: 1,
  customerOrders: 1,
};
// Each row repairs the problems above it and keeps those below it.
const problems = [
  ['codes_off', {}],
  ['shared', { terms: codeFirst }],
  ['not_yet_valid', { isShared: false }],
  ['expired', { validFrom: before(50) }],
  ['ended', { validUntil: null }],
  ['paused', { endedAt: null }],
  ['owner_not_active', { pausedAt: null }],
  ['program_not_published', { memberStatus: 'approved' }],
  ['store_past_due', { programStatus: 'published' }],
  ['no_customer_id', { pastDueAt: null }],
] as const;

test.each(problems.map(([because], index) => [because, index] as const))('a code does not count: %s', (because, index) => {
  const repaired = problems.slice(0, index + 1).reduce<CodeFacts>((facts, [, repair]) => ({ ...facts, ...repair }), broken);
  expect(codeProblem(repaired, { occurredAt, hasCustomer: false })).toBe(because);
});

test('a code with a limit per customer counts until the limit, and uses the next number', () => {
  const limited = { ...code, ordersPerCustomer: 2, customerOrders: 1 };
  expect(codeProblem({ ...limited, customerOrders: 2 }, { occurredAt, hasCustomer: true })).toBe('customer_limit');
  expect(decide({ codes: [limited] }).attribution?.credited.use).toEqual({ subjectId: code.codeId, number: 2 });
});

test('a code that ended or paused later still counts for an order from before', () => {
  const later = { ...code, endedAt: before(-1), pausedAt: before(-1), memberStatus: 'removed', memberSince: before(-1) } as const;
  expect(codeProblem(later, { occurredAt, hasCustomer: true })).toBeNull();
});

const bound = (given: Parameters<typeof decide>[0], bindings: readonly CustomerBinding[]) => {
  const { attribution } = decide(given);
  if (attribution === null) throw new Error('no creator earns');
  return bindingOf(attribution, { partners: { ...none, bindings }, occurredAt });
};

test('the first order of a customer binds, the same creator does not bind again, and another creator does if the last click counts', () => {
  expect(bound({ click }, [])).toEqual({ number: 1 });
  expect(bound({ click }, [{ ...binding, creatorId: ada }])).toBeNull();
  expect(bound({ click }, [binding])).toEqual({ number: 2 });
  expect(bound({ click: { ...click, terms: firstPartner } }, [binding])).toBeNull();
  expect(bound({ click: { ...click, terms: termsOf(clicksOnly) } }, [])).toBeNull();
  expect(bound({ bindings: [binding] }, [binding])).toBeNull();
});

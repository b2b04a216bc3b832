import { expect, test } from 'vitest';
import { minuteMs, dayMs } from '../core/time.ts';
import type { Id } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { clicksOnly, type AttributionTerms, type Terms } from '../merchants/terms.ts';
import type { CodeFacts, CustomerBinding, Partners } from '../orders/decide-attribution.ts';
import { decideLead, type LeadClick, type LeadFacts } from './decide-lead.ts';
import type { LeadReport } from './lead-report.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const [ada, ben] = ['a' as Id<'crt'>, 'b' as Id<'crt'>];
const termsOf = (attribution: Partial<AttributionTerms> = {}): Terms => ({
  version: 3,
  effectiveFrom: before(300 * dayMs),
  madeAt: before(300 * dayMs),
  attributionDays: 30,
  holdDays: 10,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [],
  subscriptionRules: [],
  attribution: {
    ...clicksOnly,
    leads: [
      { kind: 'sign_up', amount: cents(200), perMonthMax: 2 },
      { kind: 'call', amount: cents(5_000), perMonthMax: null },
    ],
    ...attribution,
  },
});
const owner = { programId: 'p' as Id<'prog'>, creatorId: ada, linkNumber: 7n, isCreatorSuspended: false };
const click: LeadClick = { ...owner, kind: 'referral', clickId: 'c' as Id<'click'>, at: before(2 * dayMs), terms: termsOf() };
const code: CodeFacts = {
  ...owner,
  creatorId: ben,
  codeId: 'd' as Id<'code'>,
  code: 'BEN',
  memberId: 'm' as Id<'mem'>,
  isShared: false,
  validFrom: before(100 * dayMs),
  validUntil: null,
  ordersPerCustomer: 1,
  customerOrders: 1,
  pausedAt: null,
  endedAt: null,
  memberStatus: 'approved',
  memberSince: before(100 * dayMs),
  programStatus: 'published',
  pastDueAt: null,
  terms: termsOf({ codes: 'when_no_click' }),
} as unknown as CodeFacts;
const none: Partners = { codes: [], bindings: [], customerHash: null };
const coded: Partial<LeadFacts> = { partners: { ...none, codes: [code] } };
const facts: LeadFacts = {
  now,
  storeId: 's' as Id<'store'>,
  earlier: null,
  click,
  wasReversedEarly: false,
  partners: null,
  paidInMonth: 0,
  fresh: { leadId: 'l' as Id<'lead'>, commissionId: 'm' as Id<'com'> },
};
const good: LeadReport = {
  leadId: '1',
  kind: 'sign_up',
  clickId: 'rmc_1',
  discountCode: null,
  customerId: null,
  occurredAt: before(dayMs),
  metadata: null,
  content: {},
};
const earlier = (isSame: boolean) => ({ ...facts.fresh, recordedAt: before(dayMs), isSame });
const noClick = { clickId: null };
const future = { occurredAt: before(-5 * minuteMs - 1) };
const testClick = { kind: 'test', clickId: 't' as Id<'click'>, expiresAt: now } as const;

type Row = readonly [expected: string, guarantee: string, report: Partial<LeadReport>, facts: Partial<LeadFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { ...noClick, occurredAt: 'unreadable' }, { earlier: earlier(true) }],
  ['duplicate_lead_conflict', 'other content', { ...noClick, occurredAt: 'unreadable' }, { earlier: earlier(false) }],
  ['missing_referral_click', 'neither a click nor a code', { ...noClick, occurredAt: 'unreadable' }, { click: null }],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { click: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', future, { click: null }],
  ['missing_referral_click', 'a code that does not count', { ...noClick, discountCode: 'X' }, { click: null }],
  ['unknown_referral_click', 'another store’s click, although a code counts', { discountCode: 'BEN' }, { click: null, ...coded }],
  ['test_click_not_allowed', 'a test click, although a code counts', { discountCode: 'BEN' }, { click: testClick, ...coded }],
  ['pricing_history_unavailable', 'no terms', { occurredAt: before(38 * dayMs) }, { click: { ...click, terms: null } }],
  ['invalid_occurred_at', 'older than the window plus 7 days', { occurredAt: before(37 * dayMs + 1) }, {}],
  ['lead_precedes_click', 'before its click', { occurredAt: before(2 * dayMs + 5 * minuteMs + 1) }, {}],
  ['attribution_window_expired', 'after the window', {}, { click: { ...click, at: before(31 * dayMs + 1) } }],
  ['record', 'exactly at the end of the window', {}, { click: { ...click, at: before(31 * dayMs) } }],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  const decision = decideLead({ ...good, ...report }, { ...facts, ...given });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(expected);
});

const recorded = (report: Partial<LeadReport> = {}, given: Partial<LeadFacts> = {}) => {
  const decision = decideLead({ ...good, ...report }, { ...facts, ...given });
  if (decision.do !== 'record') throw new Error(`decided ${JSON.stringify(decision.why)}`);
  return decision;
};

test('a lead earns the flat amount of its kind, and has no eligible amount', () => {
  const { commission, postings, lead } = recorded();
  expect([commission.eligible, commission.earning.amount, commission.source.kind]).toEqual([0n, 200n, 'lead']);
  expect(postings).toMatchObject([{ amount: 200n, source: { kind: 'lead' } }]);
  expect(lead.paid).toEqual({ month: '2026-03-01', number: 1 });
});

test('a lead of a kind without a rule is recorded and earns nothing', () => {
  const { commission, postings, lead } = recorded({ kind: 'trial' });
  expect([commission.earning.amount, postings, lead.paid, lead.exceededLimit]).toEqual([0n, [], null, null]);
});

test('the limit of a month is inclusive, and a lead above it earns nothing', () => {
  expect(recorded({}, { paidInMonth: 1 })).toMatchObject({ lead: { paid: { number: 2 } }, commission: { earning: { amount: 200n } } });
  const above = recorded({}, { paidInMonth: 2 });
  expect(above).toMatchObject({ lead: { paid: null, exceededLimit: 2 }, commission: { earning: { amount: 0n } }, postings: [] });
  expect(above.why.leads_max).toBe(2);
});

test('a kind without a limit is never numbered', () => {
  expect(recorded({ kind: 'call' }, { paidInMonth: 50 })).toMatchObject({
    lead: { paid: null },
    commission: { earning: { amount: 5_000n } },
  });
});

test('a code earns a lead without a click or whose click is too old, and no limit per customer counts', () => {
  const { lead } = recorded({ ...noClick, discountCode: 'BEN' }, { click: null, ...coded });
  expect(lead.attribution.credited).toMatchObject({ by: 'code', creatorId: ben, use: null });
  const late = recorded({ discountCode: 'BEN' }, { click: { ...click, at: before(40 * dayMs) }, ...coded });
  expect(late.lead.attribution.credited.creatorId).toBe(ben);
});

const returning = { days: 90, ordersMax: null, newClick: 'last_click' } as const;
const binding: CustomerBinding = {
  ...owner,
  creatorId: ben,
  bindingId: 'x' as Id<'cust'>,
  number: 1,
  boundAt: before(10 * dayMs),
  orders: 0,
  terms: termsOf({ returning }),
};
const customer = { ...none, customerHash: Buffer.from('c') };

test('a lead binds its customer to the creator, if the terms count returning customers', () => {
  const bound = (attribution: Partial<AttributionTerms>, bindings: readonly CustomerBinding[] = []) =>
    recorded({ customerId: 'c' }, { click: { ...click, terms: termsOf(attribution) }, partners: { ...customer, bindings } }).lead.binding;
  expect(bound({})).toBeNull();
  expect(bound({ returning })).toEqual({ number: 1 });
  expect(bound({ returning }, [binding])).toEqual({ number: 2 });
});

test('a customer who is bound earns no lead without a click or a code', () => {
  const decision = decideLead(
    { ...good, ...noClick, discountCode: 'X', customerId: 'c' },
    { ...facts, click: null, partners: { ...customer, bindings: [binding] } },
  );
  expect(decision).toMatchObject({ do: 'refuse', reason: 'missing_referral_click' });
});

test('the first creator of a customer earns the lead of another click, if the terms say so', () => {
  const first = { ...binding, terms: termsOf({ returning: { ...returning, newClick: 'first_partner' } }) };
  const { lead } = recorded({ customerId: 'c' }, { partners: { ...customer, bindings: [first] } });
  expect(lead.attribution).toMatchObject({ credited: { creatorId: ben }, outcompeted: { creatorId: ada } });
});

test('a lead that was reversed before it was reported is on hold', () => {
  expect(recorded({}, { wasReversedEarly: true }).commission.held?.reason).toBe('early_reversal');
});

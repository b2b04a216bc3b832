import { expect, test } from 'vitest';
import {
  active,
  basic,
  before,
  burned,
  conflict,
  ended,
  held,
  id,
  live,
  now,
  open,
  paid,
  paidInvoice,
  plan,
  pro,
  replay,
  reversed,
  testOne,
  waiting,
  wordOf,
} from '../../test/support/relationships.ts';
import { cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideBilling, type BillingFacts } from './decide-billing.ts';
import type { Invoice, Product, Relationship } from './relationship.ts';
import type { BillingReport } from './report.ts';

const good: BillingReport = {
  eventId: 'e',
  relationshipId: 'sub-1',
  environment: 'live',
  content: {},
  invoiceId: 'in-1',
  paymentState: 'paid',
  amountPaid: cents(4_900),
  eligible: cents(4_900),
  product: basic,
  currency: 'USD',
  occurredAt: before(60 * minuteMs),
};
const facts: BillingFacts = {
  now,
  earlier: null,
  relationship: active,
  invoice: null,
  invoiceHash: open.invoiceHash,
  wasReversedEarly: false,
  isCreatorSuspended: false,
  fresh: { eventId: id<'evt'>('e1'), relationshipInvoiceId: id<'rinv'>('ri1'), commissionId: id<'com'>('m1') },
};

type Row = readonly [expected: string, guarantee: string, report: Partial<BillingReport>, facts: Partial<BillingFacts>];
const euro = { currency: 'EUR' };
const unreadable = { occurredAt: 'unreadable' } as const;
const test1 = { environment: 'test' } as const;
const dearer = { amountPaid: cents(9_900) };
const endedAt = (occurredAt: Date): Relationship => ({
  ...active,
  lifecycle: { state: 'ended', recordedAt: before(dayMs), occurredAt, reason: null },
});
const after = (invoice: Invoice): Invoice => ({ ...invoice, isReportedAfterEnd: true });

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', euro, { earlier: replay, relationship: ended }],
  ['duplicate_event_conflict', 'other content is a conflict', euro, { earlier: conflict, relationship: null }],
  ['duplicate_event', 'what was refused with 422 is burned, whatever is so by now', {}, { earlier: burned }],
  ['unsupported_pricing_currency', 'not USD', { ...euro, ...unreadable }, { relationship: null }],
  ['invalid_occurred_at', 'an unreadable time', unreadable, { relationship: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { relationship: null }],
  ['invalid_occurred_at', 'older than 372 days, by a millisecond', { occurredAt: before(372 * dayMs + 1) }, { relationship: null }],
  ['unknown_relationship', 'never bound', test1, { relationship: null }],
  ['environment_mismatch', 'live against test', dearer, { relationship: testOne, invoice: paidInvoice }],
  ['environment_mismatch', 'test against live', { ...test1, ...dearer }, { relationship: ended, invoice: paidInvoice }],
  ['duplicate_event_conflict', 'paid before with another amount', dearer, { relationship: ended, invoice: after(paidInvoice) }],
  [
    'duplicate_event_conflict',
    'paid before with another eligible amount',
    { eligible: cents(1) },
    { relationship: ended, invoice: after(paidInvoice) },
  ],
  ['relationship_ended', 'a new invoice after the end', { product: pro }, { relationship: ended }],
  ['relationship_ended', 'an invoice that was first reported after the end', {}, { relationship: ended, invoice: after(open) }],
  [
    'relationship_ended',
    'exactly at the time that the end carried',
    { occurredAt: before(dayMs) },
    { relationship: endedAt(before(dayMs)) },
  ],
  ['record', 'ended, the invoice was reported before', {}, { relationship: ended, invoice: open }],
  [
    'record',
    'a millisecond before the time that the end carried',
    { occurredAt: before(dayMs + 1) },
    { relationship: endedAt(before(dayMs)) },
  ],
  ['record', 'paid again with the same amounts', {}, { relationship: ended, invoice: paidInvoice }],
  ['record', 'another state after paid, with whatever amount', { ...dearer, paymentState: 'void' }, { invoice: paidInvoice }],
  ['record', 'no rule applies', {}, {}],
  ['record', 'limits are inclusive: exactly 372 days old', { occurredAt: before(372 * dayMs) }, {}],
  ['record', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-5 * minuteMs) }, {}],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  expect(wordOf(decideBilling({ ...good, ...report }, { ...facts, ...given }))).toBe(expected);
});

function recorded(report: Partial<BillingReport> = {}, given: Partial<BillingFacts> = {}) {
  const decision = decideBilling({ ...good, ...report }, { ...facts, ...given });
  if (decision.do !== 'record') throw new Error(`not recorded but ${wordOf(decision)}`);
  return decision;
}

test('a paid invoice opens a commission under the terms of the bind, and moves its money once', () => {
  const { commission, postings, answer, relationship, invoice } = recorded();
  expect(commission).toMatchObject({
    commissionId: 'm1',
    creatorId: 'k',
    source: { kind: 'invoice', id: 'ri1', text: 'in-1' },
    eligible: 4_900n,
    earning: { amount: 980n },
    termsVersion: 3,
    attributionDays: 30,
    holdDays: 14,
    held: null,
    holdUntil: new Date('2026-04-14T11:00:00Z'),
    autoApproveAt: null,
  });
  expect(postings).toEqual([
    {
      storeId: 's',
      creatorId: 'k',
      source: { kind: 'billing_event', id: 'e1' },
      debit: 'expected',
      credit: 'to_creators',
      amount: 980n,
      at: now,
    },
  ]);
  expect(answer).toEqual({ reason: 'recorded', eventId: 'e1', bindingId: null, commissionId: 'm1' });
  expect(relationship).toEqual({ ...active, paidInvoices: 4, earningInvoices: 3 });
  expect(invoice.payment).toMatchObject({ state: 'paid', number: 4, eventId: 'e1', earns: { is: 'commission', commissionId: 'm1' } });
});

test('a commission of 0 is opened, moves nothing and takes no place in the limit of invoices', () => {
  const { commission, postings, relationship } = recorded({ amountPaid: cents(2), eligible: cents(2) });
  expect(commission?.earning.amount).toBe(0n);
  expect([postings, relationship.paidInvoices, relationship.earningInvoices]).toEqual([[], 4, 2]);
});

type Earning = readonly [guarantee: string, report: Partial<BillingReport>, facts: Partial<BillingFacts>, because: string | null];
const zero: Relationship = { ...active, attribution: { ...live, plan: null }, earningInvoices: 0 };
const nothing: readonly Earning[] = [
  ['an open invoice', { paymentState: 'open' }, {}, null],
  ['a failed one after open', { paymentState: 'failed' }, { invoice: open }, null],
  ['a second payment', {}, { invoice: paidInvoice }, 'commission'],
  ['a payment of what waits already', {}, { invoice: waiting, relationship: held }, 'waits'],
  ['a void after paid', { paymentState: 'void' }, { invoice: paidInvoice }, 'commission'],
  ['a payment after its reversal', {}, { invoice: reversed, relationship: held }, 'reversed_before'],
  ['a payment while held', {}, { relationship: held }, 'waits'],
  ['a payment of another product', { product: pro }, {}, 'waits'],
  [
    'a payment past the limit while held waits all the same',
    {},
    { relationship: { ...held, earningInvoices: 12, paidInvoices: 12 } },
    'waits',
  ],
  ['a test', test1, { relationship: testOne }, 'test'],
  ['a test of another product', { ...test1, product: pro }, { relationship: testOne }, 'test'],
  ['a relationship without a rule', {}, { relationship: zero }, 'zero_commission'],
  ['an invoice past the limit', {}, { relationship: { ...active, earningInvoices: 12, paidInvoices: 12 } }, 'invoice_limit'],
  [
    'an invoice past the months',
    {},
    { relationship: { ...active, attribution: { ...live, plan: { ...plan, maxMonths: 0 } } } },
    'month_limit',
  ],
];

test.each(nothing)('%s opens no commission and posts no transfer', (_guarantee, report, given, because) => {
  const { commission, postings, answer, invoice } = recorded(report, given);
  expect([commission, postings, answer.commissionId]).toEqual([null, [], null]);
  const { payment } = invoice;
  const earns = payment.state === 'paid' ? (payment.earns.is === 'nothing' ? payment.earns.because : payment.earns.is) : null;
  expect(earns).toBe(because);
});

test('an invoice takes the last reported state until it is paid, and keeps that one', () => {
  expect(recorded({ paymentState: 'void' }).invoice.payment).toEqual({ state: 'void' });
  expect(recorded({ paymentState: 'open' }, { invoice: { ...open, payment: { state: 'void' } } }).invoice.payment).toEqual({
    state: 'open',
  });
  expect(recorded({}, { invoice: { ...open, payment: { state: 'void' } } }).invoice.payment).toMatchObject({ state: 'paid' });
  const later = recorded({ paymentState: 'void', amountPaid: cents(0), eligible: cents(0) }, { invoice: paidInvoice });
  expect([later.invoice, later.relationship]).toEqual([paidInvoice, active]);
});

const yearly: Product = { ...basic, priceId: 'yearly' };
type Difference = readonly [guarantee: string, billed: Product, bound: Product, reason: string | null];
const differences: readonly Difference[] = [
  ['the same', basic, basic, null],
  ['another product', pro, basic, 'product_mismatch'],
  ['another product and price', { ...pro, priceId: 'yearly' }, basic, 'product_mismatch'],
  ['another price', yearly, basic, 'price_mismatch'],
  ['a price that is not named differs from nothing', { ...basic, priceId: null }, basic, null],
  ['nor does it where none was bound', yearly, { ...basic, priceId: null }, null],
  ['a product that differs only in case', { ...basic, productId: 'Basic' }, basic, 'product_mismatch'],
];
test.each(differences)('%s is compared with what is bound', (_guarantee, billed, bound, reason) => {
  const { relationship } = recorded({ product: billed }, { relationship: { ...active, bound } });
  expect(relationship.hold).toEqual(reason === null ? null : { reason, since: now, billed });
});

test.each(['paid', 'open', 'failed', 'void', 'uncollectible'] as const)(
  'an event that says %s holds the relationship where the product differs',
  (paymentState) => {
    expect(recorded({ paymentState, product: pro }).relationship.hold?.reason).toBe('product_mismatch');
  },
);

test('an open review keeps the time of its first event, and decides about the last billed product', () => {
  const { relationship } = recorded({ product: yearly }, { relationship: held });
  expect(relationship.hold).toEqual({ reason: 'product_mismatch', since: held.hold?.since, billed: yearly });
  expect(recorded({}, { relationship: held }).relationship.hold).toEqual(held.hold);
});

test('a test relationship is not held', () => {
  expect(recorded({ ...test1, product: pro }, { relationship: testOne }).relationship.hold).toBeNull();
});

test('opens a held commission after an early reversal, or if the creator is suspended', () => {
  expect(recorded({}, { isCreatorSuspended: true }).commission?.held?.reason).toBe('creator_suspended');
  expect(recorded({}, { isCreatorSuspended: true, wasReversedEarly: true }).commission?.held?.reason).toBe('early_reversal');
});

test('an invoice keeps whether it was first reported before the end', () => {
  expect(recorded().invoice.isReportedAfterEnd).toBe(false);
  expect(recorded({ occurredAt: before(2 * dayMs) }, { relationship: endedAt(before(dayMs)) }).invoice.isReportedAfterEnd).toBe(true);
  expect(recorded({}, { relationship: ended, invoice: open }).invoice.isReportedAfterEnd).toBe(false);
});

test('the decision returns the values that it compared', () => {
  const { why, invoice } = recorded({ product: pro });
  expect(why).toEqual({
    occurred_at: '2026-03-31T11:00:00.000Z',
    payment_state: 'paid',
    eligible_cents: 4_900,
    relationship_held: 'product_mismatch',
    bound_product_id: 'basic',
    billed_product_id: 'pro',
    bound_price_id: 'monthly',
    billed_price_id: 'monthly',
  });
  expect(invoice.payment).toMatchObject({ why });
  expect(recorded({}, { invoice: { ...paidInvoice, payment: paid } }).why).toMatchObject({ first_paid_at: paid.recordedAt.toISOString() });
});

/** Relationships, invoices and reports as inputs of the decisions of src/subscriptions, for the tests of their decision tables. */
import type { EarlierEvent } from '../../src/subscriptions/event.ts';
import type { Invoice, Paid, Plan, Product, Relationship, LockedCommission } from '../../src/subscriptions/relationship.ts';
import type { Id } from '../../src/core/ids.ts';
import { basisPoints, cents } from '../../src/core/money.ts';
import { dayMs } from '../../src/core/time.ts';

export const now = new Date('2026-03-31T12:00:00Z');
export const before = (ms: number) => new Date(now.getTime() - ms);
export const id = <Kind extends string>(text: string) => text as Id<Kind>;

export const basic: Product = { productId: 'basic', priceId: 'monthly' };
export const pro: Product = { productId: 'pro', priceId: 'monthly' };

export const plan: Plan = {
  version: 3,
  attributionDays: 30,
  holdDays: 14,
  approval: { by: 'hand' },
  rate: { is: 'share', basisPoints: basisPoints(2_000) },
  maxInvoices: 12,
  maxMonths: null,
};

export const live = { environment: 'live', programId: id<'prog'>('p'), creatorId: id<'crt'>('k'), linkNumber: 7n } as const;

export const active: Relationship = {
  storeId: id<'store'>('s'),
  relationshipHash: Buffer.from('r'),
  bindingId: id<'bind'>('b'),
  bindEventId: id<'evt'>('be'),
  relationshipId: 'sub-1',
  clickId: id<'click'>('c'),
  touchHash: null,
  comparedAtBind: null,
  attribution: { ...live, plan },
  firstBound: basic,
  bound: basic,
  boundAt: before(20 * dayMs),
  recordedAt: before(20 * dayMs),
  paidInvoices: 3,
  earningInvoices: 2,
  lifecycle: { state: 'active' },
  hold: null,
};
export const testOne: Relationship = { ...active, attribution: { environment: 'test' }, earningInvoices: 0 };
export const ended: Relationship = { ...active, lifecycle: { state: 'ended', recordedAt: before(dayMs), occurredAt: null, reason: null } };
export const held: Relationship = { ...active, hold: { reason: 'product_mismatch', since: before(dayMs), billed: pro } };

export const paid: Paid = {
  state: 'paid',
  number: 3,
  eventId: id<'evt'>('pe'),
  occurredAt: before(dayMs),
  recordedAt: before(dayMs),
  amount: cents(4_900),
  eligible: cents(4_900),
  product: basic,
  earns: { is: 'commission', commissionId: id<'com'>('m') },
  why: {},
};
export const open: Invoice = {
  storeId: active.storeId,
  bindingId: active.bindingId,
  invoiceHash: Buffer.from('i'),
  relationshipInvoiceId: id<'rinv'>('ri'),
  invoiceId: 'in-1',
  firstRecordedAt: before(2 * dayMs),
  isReportedAfterEnd: false,
  payment: { state: 'open' },
  reversal: null,
};
export const paidInvoice: Invoice = { ...open, payment: paid };
export const waiting: Invoice = { ...open, payment: { ...paid, earns: { is: 'waits' } } };
export const reversed: Invoice = { ...open, reversal: { eventId: id<'evt'>('re'), at: before(dayMs), reason: null } };

export const commission: LockedCommission = {
  commissionId: id<'com'>('m'),
  creatorId: id<'crt'>('k'),
  state: 'pending',
  held: null,
  amount: cents(980),
};

const answer = { reason: 'recorded', eventId: id<'evt'>('e0'), bindingId: null, commissionId: null } as const;
export const replay: EarlierEvent = { receivedAt: before(dayMs), isSame: true, answer };
export const conflict: EarlierEvent = { ...replay, isSame: false };
export const burned: EarlierEvent = { ...replay, answer: null };
export const burnedConflict: EarlierEvent = { ...conflict, answer: null };

/** The result of a decision table, as one word. */
export const wordOf = (decision: { readonly do: string; readonly reason?: string }): string =>
  decision.do === 'refuse' ? (decision.reason ?? '') : decision.do;

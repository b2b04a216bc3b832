import { expect, test } from 'vitest';
import { leadFields, leadReversalFields } from '../../src/leads/lead-report.ts';
import { orderRefundFields } from '../../src/orders/refund-report.ts';
import { conversionFields, reversalFields } from '../../src/orders/report.ts';
import { invoiceRefundFields } from '../../src/subscriptions/refund-report.ts';
import { billingFields, bindFields, endFields, invoiceReversalFields } from '../../src/subscriptions/report.ts';
import { postbackPaths } from '../../src/contract/postback-operations.ts';
import { partialRefundFields } from '../../src/contract/fields.ts';
import { paths, serialise, type Operation } from '../../sdk/src/reports.ts';
import { createTributary } from '../../sdk/src/tributary.ts';
import { openSharedMerchant } from '../support/merchant.ts';

const merchant = await openSharedMerchant();
const { tracking_key: trackingKey, postback_key: postbackKey } = merchant.world.store;
const tributary = createTributary({ baseUrl: merchant.service.url, trackingKey, postbackKey });
const { product_id: productId, price_id: priceId } = merchant.world.subscription;

const at = new Date('2026-03-01T12:00:00.000Z');
const common = { eventId: 'e1', relationshipId: 's1', occurredAt: at };

test('the package sends each operation to its path in the contract', () => {
  expect(paths).toEqual(postbackPaths);
});

test.each<readonly [Operation, Readonly<Record<string, unknown>>, string]>([
  [
    'conversion',
    {
      metadata: { keepAsIs: [1.5] },
      lineItems: [{ quantity: 2, productId: 'sku', amountMinorUnits: 900 }],
      orderId: '1',
      clickId: 'c',
      orderSubtotalCents: 1000n,
      eligibleAmountCents: 900,
      occurredAt: at,
      orderName: '#1',
      customerId: null,
      discountCode: undefined,
      test: true,
    },
    '{"order_id":"1","click_id":"c","currency":"USD","order_subtotal_cents":1000,"occurred_at":"2026-03-01T12:00:00.000Z","eligible_amount_cents":900,"line_items":[{"product_id":"sku","amount_minor_units":900,"quantity":2}],"order_name":"#1","metadata":{"keepAsIs":[1.5]},"test":true}',
  ],
  ['reversal', { orderId: '1', reason: 'refunded' }, '{"order_id":"1","reason":"refunded"}'],
  [
    'relationship',
    { ...common, clickId: 'c', productId: 'p', priceId: 'm' },
    '{"event_id":"e1","relationship_id":"s1","environment":"live","occurred_at":"2026-03-01T12:00:00.000Z","click_id":"c","product_id":"p","price_id":"m","currency":"USD"}',
  ],
  [
    'billing_event',
    { ...common, invoiceId: 'i', paymentState: 'paid', amountPaidMinorUnits: 5, eligibleAmountMinorUnits: 4, productId: 'p' },
    '{"event_id":"e1","relationship_id":"s1","environment":"live","occurred_at":"2026-03-01T12:00:00.000Z","invoice_id":"i","payment_state":"paid","amount_paid_minor_units":5,"eligible_amount_minor_units":4,"product_id":"p","currency":"USD"}',
  ],
  [
    'invoice_reversal',
    { eventId: 'e1', relationshipId: 's1', invoiceId: 'i', environment: 'test' },
    '{"event_id":"e1","relationship_id":"s1","environment":"test","invoice_id":"i"}',
  ],
  [
    'order_refund',
    { refundId: 'r', orderId: 'o', lineItems: [{ productId: 'p', amountMinorUnits: 5, quantity: null }], occurredAt: at },
    '{"refund_id":"r","order_id":"o","line_items":[{"product_id":"p","amount_minor_units":5}],"occurred_at":"2026-03-01T12:00:00.000Z"}',
  ],
  [
    'invoice_refund',
    { refundId: 'r', relationshipId: 's1', invoiceId: 'i', amountMinorUnits: 5 },
    '{"refund_id":"r","relationship_id":"s1","invoice_id":"i","amount_minor_units":5,"environment":"live"}',
  ],
  [
    'relationship_end',
    { eventId: 'e1', relationshipId: 's1', reason: 'left' },
    '{"event_id":"e1","relationship_id":"s1","environment":"live","reason":"left"}',
  ],
  [
    'relationship',
    { eventId: 'e', relationshipId: 's1', clickId: null, productId: 'p', discountCodes: ['ADA10'], customerId: 'c' },
    '{"event_id":"e","relationship_id":"s1","environment":"live","product_id":"p","currency":"USD","discount_codes":["ADA10"],"customer_id":"c"}',
  ],
  [
    'lead',
    { leadId: 'l', kind: 'sign_up', clickId: null, discountCode: 'ADA10', customerId: 'c', occurredAt: at, metadata: { plan: 'pro' } },
    '{"lead_id":"l","kind":"sign_up","discount_code":"ADA10","customer_id":"c","occurred_at":"2026-03-01T12:00:00.000Z","metadata":{"plan":"pro"}}',
  ],
  ['lead_reversal', { leadId: 'l', reason: 'spam' }, '{"lead_id":"l","reason":"spam"}'],
])('serializes a %s to exactly these bytes', (operation, given, body) => {
  expect(serialise(operation, given)).toEqual({ operation, body });
});

test('the package has exactly the fields that the service reads', () => {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_all, character: string) => character.toUpperCase());
  const lists = {
    conversion: conversionFields,
    reversal: reversalFields,
    order_refund: orderRefundFields,
    relationship: bindFields,
    billing_event: billingFields,
    invoice_reversal: invoiceReversalFields,
    invoice_refund: invoiceRefundFields,
    relationship_end: endFields,
    lead: leadFields,
    lead_reversal: leadReversalFields,
  };
  const clickless: readonly Operation[] = [
    'reversal',
    'order_refund',
    'billing_event',
    'invoice_reversal',
    'invoice_refund',
    'relationship_end',
    'lead_reversal',
  ];
  for (const operation of Object.keys(lists) as Operation[]) {
    const isClickless = clickless.includes(operation);
    const body = serialise(operation, { ...(!isClickless && { clickId: 'c' }), unknownField: 1 });
    const known = ('message' in body ? body.message : '').replace(/^.*there are: |\.$/g, '').split(', ');
    const read = Object.keys(lists[operation]).filter(
      (name) => (!(name in partialRefundFields) || operation.endsWith('_refund')) && !(isClickless && name === 'click_id'),
    );
    expect([operation, known.toSorted()]).toEqual([operation, read.map(camel).toSorted()]);
  }
  for (const operation of clickless) expect(serialise(operation, { clickId: 'c' })).toMatchObject({ field: 'clickId' });
  expect(serialise('reversal', { amountCents: 1 })).toMatchObject({ reason: 'invalid_payload', field: 'amountCents' });
});

test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
  ['dollars', { orderSubtotalCents: 10.05 }, 'orderSubtotalCents'],
  ['a value that is not a number', { orderSubtotalCents: Number.NaN }, 'orderSubtotalCents'],
  ['a number that is too large', { orderSubtotalCents: 2n ** 60n }, 'orderSubtotalCents'],
  ['an invalid time', { occurredAt: new Date('never') }, 'occurredAt'],
  ['an unknown field', { orderSubtotal: 1 }, 'orderSubtotal'],
  ['an unknown field of a line', { lineItems: [{ productId: 'a', amount: 1, quantity: 1 }] }, 'lineItems[0].amount'],
  ['a value that JSON cannot represent', { metadata: { big: 1n } }, 'metadata'],
])('rejects %s before anything is sent', (_what, fields, field) => {
  expect(serialise('conversion', { orderId: '1', clickId: 'c', orderSubtotalCents: 5, ...fields })).toMatchObject({
    reason: 'invalid_payload',
    field,
  });
});

test('an order without a click is not sent', async () => {
  for (const clickId of [null, undefined, ''])
    expect(await tributary.conversions.record({ orderId: '1', clickId, orderSubtotalCents: 5 })).toMatchObject({
      ok: false,
      outcome: 'not_sent',
      retry: 'no',
      reason: 'missing_referral_click',
      attempts: 0,
    });
});

test('a lead passes through the service: recorded, repeated, reversed; one without a click and a code is not sent', async () => {
  const lead = { leadId: 'sdk lead', kind: 'trial', clickId: await merchant.click(), occurredAt: merchant.at() };
  expect(await tributary.leads.report(lead)).toMatchObject({ ok: true, reason: 'recorded', leadId: expect.stringMatching(/^lead_/) });
  expect(await tributary.leads.report(lead)).toMatchObject({ ok: true, reason: 'duplicate_lead', isReplay: true });
  expect(await tributary.leads.reverse({ leadId: 'sdk lead' })).toMatchObject({ ok: true, reason: 'recorded' });
  expect(await tributary.leads.report({ ...lead, clickId: null })).toMatchObject({ outcome: 'not_sent', reason: 'missing_referral_click' });
});

test('an order passes through the service: recorded, repeated, in conflict, refunded', async () => {
  const order = {
    orderId: 'sdk 1',
    clickId: await merchant.click(),
    orderSubtotalCents: 10_005,
    occurredAt: merchant.at(),
    metadata: { a: 1 },
  };
  const recorded = await tributary.conversions.record(order);
  expect(recorded).toMatchObject({
    ok: true,
    reason: 'recorded',
    isReplay: false,
    transactionId: expect.any(String),
    requestId: expect.any(String),
  });
  expect(await tributary.conversions.record(order)).toMatchObject({ ok: true, reason: 'duplicate_order', isReplay: true });
  expect(await tributary.conversions.record({ ...order, orderSubtotalCents: 1 })).toMatchObject({
    ok: false,
    retry: 'no',
    status: 409,
    reason: 'duplicate_order_conflict',
  });
  const part = { refundId: 'sdk part', orderId: 'sdk 1', amountCents: 5_005, occurredAt: merchant.at() };
  expect(await tributary.conversions.refund(part)).toMatchObject({
    ok: true,
    refundId: expect.stringMatching(/^rfd_/),
    remainingCents: 5_000,
  });
  expect(await tributary.conversions.refund(part)).toMatchObject({ ok: true, reason: 'duplicate_refund', isReplay: true });
  expect(await tributary.conversions.refund({ ...part, refundId: 'sdk more' })).toMatchObject({
    ok: false,
    reason: 'refund_exceeds_remaining_amount',
    remainingCents: 5_000,
  });
  expect(await tributary.conversions.reverse({ orderId: 'sdk 1', reason: 'refunded' })).toMatchObject({ ok: true, reason: 'recorded' });
  expect(await tributary.conversions.reverse({ orderId: 'sdk 1', reason: 'refunded' })).toMatchObject({
    ok: true,
    reason: 'duplicate_order',
  });
  expect((await merchant.commissionOf('sdk 1')).state).toBe('reversed');
  // No warnings, and no browser headers.
  expect((await merchant.logEntryOf('sdk 1')).warnings).toEqual([]);
});

test('a subscription passes through the service, and a rejected event stays rejected', async () => {
  const product = { relationshipId: 'sdk sub', productId, priceId };
  const bind = { ...product, eventId: 'sdk bind', clickId: await merchant.click() };
  expect(await tributary.subscriptions.bind(bind)).toMatchObject({ ok: true, bindingId: expect.any(String) });
  const invoice = { ...product, eventId: 'sdk invoice', invoiceId: 'sdk inv', paymentState: 'paid', amountPaidMinorUnits: 4_900 } as const;
  expect(await tributary.subscriptions.bill(invoice)).toMatchObject({
    ok: true,
    eventId: expect.stringMatching(/^evt_/),
    conversionId: expect.any(String),
  });
  const part = { refundId: 'sdk part of invoice', relationshipId: 'sdk sub', invoiceId: 'sdk inv', amountMinorUnits: 900 };
  expect(await tributary.subscriptions.refundInvoice(part)).toMatchObject({ ok: true, remainingCents: 4_000 });
  const refund = { eventId: 'sdk refund', relationshipId: 'sdk sub', invoiceId: 'sdk inv' };
  expect(await tributary.subscriptions.reverseInvoice(refund)).toMatchObject({ ok: true });
  expect(await tributary.subscriptions.end({ eventId: 'sdk end', relationshipId: 'sdk sub' })).toMatchObject({ ok: true });
  const late = { ...invoice, eventId: 'sdk late', invoiceId: 'sdk inv 2', occurredAt: merchant.at() };
  expect(await tributary.subscriptions.bill(late)).toMatchObject({ ok: false, retry: 'no', status: 422, reason: 'relationship_ended' });
  expect(await tributary.subscriptions.bill(late)).toMatchObject({
    ok: false,
    retry: 'no',
    status: 500,
    reason: 'duplicate_event',
    attempts: 1,
  });
  const unknown = { ...refund, eventId: 'sdk x', relationshipId: 'unknown' };
  expect(await tributary.subscriptions.reverseInvoice(unknown)).toMatchObject({
    ok: false,
    retry: 'no',
    status: 404,
    reason: 'unknown_relationship',
  });
});

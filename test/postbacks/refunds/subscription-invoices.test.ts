import { afterAll, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../src/core/time.ts';
import { differences } from '../../support/billing.ts';
import { holdCommission, openMerchant, type ApiResponse, type Json } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { subscriberOf, uniqueId, type Subscriber } from '../../support/subscriber.ts';

/** Partial refunds of subscription invoices of 49.00 USD, of which the seed's program pays 20%. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

type Paid = { readonly subscriber: Subscriber; readonly invoice_id: string };
async function paid(): Promise<Paid> {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  const invoice_id = uniqueId('invoice');
  await subscriber.reportInvoice({ invoice_id });
  return { subscriber, invoice_id };
}

const refundOf = ({ subscriber, invoice_id }: Paid, fields: Json = {}) => ({
  refund_id: uniqueId('refund'),
  relationship_id: subscriber.relationshipId,
  invoice_id,
  amount_minor_units: 1_900,
  environment: 'live',
  ...fields,
});
const send = (body: unknown): Promise<ApiResponse> => merchant.post('v2/recurring/invoices/refunds', body);
const commissionOf = async ({ subscriber, invoice_id }: Paid) => {
  const { state, heldReason, amountCents } = await subscriber.commission(invoice_id);
  return `${state} ${heldReason ?? '-'} ${amountCents}`;
};

test('recomputes the commission of the invoice on what remains, and a repeat is replayed', async () => {
  const invoice = await paid();
  const refund = refundOf(invoice, { reason: 'goodwill' });
  const first = await send(refund);
  const { refund_id, conversion_id, ...rest } = first.json;
  expect(rest).toEqual({ ok: true, reason: 'recorded', remaining_cents: 3_000, message: 'The postback was recorded.' });
  expect([refund_id, conversion_id]).toEqual([expect.stringMatching(/^rfd_/), expect.stringMatching(/^com_/)]);
  expect(await commissionOf(invoice)).toBe('pending - 600');
  const rows = await rowsWritten(merchant.database, async () => {
    const { json, headers } = await send({ ...refund, line_items: [{ product_id: 'any', amount_minor_units: 1_900 }] });
    expect([json.reason, headers.get('idempotent-replayed')]).toEqual(['duplicate_refund_conflict', null]);
    const again = await send(refund);
    expect([again.json, again.headers.get('idempotent-replayed')]).toMatchObject([
      { reason: 'duplicate_refund', refund_id, conversion_id },
      'true',
    ]);
  });
  expect(rows).toEqual({ postback_log: '2 new' });
});

test('shares the space of refund IDs with refunds of orders', async () => {
  const invoice = await paid();
  const refund = refundOf(invoice);
  await send(refund);
  const order = await merchant.order();
  await merchant.convert(order);
  const other = { refund_id: refund.refund_id, order_id: order.order_id, amount_cents: 1_900, occurred_at: merchant.at() };
  expect(await merchant.post('v2/orders/refunds', other)).toMatchObject({ status: 409, json: { reason: 'duplicate_refund_conflict' } });
});

test('of all of an invoice is its reversal, and a reversal after it changes nothing', async () => {
  const invoice = await paid();
  await send(refundOf(invoice));
  expect((await send(refundOf(invoice, { amount_minor_units: 3_001 }))).json).toMatchObject({
    reason: 'refund_exceeds_remaining_amount',
    remaining_cents: 3_000,
  });
  expect((await send(refundOf(invoice, { amount_minor_units: 3_000, reason: 'left' }))).json.remaining_cents).toBe(0);
  expect(await commissionOf(invoice)).toBe('reversed - 600');
  expect(await invoice.subscriber.invoice(invoice.invoice_id)).toMatchObject({ reversalReason: 'left' });
  const rows = await rowsWritten(merchant.database, async () =>
    expect((await invoice.subscriber.refund({ invoice_id: invoice.invoice_id })).json.reason).toBe('recorded'),
  );
  expect(rows).toEqual({ subscription_events: '1 new', postback_log: '1 new' });
});

test('before a reversal leaves the rest to it, and after a reversal nothing remains', async () => {
  const invoice = await paid();
  await send(refundOf(invoice));
  expect((await invoice.subscriber.refund({ invoice_id: invoice.invoice_id })).json.reason).toBe('recorded');
  expect(await commissionOf(invoice)).toBe('reversed - 600');
  expect((await send(refundOf(invoice, { amount_minor_units: 1 }))).json).toMatchObject({
    reason: 'refund_exceeds_remaining_amount',
    remaining_cents: 0,
  });
});

test('before the invoice, or before it was paid: 404, then its commission is held, then the refund ends the hold', async () => {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  const invoice = { subscriber, invoice_id: uniqueId('invoice') };
  const refund = refundOf(invoice);
  const rows = await rowsWritten(merchant.database, async () =>
    expect(await send(refund)).toMatchObject({ status: 404, json: { reason: 'unknown_invoice' } }),
  );
  expect(rows).toEqual({ early_invoice_reversals: '1 new', postback_log: '1 new' });
  await subscriber.reportInvoice({ invoice_id: invoice.invoice_id, payment_state: 'open' });
  expect((await send(refund)).json.reason).toBe('unknown_invoice');
  await subscriber.reportInvoice({ invoice_id: invoice.invoice_id });
  expect(await commissionOf(invoice)).toBe('pending early_reversal 980');
  expect((await send(refund)).json.reason).toBe('recorded');
  expect(await commissionOf(invoice)).toBe('pending - 600');
});

test('of an invoice that earned nothing is recorded, within its amount', async () => {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind({ product_id: 'no rule for this', price_id: null });
  const invoice = { subscriber, invoice_id: uniqueId('invoice') };
  await subscriber.reportInvoice({ invoice_id: invoice.invoice_id, product_id: 'no rule for this', price_id: null });
  const known = await subscriber.commission(invoice.invoice_id);
  const { json } = await send(refundOf(invoice));
  expect(json).toMatchObject({ reason: 'recorded', remaining_cents: 3_000 });
  expect('conversion_id' in json).toBe(known !== null);
  expect((await send(refundOf(invoice, { amount_minor_units: 3_001 }))).json.remaining_cents).toBe(3_000);
});

test('of a test subscription is recorded without money', async () => {
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const subscriber = subscriberOf(merchant);
  const environment = 'test';
  await subscriber.bind({ click_id: link.click_id, environment });
  const invoice = { subscriber, invoice_id: uniqueId('invoice') };
  await subscriber.reportInvoice({ invoice_id: invoice.invoice_id, environment });
  const refund = refundOf(invoice, { environment });
  expect((await send({ ...refund, environment: 'live' })).json.reason).toBe('environment_mismatch');
  const { json } = await send(refund);
  expect(json).toMatchObject({ reason: 'recorded', remaining_cents: 3_000 });
  expect(json.conversion_id).toBeUndefined();
  expect(await merchant.logEntryOf(refund.refund_id)).toMatchObject({ operation: 'invoice_refund', isTest: true });
});

test('is refused while the commission is on hold or the subscription is under review', async () => {
  const invoice = await paid();
  await holdCommission(merchant, invoice.invoice_id, 'dispute');
  expect(await send(refundOf(invoice))).toMatchObject({ status: 500, json: { reason: 'active_hold', retry: 'daily' } });
  const reviewed = await paid();
  const waiting = { ...reviewed, invoice_id: uniqueId('invoice') };
  await reviewed.subscriber.reportInvoice({ invoice_id: waiting.invoice_id, product_id: 'another' });
  expect((await send(refundOf(waiting))).json.reason).toBe('active_hold');
});

test('of an unknown subscription, or at an invalid time, is refused and stores nothing', async () => {
  const invoice = await paid();
  const rows = await rowsWritten(merchant.database, async () => {
    expect(await send(refundOf(invoice, { relationship_id: 'unknown' }))).toMatchObject({
      status: 404,
      json: { reason: 'unknown_relationship' },
    });
    for (const occurred_at of ['yesterday', merchant.at(-373 * dayMs), merchant.at(6 * minuteMs)])
      expect(await send(refundOf(invoice, { occurred_at }))).toMatchObject({ status: 422, json: { reason: 'invalid_occurred_at' } });
    expect(await send(refundOf(invoice, { amount_minor_units: undefined }))).toMatchObject({
      status: 400,
      json: { field: '/amount_minor_units' },
    });
  });
  expect(rows).toEqual({ postback_log: '5 new' });
});

test('every invariant of the verification holds', async () => {
  expect(await differences(merchant)).toEqual([]);
});

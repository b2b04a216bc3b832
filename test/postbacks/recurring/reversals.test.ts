import { expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { publicId } from '../../../src/core/ids.ts';
import { dayMs } from '../../../src/core/time.ts';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { holdCommission, openSharedMerchantAlone, putCommission } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { uniqueId, paths, subscriberOf, type Subscriber } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

/** A subscription with one paid invoice; its unique ID selects the commission whose state a test changes. */
async function billed(): Promise<{ readonly subscriber: Subscriber; readonly invoice_id: string }> {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  const invoice_id = uniqueId('invoice');
  expect((await subscriber.reportInvoice({ invoice_id })).json.conversion_id).toMatch(/^com_/);
  return { subscriber, invoice_id };
}

const nothingKept = { postback_log: '1 new' };
const eventOnly = { subscription_events: '1 new', postback_log: '1 new' };
/** A refund is counted in addition to the invoice, which stays counted. */
const rollups = { link_days: '1 new', store_days: '1 new' };

test('a full refund reverses the commission and its transfer; a repeat is replayed [Endpoints, reversals]', async () => {
  const { subscriber, invoice_id } = await billed();
  const body = subscriber.refundBody({ invoice_id, reason: 'refunded', occurred_at: merchant.at() });
  const ids = async () => ({ event_id: publicId('evt', (await subscriber.event(body.event_id)).recordedEventId) });
  const rows = await rowsWritten(merchant.database, async () =>
    expectAccepted(await merchant.post(paths.refund, body), 'recorded', await ids()),
  );
  expect(rows).toEqual({
    ...eventOnly,
    relationship_invoices: '1 changed',
    commissions: '1 changed',
    transfers: '1 new',
    balances: '2 changed',
    ...rollups,
  });
  const { reversalEventId } = await subscriber.invoice(invoice_id);
  const transfers = sql`select source_kind, debit, credit, amount_cents from transfers where source_id = ${reversalEventId}`;
  expect(await merchant.database.all(transfers)).toEqual([
    { sourceKind: 'reversal', debit: 'to_creators', credit: 'expected', amountCents: 980n },
  ]);
  expect(await subscriber.commission(invoice_id)).toMatchObject({ state: 'reversed', reversalReason: 'refunded' });
  const again = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.post(paths.refund, body), 'recorded', await ids(), { isReplay: true });
  });
  expect(again).toEqual(nothingKept);
});

test('another reversal of the same invoice is recorded and changes nothing [Errors, 200]', async () => {
  const { subscriber, invoice_id } = await billed();
  await subscriber.refund({ invoice_id });
  const rows = await rowsWritten(merchant.database, async () => {
    const response = await subscriber.refund({ invoice_id, reason: 'again' });
    expect([response.status, Object.keys(response.json)]).toEqual([200, ['ok', 'reason', 'event_id', 'message']]);
  });
  expect(rows).toEqual(eventOnly);
});

test('an invoice that is reversed before its payment earns nothing from a later payment [Endpoints, reversals]', async () => {
  const { subscriber } = await billed();
  await subscriber.reportInvoice({ invoice_id: 'later', payment_state: 'open' });
  const rows = await rowsWritten(merchant.database, async () =>
    expect((await subscriber.refund({ invoice_id: 'later' })).status).toBe(200),
  );
  expect(rows).toEqual({ ...eventOnly, relationship_invoices: '1 changed' });
  const paid = await subscriber.reportInvoice({ invoice_id: 'later' });
  expect([paid.status, paid.json.conversion_id]).toEqual([200, undefined]);
  expect((await subscriber.invoice('later')).nothingBecause).toBe('reversed_before');
});

test('a refund before its invoice is 404, then the commission opens on hold, then the refund ends the hold [Errors, 404]', async () => {
  const { subscriber } = await billed();
  const body = subscriber.refundBody({ invoice_id: 'early' });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.refund, body), 404, 'unknown_invoice', 'never');
  });
  expect(rows).toEqual({ early_invoice_reversals: '1 new', postback_log: '1 new' });
  const before = await subscriber.expected();
  expect((await subscriber.reportInvoice({ invoice_id: 'early' })).json.conversion_id).toMatch(/^com_/);
  expect(await subscriber.commission('early')).toMatchObject({ state: 'pending', heldReason: 'early_reversal' });
  expect((await merchant.post(paths.refund, body)).status).toBe(200);
  expect(await subscriber.commission('early')).toMatchObject({ state: 'reversed', heldReason: null });
  expect(await subscriber.expected()).toBe(before);
});

test('an unknown relationship is 404 and burns nothing [Errors, 404]', async () => {
  const { subscriber, invoice_id } = await billed();
  const body = subscriber.refundBody({ invoice_id });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.refund, { ...body, relationship_id: 'nobody' }), 404, 'unknown_relationship', 'never');
  });
  expect(rows).toEqual(nothingKept);
  expect((await merchant.post(paths.refund, body)).status).toBe(200);
});

test('a hold blocks the refund and burns nothing: the refund succeeds once the hold is released [States, review hold]', async () => {
  const { subscriber, invoice_id } = await billed();
  await holdCommission(merchant, invoice_id, 'dispute');
  const body = subscriber.refundBody({ invoice_id });
  const rows = await rowsWritten(merchant.database, async () =>
    expectRefused(await merchant.post(paths.refund, body), 500, 'active_hold', 'daily'),
  );
  expect(rows).toEqual(nothingKept);
  await holdCommission(merchant, invoice_id, null);
  expect((await merchant.post(paths.refund, body)).status).toBe(200);
});

test.each(['accept', 'decline'])(
  'an invoice that is held for review cannot be refunded until the decision: %s [States, held for review]',
  async (decision) => {
    const { subscriber } = await billed();
    const before = await subscriber.expected();
    await subscriber.reportInvoice({ invoice_id: 'waits', product_id: 'plan-pro' });
    const body = subscriber.refundBody({ invoice_id: 'waits' });
    expectRefused(await merchant.post(paths.refund, body), 500, 'active_hold', 'daily');
    const relationship = publicId('bind', (await subscriber.relationship()).bindingId);
    const reviewed = await merchant.api('POST', `/stores/${merchant.world.store.id}/relationships/${relationship}/review`, { decision });
    expect(reviewed.status).toBe(200);
    expect((await merchant.post(paths.refund, body)).status).toBe(200);
    expect(await subscriber.expected()).toBe(before);
  },
);

test.each(['billed', 'collected', 'paid'])(
  'a commission that is %s is not reversed, and the event is burned [States, commission billed]',
  async (state) => {
    const { subscriber, invoice_id } = await billed();
    await putCommission(merchant, invoice_id, state);
    const body = subscriber.refundBody({ invoice_id });
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.post(paths.refund, body), 422, 'paid_conversion_not_auto_reversed', 'never');
    });
    expect(rows).toEqual(eventOnly);
    expectRefused(await merchant.post(paths.refund, body), 500, 'duplicate_event', 'never');
  },
);

test('a rejected commission is reversed, and its transfer is not undone twice [States, commission billed]', async () => {
  const { subscriber, invoice_id } = await billed();
  await putCommission(merchant, invoice_id, 'rejected');
  const rows = await rowsWritten(merchant.database, async () => expect((await subscriber.refund({ invoice_id })).status).toBe(200));
  expect(rows).toEqual({ ...eventOnly, relationship_invoices: '1 changed', commissions: '1 changed', ...rollups });
});

test('an invoice of a relationship that ended is refunded [Endpoints, reversals]', async () => {
  const { subscriber, invoice_id } = await billed();
  await subscriber.end();
  expect((await subscriber.refund({ invoice_id })).status).toBe(200);
  expect((await subscriber.commission(invoice_id)).state).toBe('reversed');
});

test('a reversal with a time that is too old is burned [Limits, occurred_at age]', async () => {
  const { subscriber, invoice_id } = await billed();
  const body = subscriber.refundBody({ invoice_id, occurred_at: merchant.at(-373 * dayMs) });
  expectRefused(await merchant.post(paths.refund, body), 422, 'invalid_occurred_at', 'never');
  expectRefused(await merchant.post(paths.refund, body), 500, 'duplicate_event', 'never');
});

test.each(['amount', 'amount_cents', 'amount_minor_units', 'refund_amount_cents'])(
  'a partial refund (%s) is 400: nothing turns it into a full one [Versioning]',
  async (name) => {
    const { subscriber, invoice_id } = await billed();
    const rows = await rowsWritten(merchant.database, async () => {
      const response = await subscriber.refund({ invoice_id, [name]: 100 });
      const message = `${name} would mean a partial refund, and this operation reports full refunds only. Omit it if the order was refunded in full.`;
      expectRefused(response, 400, 'invalid_payload', { retry: 'never', field: `/${name}`, message });
    });
    expect(rows).toEqual(nothingKept);
  },
);

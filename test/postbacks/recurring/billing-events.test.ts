import { afterAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { publicId } from '../../../src/core/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { openMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { paths, subscriberOf, type Subscriber } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

async function bound(): Promise<Subscriber> {
  const subscriber = subscriberOf(merchant);
  expect((await subscriber.bind()).status).toBe(200);
  return subscriber;
}

const recordedOnly = { subscription_events: '1 new', relationships: '1 changed', relationship_invoices: '1 new', postback_log: '1 new' };
const unchanged = { subscription_events: '1 new', postback_log: '1 new' };

test('a paid invoice opens a commission and its transfer; a repeat is replayed [Endpoints, billing-events]', async () => {
  const subscriber = await bound();
  const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1', eligible_amount_minor_units: 4_503 });
  const ids = async () => {
    const { recordedEventId } = await subscriber.event(body.event_id);
    const { commissionId } = await subscriber.commission('in-1');
    return { conversion_id: publicId('com', commissionId), event_id: publicId('evt', recordedEventId) };
  };
  const before = await subscriber.expected();
  const rows = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.post(paths.reportInvoice, body), 'recorded', await ids());
  });
  expect(rows).toMatchObject({ ...recordedOnly, commissions: '1 new', transfers: '1 new' });
  expect((await subscriber.expected()) - before).toBe(901n);
  expect(await subscriber.commission('in-1')).toMatchObject({
    state: 'pending',
    sourceKind: 'invoice',
    sourceText: 'in-1',
    amountCents: 901n,
    eligibleCents: 4_503n,
    occurredAt: new Date(String(body['occurred_at'])),
    holdDays: 30,
  });
  const { paidEventId } = await subscriber.invoice('in-1');
  const transfers = sql`select source_kind, debit, credit, amount_cents from transfers where source_id = ${paidEventId}`;
  expect(await merchant.database.all(transfers)).toEqual([
    { sourceKind: 'billing_event', debit: 'expected', credit: 'to_creators', amountCents: 901n },
  ]);

  await subscriber.end();
  const again = await rowsWritten(merchant.database, async () => {
    const spelled = { ...body, occurred_at: String(body['occurred_at']).replace('Z', '+00:00'), amount_paid_minor_units: 4900.0, extra: 1 };
    expectAccepted(await merchant.post(paths.reportInvoice, spelled), 'recorded', await ids(), { isReplay: true });
  });
  expect(again).toEqual({ postback_log: '1 new' });
});

test('an eligible amount equal to the default is the same content as an omitted one [billing event request, eligible amount]', async () => {
  const subscriber = await bound();
  const body = subscriber.paidInvoiceBody();
  await merchant.post(paths.reportInvoice, body);
  const spelled = await merchant.post(paths.reportInvoice, { ...body, eligible_amount_minor_units: 4_900, click_id: '' });
  expect([spelled.status, spelled.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
});

test.each(['failed', 'open', 'void', 'uncollectible'])(
  'an invoice that is %s is recorded and earns nothing; once paid it earns [payment_state]',
  async (payment_state) => {
    const subscriber = await bound();
    const rows = await rowsWritten(merchant.database, async () => {
      const response = await subscriber.reportInvoice({ invoice_id: 'in-1', payment_state });
      expect([response.status, Object.keys(response.json)]).toEqual([200, ['ok', 'reason', 'event_id', 'message']]);
    });
    // The relationship row was updated to the same values.
    expect(rows).toEqual({ subscription_events: '1 new', relationship_invoices: '1 new', postback_log: '1 new' });
    const paid = await subscriber.reportInvoice({ invoice_id: 'in-1' });
    expect(Object.keys(paid.json)).toEqual(['ok', 'reason', 'conversion_id', 'event_id', 'message']);
  },
);

test('only the first payment earns: another one of the same amounts, or a late void, is recorded and changes nothing [paid]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  const states = [{ payment_state: 'paid' }, { payment_state: 'void' }, { payment_state: 'failed', amount_paid_minor_units: 0 }];
  for (const fields of states) {
    const rows = await rowsWritten(merchant.database, async () => {
      const response = await subscriber.reportInvoice({ invoice_id: 'in-1', ...fields });
      expect([response.status, response.json.reason, response.json.conversion_id]).toEqual([200, 'recorded', undefined]);
    });
    expect(rows).toEqual(unchanged);
  }
  expect((await subscriber.invoice('in-1')).state).toBe('paid');
});

test('a second payment with other amounts conflicts and burns nothing [Errors, 409]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  const others = [{ amount_paid_minor_units: 4_901 }, { eligible_amount_minor_units: 4_899 }];
  for (const fields of others) {
    const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1', ...fields });
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.post(paths.reportInvoice, body), 409, 'duplicate_event_conflict', 'never');
    });
    expect(rows).toEqual({ postback_log: '1 new' });
    const corrected = { ...body, amount_paid_minor_units: 4_900, eligible_amount_minor_units: 4_900 };
    expect((await merchant.post(paths.reportInvoice, corrected)).status).toBe(200);
  }
});

test('two relationships may each use the same invoice_id [billing event request, invoice_id]', async () => {
  const [one, other] = [await bound(), await bound()];
  for (const subscriber of [one, other])
    expect((await subscriber.reportInvoice({ invoice_id: 'in-1' })).json.conversion_id).toMatch(/^com_/);
  expect((await one.refund({ invoice_id: 'in-1' })).status).toBe(200);
  expect([(await one.commission('in-1')).state, (await other.commission('in-1')).state]).toEqual(['reversed', 'pending']);
});

test('a billing event before its bind is 404, burns nothing, and succeeds when resent after the bind [Errors, 404]', async () => {
  const subscriber = subscriberOf(merchant);
  const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1' });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.reportInvoice, body), 404, 'unknown_relationship', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  await subscriber.bind();
  expect((await merchant.post(paths.reportInvoice, body)).json.conversion_id).toMatch(/^com_/);
});

test('after the end a new invoice is burned, and one that was reported before is not [States, relationship ended]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1', payment_state: 'open' });
  await subscriber.end();
  const body = subscriber.paidInvoiceBody({ invoice_id: 'in-2' });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.reportInvoice, body), 422, 'relationship_ended', 'never');
  });
  expect(rows).toEqual(unchanged);
  expectRefused(await merchant.post(paths.reportInvoice, body), 500, 'duplicate_event', 'never');
  expect((await subscriber.reportInvoice({ invoice_id: 'in-1' })).json.conversion_id).toMatch(/^com_/);
});

test('an end with its own time admits earlier events, and later events on such an invoice are judged by their own time [States, relationship ended]', async () => {
  const subscriber = await bound();
  await subscriber.end({ occurred_at: merchant.at(-hourMs) });
  expectRefused(
    await subscriber.reportInvoice({ invoice_id: 'in-1', occurred_at: merchant.at(-hourMs + minuteMs) }),
    422,
    'relationship_ended',
    'never',
  );
  const earlier = { invoice_id: 'in-1', occurred_at: merchant.at(-2 * hourMs) };
  expect((await subscriber.reportInvoice({ ...earlier, payment_state: 'open' })).status).toBe(200);
  expectRefused(await subscriber.reportInvoice({ invoice_id: 'in-1' }), 422, 'relationship_ended', 'never');
  expect((await subscriber.reportInvoice(earlier)).json.conversion_id).toMatch(/^com_/);
});

test('another product holds the relationship: later invoices earn nothing until the review [States, held for review]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  const rows = await rowsWritten(merchant.database, async () => {
    expect((await subscriber.reportInvoice({ invoice_id: 'in-2', product_id: 'plan-pro' })).json.reason).toBe('recorded');
  });
  expect(rows).toEqual(recordedOnly);
  const next = await subscriber.reportInvoice({ invoice_id: 'in-3' });
  expect([next.status, next.json.conversion_id]).toEqual([200, undefined]);
  expect(await subscriber.relationship()).toMatchObject({ state: 'active', heldReason: 'product_mismatch', heldProductId: 'plan-pro' });
  expect([(await subscriber.invoice('in-2')).earns, (await subscriber.invoice('in-3')).earns]).toEqual(['waits', 'waits']);
});

test('another price also holds the relationship, and an omitted price matches any price [billing event request, product_id]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ price_id: null });
  expect((await subscriber.relationship()).heldReason).toBeNull();
  await subscriber.reportInvoice({ price_id: 'price-yearly', payment_state: 'open' });
  expect((await subscriber.relationship()).heldReason).toBe('price_mismatch');
});

test('the rule pays for its first twelve earning invoices; the next is recorded and earns nothing [commission rule]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-0', amount_paid_minor_units: 0 });
  for (let place = 1; place <= 12; place++)
    expect((await subscriber.reportInvoice({ invoice_id: `in-${place}` })).json.conversion_id).toMatch(/^com_/);
  const { json } = await subscriber.reportInvoice({ invoice_id: 'in-13' });
  expect([json.reason, json.conversion_id]).toEqual(['recorded', undefined]);
  expect((await subscriber.invoice('in-13')).nothingBecause).toBe('invoice_limit');
  // A reversed invoice still counts toward the limit.
  await subscriber.refund({ invoice_id: 'in-1' });
  expect((await subscriber.reportInvoice({ invoice_id: 'in-14' })).json.conversion_id).toBeUndefined();
});

test('an invoice that arrives while the creator is suspended is recorded and held [States]', async () => {
  const subscriber = await bound();
  await merchant.api('POST', `/creators/${merchant.world.creator.id}/suspend`, {});
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  await merchant.api('POST', `/creators/${merchant.world.creator.id}/unsuspend`, {});
  expect(await subscriber.commission('in-1')).toMatchObject({ state: 'pending', heldReason: 'creator_suspended', amountCents: 980n });
});

test('an event rejected with 422 is burned permanently [Errors, 500]', async () => {
  const subscriber = await bound();
  const cases = [
    [{ currency: 'usd' }, 'unsupported_pricing_currency'],
    [{ occurred_at: '2026-02-30T00:00:00Z' }, 'invalid_occurred_at'],
    [{ occurred_at: merchant.at(-373 * dayMs) }, 'invalid_occurred_at'],
  ] as const;
  for (const [fields, reason] of cases) {
    const body = subscriber.paidInvoiceBody(fields);
    const rows = await rowsWritten(merchant.database, async () =>
      expectRefused(await merchant.post(paths.reportInvoice, body), 422, reason, 'never'),
    );
    expect(rows).toEqual(unchanged);
    const later = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.post(paths.reportInvoice, body), 500, 'duplicate_event', 'never');
      expectRefused(
        await merchant.post(paths.reportInvoice, { ...body, currency: 'USD', occurred_at: merchant.at() }),
        409,
        'duplicate_event_conflict',
        'never',
      );
    });
    expect(later).toEqual({ postback_log: '2 new' });
  }
});

test('an event rejected for a future time stays burned when that time has come [Errors, 500]', async () => {
  const subscriber = await bound();
  const body = subscriber.paidInvoiceBody({ occurred_at: merchant.at(hourMs) });
  expectRefused(await merchant.post(paths.reportInvoice, body), 422, 'invalid_occurred_at', 'never');
  await merchant.moveClock('1h');
  expectRefused(await merchant.post(paths.reportInvoice, body), 500, 'duplicate_event', 'never');
});

type InvalidField = readonly [what: string, fields: Readonly<Record<string, unknown>>, field: string, message: string];
const above = 'eligible_amount_minor_units is 4901, which is more than the total of 4900.';
const whole = `amount_paid_minor_units must be a whole number of cents from 0 to ${Number.MAX_SAFE_INTEGER}.`;
const invalidFields: readonly InvalidField[] = [
  ['no invoice_id', { invoice_id: '' }, '/invoice_id', 'invoice_id is required.'],
  ['no time', { occurred_at: null }, '/occurred_at', 'occurred_at is required.'],
  ['no amount', { amount_paid_minor_units: null }, '/amount_paid_minor_units', 'amount_paid_minor_units is required.'],
  ['an amount as text', { amount_paid_minor_units: '4900' }, '/amount_paid_minor_units', whole],
  ['more eligible than paid', { eligible_amount_minor_units: 4_901 }, '/eligible_amount_minor_units', above],
  [
    'another state',
    { payment_state: 'refunded' },
    '/payment_state',
    'payment_state must be one of paid, failed, open, void, uncollectible.',
  ],
  ['no environment', { environment: undefined }, '/environment', 'environment is required.'],
];
test.each(invalidFields)('%s: invalid_payload, and nothing is burned [Errors, 400]', async (_what, fields, field, message) => {
  const subscriber = await bound();
  const good = subscriber.paidInvoiceBody();
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.reportInvoice, { ...good, ...fields }), 400, 'invalid_payload', {
      retry: 'never',
      field,
      message,
    });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect((await merchant.post(paths.reportInvoice, good)).status).toBe(200);
});

test('a click in a billing event is 400 unexpected_click_id, and nothing is burned [billing event request]', async () => {
  const subscriber = await bound();
  const good = subscriber.paidInvoiceBody();
  const message = 'A billing event must not have a click_id. The click was sent once, when the subscription was bound.';
  const rows = await rowsWritten(merchant.database, async () => {
    const response = await merchant.post(paths.reportInvoice, { ...good, click_id: await merchant.click() });
    expectRefused(response, 400, 'unexpected_click_id', { retry: 'never', field: '/click_id', message });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect((await merchant.post(paths.reportInvoice, { ...good, click_id: null })).status).toBe(200);
});

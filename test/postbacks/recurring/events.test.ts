import { expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone, otherMerchant, type Merchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { uniqueId, paths, subscriberOf } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

type Operation = keyof typeof paths;
const operations = Object.keys(paths).filter((name): name is Operation => name in paths);

/** A valid report of each operation, about one subscription with a paid invoice. */
async function reports(of: Merchant, event_id: string) {
  const subscriber = subscriberOf(of);
  const click_id = await of.click();
  await subscriber.bind({ click_id });
  await subscriber.reportInvoice({ invoice_id: 'in-0' });
  return {
    bind: await subscriber.bindBody({ event_id, click_id }),
    reportInvoice: subscriber.paidInvoiceBody({ event_id, invoice_id: 'in-1' }),
    refund: subscriber.refundBody({ event_id, invoice_id: 'in-0' }),
    end: subscriber.endBody({ event_id }),
  };
}

test.each(operations)(
  'an event_id is one event across the four operations: used by %s, it conflicts in every other [Errors, 409]',
  async (first) => {
    const bodies = await reports(merchant, uniqueId('shared'));
    expect((await merchant.post(paths[first], bodies[first])).status).toBe(200);
    for (const other of operations.filter((name) => name !== first)) {
      const rows = await rowsWritten(merchant.database, async () => {
        expectRefused(await merchant.post(paths[other], bodies[other]), 409, 'duplicate_event_conflict', 'never');
      });
      expect(rows).toEqual({ postback_log: '1 new' });
    }
    expect((await merchant.post(paths[first], bodies[first])).headers.get('idempotent-replayed')).toBe('true');
  },
);

test('an event that one operation burned conflicts in the others and stays burned in its own [Errors, 500]', async () => {
  const bodies = await reports(merchant, uniqueId('burned'));
  const euro = { ...bodies.reportInvoice, currency: 'EUR' };
  expectRefused(await merchant.post(paths.reportInvoice, euro), 422, 'unsupported_pricing_currency', 'never');
  for (const other of ['bind', 'refund', 'end'] as const) {
    expectRefused(await merchant.post(paths[other], bodies[other]), 409, 'duplicate_event_conflict', 'never');
  }
  expectRefused(await merchant.post(paths.reportInvoice, euro), 500, 'duplicate_event', 'never');
});

test('events and orders of another store do not conflict [events]', async () => {
  const event_id = uniqueId('everywhere');
  const [ours, theirs] = [await reports(merchant, event_id), await reports(otherMerchant(merchant), event_id)];
  expect((await merchant.post(paths.end, ours.end)).status).toBe(200);
  expect((await otherMerchant(merchant).post(paths.end, theirs.end)).status).toBe(200);
  expect((await merchant.convert(await merchant.order({ order_id: event_id }))).json.reason).toBe('recorded');
});

test('IDs are compared exactly, including case, spaces and composed characters [relationship request, relationship_id]', async () => {
  const name = uniqueId('Sub é');
  await subscriberOf(merchant, name).bind();
  for (const other of [name.toLowerCase(), ` ${name}`, name.normalize('NFD')]) {
    const subscriber = subscriberOf(merchant, other);
    expect((await subscriber.end()).json.reason).toBe('unknown_relationship');
  }
});

test('IDs of 500 characters of four bytes each are stored as they were sent [Limits]', async () => {
  const long = '😀'.repeat(500);
  const subscriber = subscriberOf(merchant, long);
  expect((await subscriber.bind({ product_id: long, price_id: long, event_id: long })).json.reason).toBe('no_matching_subscription_rule');
  expect(
    (await subscriber.reportInvoice({ product_id: long, price_id: long, event_id: `a${long.slice(2)}`, invoice_id: long })).status,
  ).toBe(200);
  expect([(await subscriber.relationship()).relationshipId, (await subscriber.invoice(long)).invoiceId]).toEqual([long, long]);
});

test('a request that fails a request check burns nothing: no key, a closed integration, too large, not JSON [gates]', async () => {
  const { end } = await reports(merchant, uniqueId('gated'));
  const store = `/stores/${merchant.world.store.id}`;
  const stranger = { authorization: 'Bearer unknown' };
  expectRefused(await merchant.post(paths.end, end, stranger), 401, 'invalid_postback_key', 'never');
  expectRefused(await merchant.post(paths.end, { ...end, padding: 'x'.repeat(16_384) }), 413, 'payload_too_large', 'never');
  expectRefused(await merchant.post(paths.end, `${JSON.stringify(end)},`), 400, 'json_required', 'never');
  await merchant.api('POST', `${store}/integration/disable`, {});
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expectRefused(await merchant.post(paths.end, end), 403, 'integration_disabled', 'never');
  await merchant.api('POST', `${store}/integration/enable`, {});
  expect((await merchant.post(paths.end, end)).status).toBe(200);
});

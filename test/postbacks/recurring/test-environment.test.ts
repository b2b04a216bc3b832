import { afterAll, expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { paths, subscriberOf, type Subscriber } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const environment = 'test';
const testClick = async (): Promise<string> =>
  (await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {})).json.click_id;

async function boundTest(): Promise<Subscriber> {
  const subscriber = subscriberOf(merchant);
  const response = await subscriber.bind({ environment, click_id: await testClick(), product_id: 'no rule fits this' });
  expect([response.status, response.json.reason]).toEqual([200, 'recorded']);
  return subscriber;
}

test('a test runs all four operations, and affects neither money nor daily counts [States, verification]', async () => {
  const rows = await rowsWritten(merchant.database, async () => {
    const subscriber = await boundTest();
    const product = { product_id: 'no rule fits this' };
    const paid = await subscriber.reportInvoice({ environment, invoice_id: 'in-1', ...product });
    expect([paid.status, Object.keys(paid.json)]).toEqual([200, ['ok', 'reason', 'event_id', 'message']]);
    expect((await subscriber.reportInvoice({ environment, invoice_id: 'in-2', product_id: 'another' })).status).toBe(200);
    for (const invoice_id of ['in-1', 'in-2']) expect((await subscriber.refund({ environment, invoice_id })).json.reason).toBe('recorded');
    expect((await subscriber.refund({ environment, invoice_id: 'in-3' })).json.reason).toBe('unknown_invoice');
    expect((await subscriber.end({ environment })).json.reason).toBe('recorded');
    expect((await subscriber.reportInvoice({ environment, invoice_id: 'in-4', ...product })).json.reason).toBe('relationship_ended');
  });
  expect(rows).toEqual({
    subscription_events: '7 new',
    relationships: '1 new',
    relationship_invoices: '2 new',
    early_invoice_reversals: '1 new',
    postback_log: '8 new',
  });
});

test('a test is listed in the tracking log as a test, and in no list of subscriptions [States, verification]', async () => {
  const subscriber = await boundTest();
  const body = subscriber.endBody({ environment });
  await merchant.post(paths.end, body);
  expect((await merchant.logEntryOf(body.event_id)).isTest).toBe(true);
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/relationships?q=${subscriber.relationshipId}`);
  expect(json.data).toEqual([]);
});

test('a live report with a test click and a test report with an ordinary click do not match, and burn nothing [Errors, 409]', async () => {
  const subscriber = subscriberOf(merchant);
  const [live, test1] = [await subscriber.bindBody(), await subscriber.bindBody({ environment })];
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.bind, { ...live, click_id: await testClick() }), 409, 'environment_mismatch', 'never');
    expectRefused(await merchant.post(paths.bind, test1), 409, 'environment_mismatch', 'never');
  });
  expect(rows).toEqual({ postback_log: '2 new' });
  expect((await merchant.post(paths.bind, live)).status).toBe(200);
});

test('every operation about a relationship of the other environment is 409, and burns nothing [Errors, 409]', async () => {
  const tested = await boundTest();
  const live = subscriberOf(merchant);
  await live.bind();
  for (const [subscriber, wrong, right] of [
    [tested, 'live', 'test'],
    [live, 'test', 'live'],
  ] as const) {
    const invoice = subscriber.paidInvoiceBody({ environment: wrong, invoice_id: 'in-1' });
    const refund = subscriber.refundBody({ environment: wrong, invoice_id: 'in-1' });
    const end = subscriber.endBody({ environment: wrong });
    const reports = [
      [paths.reportInvoice, invoice],
      [paths.refund, refund],
      [paths.end, end],
    ] as const;
    for (const [path, body] of reports) {
      const rows = await rowsWritten(merchant.database, async () => {
        expectRefused(await merchant.post(path, body), 409, 'environment_mismatch', 'never');
      });
      expect(rows).toEqual({ postback_log: '1 new' });
    }
    for (const [path, body] of reports) expect((await merchant.post(path, { ...body, environment: right })).json.reason).toBe('recorded');
  }
});

test('a test link older than 24 hours binds nothing and burns nothing [Errors, 410]', async () => {
  const subscriber = subscriberOf(merchant);
  const body = await subscriber.bindBody({ environment, click_id: await testClick() });
  await merchant.moveClock('24h');
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post(paths.bind, body), 410, 'test_link_expired', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect((await merchant.post(paths.bind, { ...body, click_id: await testClick() })).json.reason).toBe('recorded');
});

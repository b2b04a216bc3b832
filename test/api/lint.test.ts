import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const lint = async (text: unknown, operation?: string): Promise<Json> => {
  const body = { text: typeof text === 'string' ? text : JSON.stringify(text), ...(operation === undefined ? {} : { operation }) };
  const { status, json } = await merchant.api('POST', `/stores/${merchant.world.store.id}/lint`, body);
  expect(status).toBe(200);
  return json;
};

async function rows(): Promise<string> {
  const tables = ['orders', 'commissions', 'transfers', 'postback_log', 'test_orders', 'order_reversals', 'early_reversals'];
  const counts = [...tables, 'relationships', 'subscription_events'].map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return JSON.stringify((await merchant.database.pool.query(`select ${counts.join(', ')}`)).rows);
}

test('predicts the response that the postback then gets, before and after it is sent', async () => {
  const order = await merchant.order();
  const before = await rows();
  const { answer: predicted, faults: errors, corrected } = await lint(order);
  expect([errors, corrected]).toEqual([[], null]);
  expect(await rows()).toBe(before);
  const response = await merchant.convert(order);
  expect([predicted.status, predicted.reason, predicted.body.ok]).toEqual([response.status, response.json.reason, true]);
  expect(predicted.explanation).toContain('10.01 USD');

  expect((await lint(order)).answer).toMatchObject({ status: 200, reason: 'duplicate_order' });
  expect((await lint({ ...order, order_subtotal_cents: 1 })).answer).toMatchObject({ status: 409, reason: 'duplicate_order_conflict' });
  expect((await lint({ ...order, order_id: 'another' })).answer).toMatchObject({ status: 422, reason: 'referral_click_already_converted' });
  expect((await lint({ order_id: order.order_id })).answer).toMatchObject({ status: 200, reason: 'recorded' });
  expect((await merchant.commissionOf(order.order_id)).state).toBe('pending');
  expect((await lint({ order_id: 'no-such-order' })).answer).toMatchObject({ status: 404, reason: 'unknown_order' });
});

test('each of the six reports is checked by its own decision', async () => {
  const event = { relationship_id: 'sub-1', event_id: 'e-1', environment: 'live', occurred_at: merchant.at() };
  const product = { product_id: 'plan-basic', price_id: 'price-monthly', currency: 'USD' };
  const bind = { ...event, ...product, click_id: await merchant.click() };
  const before = await rows();
  expect((await lint(bind, 'relationship')).answer.reason).toBe('recorded');
  const invoice = { ...event, ...product, invoice_id: 'in-1', payment_state: 'paid', amount_paid_minor_units: 900 };
  expect((await lint(invoice, 'billing_event')).answer.reason).toBe('unknown_relationship');
  expect((await lint({ ...event, invoice_id: 'in-1' }, 'invoice_reversal')).answer.reason).toBe('unknown_relationship');
  expect((await lint(event, 'relationship_end')).answer.reason).toBe('unknown_relationship');
  expect(await rows()).toBe(before);
});

test('a report whose row is locked is answered with a retry, and the findings are still returned', async () => {
  const order = await merchant.order();
  await merchant.convert(order);
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  const other = await merchant.database.connect('unbounded');
  try {
    await other.query('begin');
    await other.query('select 1 from commissions where store_id = $1 for update', [merchant.storeId]);
    await other.query('select 1 from relationships where store_id = $1 for update', [merchant.storeId]);
    for (const [body, operation] of [
      [{ order_id: order.order_id }, 'reversal'],
      [subscriber.paidInvoiceBody(), 'billing_event'],
      [subscriber.endBody(), 'relationship_end'],
    ] as const) {
      const { faults: errors, answer } = await lint(body, operation);
      expect([errors, answer.status, answer.reason]).toEqual([[], 503, 'temporarily_unavailable']);
    }
    await other.query('rollback');
  } finally {
    await other.end();
  }
  expect((await lint({ order_id: order.order_id })).answer.reason).toBe('recorded');
});

test('reports errors field by field, and the corrected body would be accepted', async () => {
  const { order_subtotal_cents: _cents, ...order } = await merchant.order();
  const { faults: errors, corrected, answer, warnings } = await lint({ ...order, order_subtotal_cents: 100.05, curency: 'USD' });
  expect(errors).toMatchObject([{ field: '/order_subtotal_cents', status: 400 }]);
  expect(answer).toMatchObject({ status: 400, reason: 'invalid_payload', body: { field: '/order_subtotal_cents' } });
  expect(warnings.map(({ field }: Json) => field)).toContain('/curency');
  expect(JSON.parse(corrected.body)).toMatchObject({ order_subtotal_cents: 10_005 });
  expect(corrected).toMatchObject({ faults: [], answer: { status: 200, reason: 'recorded' } });
});

test('a curl command is checked with the headers and the URL around its body', async () => {
  const { tracking_key: key } = merchant.world.store;
  const body = JSON.stringify(await merchant.order());
  const curl = (path: string, headers: string) =>
    `curl https://partners.example/api/partner-network/postbacks/${key}/${path} ${headers} -d '${body}'`;
  const bearer = '-H "Authorization: Bearer $KEY"';
  const json = '-H "Content-Type: application/json"';
  expect((await lint(curl('conversions', `${bearer} ${json}`))).answer).toMatchObject({ status: 200, reason: 'recorded' });
  expect((await lint(curl('conversions', json))).answer).toMatchObject({ status: 401, reason: 'missing_postback_key' });
  expect((await lint(curl('conversions', bearer))).answer).toMatchObject({ status: 400, reason: 'json_required' });
  expect((await lint(curl('conversion', `${bearer} ${json}`))).answer).toMatchObject({ status: 404, reason: 'not_found' });
});

test('asks for the type of a report that it cannot recognize, and guesses no response', async () => {
  expect(await lint({ hello: 1 })).toMatchObject({ operation: null, answer: null, corrected: null });
  expect(await lint('tea')).toMatchObject({ operation: null, faults: [{ reason: 'json_required' }], answer: null });
  expect((await lint('tea', 'reversal')).answer).toMatchObject({ status: 400, reason: 'json_required' });
});

test('a store with a disabled integration gets the response that says so', async () => {
  const { id } = merchant.world.store;
  await merchant.api('POST', `/stores/${id}/integration/disable`);
  expect((await lint(await merchant.order())).answer).toMatchObject({ status: 403, reason: 'integration_disabled' });
  await merchant.api('POST', `/stores/${id}/integration/enable`);
});

test('a text that the database cannot store is checked like any other', async () => {
  const { json } = await merchant.api('POST', `/stores/${merchant.world.store.id}/lint`, { text: '{"order_id":"\\u0000"}' });
  expect(json.answer).toMatchObject({ status: 400 });
  const { count } = await merchant.database.one<{ count: bigint }>(sql`select count(*) as count from early_reversals`);
  expect(Number(count)).toBe(0);
});

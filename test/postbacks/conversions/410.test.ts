import { afterAll, expect, test } from 'vitest';
import { readPublicId } from '../../../src/core/ids.ts';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { clickIn, merchantIn, openMerchant, type Json } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

const seeded = await openMerchant();
const { json: store } = await seeded.api('POST', '/stores', { name: 'Fresh store', site_url: 'https://fresh-shop.example' });
const { json: made } = await seeded.api('POST', `/stores/${store.id}/postback-keys`);
const own = { id: store.id, tracking_key: store.tracking_key, postback_key: made.key, site_url: store.site_url };
/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = merchantIn(seeded.service, { ...seeded.world, store: own });
afterAll(() => merchant.service.stop());

const storeJson = async (): Promise<Json> => (await merchant.api('GET', `/stores/${merchant.world.store.id}`)).json;
const testLink = async (): Promise<Json> => (await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {})).json;

test('a test order through a test link turns tracking on and never moves money [Endpoints, verification flow 1 to 4]', async () => {
  expect((await storeJson()).tracking_on).toBe(false);
  const link = await testLink();
  expect(link.click_id).toMatch(/^rmv_/);
  expect(clickIn(link.url), 'what the capture script stores').toBe(link.click_id);

  const order = await merchant.order({
    click_id: link.click_id,
    test: true,
    line_items: [{ product_id: 'a', amount_minor_units: 10_005, quantity: 1 }],
  });
  const first = await rowsWritten(merchant.database, async () => {
    const response = await merchant.convert(order);
    expect(readPublicId('ord', response.json.transaction_id)).not.toBeNull();
    expectAccepted(response, 'test_verified', { transaction_id: response.json.transaction_id });
  });
  expect(first).toEqual({ test_orders: '1 new', postback_log: '1 new', stores: '1 changed' });
  expect((await storeJson()).tracking_on).toBe(true);
  expect(await merchant.logEntryOf(order.order_id)).toMatchObject({ isTest: true, isReplay: false, reason: 'test_verified' });
});

test('decides a test order again each time, and compares it with nothing [Endpoints, verification flow 3]', async () => {
  const { click_id } = await testLink();
  const order = await merchant.order({ click_id, test: true });
  expect((await merchant.convert(order)).json.reason).toBe('test_verified');
  const rows = await rowsWritten(merchant.database, async () => {
    expect((await merchant.convert({ ...order, order_subtotal_cents: 1 })).json.reason).toBe('test_verified');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('a test link accepts orders for 24 hours; later orders are 410, and only the log entry is stored [Errors, 410]', async () => {
  const { click_id } = await testLink();
  await merchant.moveClock('23h');
  expect((await merchant.convert(await merchant.order({ click_id, test: true }))).json.reason).toBe('test_verified');
  await merchant.moveClock('1h');
  const order = await merchant.order({ click_id, test: true });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert(order), 410, 'test_link_expired', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect(await merchant.logEntryOf(order.order_id)).toMatchObject({ isTest: true, why: { expires_at: expect.any(String) } });
});

test('the reversal of a test order is accepted with its identifier and touches no money [Endpoints, verification flow 4]', async () => {
  const { click_id } = await testLink();
  const order = await merchant.order({ click_id, test: true });
  const { transaction_id } = (await merchant.convert(order)).json;
  const rows = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.reverse({ order_id: order.order_id }), 'recorded', { transaction_id });
    expectAccepted(await merchant.reverse({ order_id: order.order_id, reason: 'again' }), 'recorded', { transaction_id });
  });
  expect(rows).toEqual({ postback_log: '2 new' });
});

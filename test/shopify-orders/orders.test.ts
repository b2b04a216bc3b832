import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';
import { startShopify } from '../support/shopify-server.ts';
import { movedBy } from '../support/rows.ts';
import { connectOwnApp, deliver, postClick, processed, sell, shopName, type Webhook } from './shopify-shop.ts';

const shopify = await startShopify();
const shop = shopify.addShop(shopName);
const merchant = await openMerchant(await startTestService({ SHOPIFY_API: shopify.host }));
await merchant.moveClock('2d');
const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
expectSuccess(await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], codes: 'when_no_click' }));
expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'SPRING10', creator_id: merchant.world.creator.id }));
await merchant.moveClock('1h');
expectSuccess(await connectOwnApp(merchant));
afterAll(async () => {
  shopify.close();
  await merchant.service.stop();
});

const now = (): Date => new Date(merchant.at());
const clickEarlier = (): Promise<string> => merchant.clickAt(new Date(merchant.at(-60_000)));

/** Delivers the webhooks in turn, and returns what became of the order. */
async function deliverAll(orderId: string, ...webhooks: readonly Webhook[]): Promise<string> {
  for (const webhook of webhooks) expect(await deliver(merchant, webhook)).toBe(200);
  const shown = (await processed(merchant)).find(({ order_id: id }) => id === orderId);
  return `${shown?.state} ${shown?.reason ?? ''}`.trim();
}

test('a paid order earns by the click in its cart, once however often it is delivered', async () => {
  const order = sell(shop, { at: now(), click: await clickEarlier() });
  expect(await deliverAll(order.id, order.paid(), order.paid(), order.paid())).toBe('done');
  expect(await merchant.commissionOf(order.id)).toMatchObject({ state: 'pending', amountCents: 1_000n, eligibleCents: 10_000n });
});

test('an order that is named while it is read is read again, although the run of the second request found its row locked', async () => {
  const order = sell(shop, { at: now(), click: await clickEarlier() });
  const { beforeOrder } = shop;
  shop.beforeOrder = async () => {
    shop.beforeOrder = beforeOrder;
    await merchant.database.run(sql`
      update shopify_orders set requested_at = ${movedBy(sql`requested_at`, 1)}
      where store_id = ${merchant.storeId} and state = 'waiting'`);
  };
  expect(await deliverAll(order.id, order.paid())).toBe('done');
});

test('an order that Shop Pay or "Buy it now" made earns by the click of its line, or by the click that the pixel posted', async () => {
  const byLine = sell(shop, { at: now(), lineClick: await clickEarlier() });
  expect(await deliverAll(byLine.id, byLine.paid())).toBe('done');
  const before = sell(shop, { at: now() });
  expect(await postClick(merchant, before.checkoutToken, await clickEarlier())).toBe(204);
  expect(await deliverAll(before.id, before.paid())).toBe('done');
  const after = sell(shop, { at: now() });
  expect(await deliverAll(after.id, after.paid())).toBe('ignored no_click');
  expect(await postClick(merchant, after.checkoutToken, await clickEarlier())).toBe(204);
  expect((await processed(merchant)).find(({ order_id: id }) => id === after.id)).toMatchObject({ state: 'done' });
  for (const { id } of [byLine, before, after]) expect((await merchant.commissionOf(id)).amountCents).toBe(1_000n);
});

test('a discount code of a creator earns without a click, and codes of the shop itself are ignored', async () => {
  const byCode = sell(shop, { at: now(), codes: ['SPRING10'] });
  expect(await deliverAll(byCode.id, byCode.paid())).toBe('done');
  expect((await merchant.commissionOf(byCode.id)).amountCents).toBe(1_000n);
  const other = sell(shop, { at: now(), codes: ['WELCOME'] });
  expect(await deliverAll(other.id, other.paid())).toBe('ignored no_creator_code');
});

test('refunds and a cancellation count once, in any order of arrival, and a refund that comes first brings its order', async () => {
  const partly = sell(shop, { at: now(), click: await clickEarlier() });
  const refunded = partly.refund(2_000);
  expect(await deliverAll(partly.id, refunded, partly.paid(), refunded)).toBe('done');
  expect(await merchant.commissionOf(partly.id)).toMatchObject({ state: 'pending', amountCents: 800n });
  const whole = sell(shop, { at: now(), click: await clickEarlier() });
  expect(await deliverAll(whole.id, whole.paid(), whole.refund(2_000), whole.refund(8_000, { isWhole: true, paidBack: 9_300 }))).toBe(
    'done',
  );
  expect((await merchant.commissionOf(whole.id)).state).toBe('reversed');
  const cancelled = sell(shop, { at: now(), click: await clickEarlier() });
  cancelled.change({ cancelledAt: now().toISOString() });
  expect(await deliverAll(cancelled.id, cancelled.cancelled(), cancelled.paid())).toBe('done');
  expect((await merchant.commissionOf(cancelled.id)).state).toBe('reversed');
});

test('the tracking log names the order, and nothing that a webhook contains is stored', async () => {
  const order = sell(shop, { at: now(), click: await clickEarlier() });
  expect(await deliverAll(order.id, order.paid())).toBe('done');
  expect(await merchant.logEntryOf(order.id)).toMatchObject({
    operation: 'conversion',
    status: 200,
    requestId: `shopify order ${order.id}`,
  });
  const rows = await merchant.database.all(sql`select * from shopify_orders where store_id = ${merchant.storeId}`);
  expect(JSON.stringify(rows)).not.toMatch(/john|smith|example\.com|115310627314723954/i);
});

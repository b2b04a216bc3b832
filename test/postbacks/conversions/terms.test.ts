import { afterAll, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/core/time.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { merchantIn, openMerchant } from '../../support/merchant.ts';

const merchant = await openMerchant();
/** The commission of an order. The brackets in a title name the section of the interface, or our own decision, that the test verifies. */
const service = merchant.service;
afterAll(() => service.stop());

const fresh = async () => merchantIn(service, await service.seed());
const item = (product_id: string, amount_minor_units: number, quantity = 1) => ({ product_id, amount_minor_units, quantity });

test('a program that pays per product applies each line item’s own rule, up to its amount [Conversion request, line_items]', async () => {
  const click_id = await merchant.click(merchant.world.per_product.link_url);
  const lines = [item('sku-a', 1_010, 2), item('sku-b', 1_000, 3), item('sku-b', 100, 4), item('sku-c', 5_000)];
  const order = await merchant.order({ click_id, order_subtotal_cents: 8_000, eligible_amount_cents: 7_110, line_items: lines });
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
  // 5% of 10.10 is 0.505, rounded up to 0.51; 3 × 2.50; 4 × 2.50 are more than the line's 1.00; nothing.
  expect((await merchant.commissionOf(order.order_id)).amountCents).toBe(51n + 750n + 100n);
  const { why } = await merchant.logEntryOf(order.order_id);
  expect(why.earned.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual([51, 750, 100, 0]);
});

test('line items do not change the commission of a program that pays per order [Conversion request, line_items]', async () => {
  const order = await merchant.order({ line_items: [item('sku-a', 10_000), item('sku-b', 5)] });
  await merchant.convert(order);
  expect((await merchant.commissionOf(order.order_id)).amountCents).toBe(1_001n);
});

test('an order earns under the terms in force when it occurred, not when it is reported [decided: terms are versions]', async () => {
  const own = await fresh();
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  const before = await own.order();
  const reportedLate = await own.order({ occurred_at: own.at() });
  await own.convert(before);
  await own.moveClock('1h');
  const rules = { pays: 'order', order_rules: [{ basis_points: 2_500 }], subscription_rules: [] };
  expect((await own.api('POST', `${program}/terms`, rules)).status).toBe(201);
  expect((await own.api('PATCH', program, { attribution_days: 5, hold_days: 0 })).status).toBe(200);
  const after = await own.order();
  await own.convert(reportedLate);
  await own.convert(after);
  const commissions = [before, reportedLate, after].map(({ order_id }) => own.commissionOf(order_id));
  expect(await Promise.all(commissions)).toMatchObject([
    { amountCents: 1_001n, termsVersion: 1, attributionDays: 30, holdDays: 30 },
    { amountCents: 1_001n, termsVersion: 1, attributionDays: 30, holdDays: 30 },
    { amountCents: 2_501n, termsVersion: 3, attributionDays: 5, holdDays: 0 },
  ]);
});

test('a shorter attribution window applies only to orders that occur after it took effect [decided: row 10]', async () => {
  const own = await fresh();
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  const now = Date.parse(own.at());
  const clicked = new Date(now - 10 * dayMs);
  await own.moveClock('1h');
  await own.api('PATCH', program, { attribution_days: 5 });
  const late = await own.order({ click_id: await own.clickAt(clicked) });
  expectRefused(await own.convert(late), 422, 'attribution_window_expired', 'never');
  const earlier = await own.order({ click_id: await own.clickAt(clicked), occurred_at: new Date(now).toISOString() });
  expect((await own.convert(earlier)).json.reason).toBe('recorded');
});

test('scheduled terms apply from their start; before the first terms an order earns nothing [decided: terms are versions]', async () => {
  const own = await fresh();
  const rules = { pays: 'order', order_rules: [{ flat_cents: 700 }], subscription_rules: [], effective_from: own.at(2 * hourMs) };
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  expect((await own.api('POST', `${program}/terms`, rules)).status).toBe(201);
  const now = await own.order();
  await own.convert(now);
  const longBefore = new Date(Date.parse(own.at()) - dayMs);
  const first = await own.order({ click_id: await own.clickAt(longBefore), occurred_at: longBefore.toISOString() });
  await own.convert(first);
  await own.moveClock('3h');
  const later = await own.order();
  await own.convert(later);
  const commissions = [now, first, later].map(({ order_id }) => own.commissionOf(order_id));
  expect((await Promise.all(commissions)).map(({ amountCents }) => amountCents)).toEqual([1_001n, 0n, 700n]);
});

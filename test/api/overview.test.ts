import { afterAll, expect, test } from 'vitest';
import { openMerchant, otherMerchant } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const path = `/stores/${merchant.world.store.id}/overview`;

test('a store without events shows zeros, and no rate', async () => {
  const { json } = await merchant.api('GET', path);
  expect(json.totals).toMatchObject({ clicks: 0, orders: 0, revenue_cents: 0, effective_rate_basis_points: null });
  expect(json.days).toEqual([]);
  expect(json.waiting).toMatchObject({ to_review: 0, unpaid_invoices: 0, applications: 0, open_disputes: 0 });
  expect(json.tracking).toMatchObject({ status: 'active', tracking_on: true, last_postback_at: null, refused: [] });
});

test('counts clicks, orders, refunds, approvals, pending reviews, and the reasons of failed postbacks', async () => {
  const ids: string[] = [];
  for (const order_subtotal_cents of [10_000, 20_000, 30_000]) {
    const order = await merchant.order({ order_subtotal_cents });
    await merchant.convert(order);
    ids.push(order.order_id);
  }
  await merchant.click();
  await merchant.convert(await merchant.order({ click_id: null }));
  await merchant.convert(await merchant.order({ click_id: null }));
  await merchant.reverse({ order_id: ids[2] });
  await merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/approve`, { filter: { order_id: ids[0] } });

  const { json } = await merchant.api('GET', path);
  expect(json.totals).toMatchObject({
    clicks: 4,
    orders: 3,
    revenue_cents: 60_000,
    commission_cents: 6_000,
    refunds: 1,
    refunded_cents: 30_000,
    earned_cents: 3_000,
  });
  expect(json.totals).toMatchObject({ approved: 1, approved_cents: 1_000, effective_rate_basis_points: 1_000 });
  expect(json.waiting).toMatchObject({ to_review: 1, to_review_cents: 2_000 });
  expect(json.tracking.refused).toEqual([{ reason: 'missing_referral_click', count: 2 }]);
  expect(json.days).toHaveLength(1);
  const { totals, days } = json;
  expect(days[0].revenue_cents).toBe(totals.revenue_cents);
});

test('a range consists of days; events outside are not counted, and an invalid range is rejected', async () => {
  await merchant.moveClock('40d');
  expect((await merchant.api('GET', path)).json.totals.orders).toBe(0);
  const from = merchant.at(-60 * 86_400_000).slice(0, 10);
  expect((await merchant.api('GET', `${path}?from=${from}`)).json.totals.orders).toBe(3);
  const quarter = (await merchant.api('GET', `${path}?days=90`)).json;
  expect([quarter.from, quarter.to, quarter.totals.orders]).toEqual([
    merchant.at(-89 * 86_400_000).slice(0, 10),
    merchant.at().slice(0, 10),
    3,
  ]);
  expect((await merchant.api('GET', `${path}?days=7`)).json.totals.orders).toBe(0);
  expect((await merchant.api('GET', `${path}?from=2026-02-01&to=2026-01-01`)).status).toBe(400);
  expect((await merchant.api('GET', `${path}?from=yesterday`)).status).toBe(400);
  expect((await merchant.api('GET', `${path}?from=2026-02-31&to=2026-03-10`)).json.errors[0].field).toBe('from');
});

test('a comparison has the metrics of the days before, and says whether the store existed then', async () => {
  const before = (await merchant.api('GET', path)).json;
  expect(before.compared).toBeNull();
  const { json } = await merchant.api('GET', `${path}?days=30&compare=previous_period`);
  expect(json.compared).toMatchObject({ to: merchant.at(-30 * 86_400_000).slice(0, 10), is_complete: false });
  expect(json.compared.totals).toMatchObject({ orders: 3, revenue_cents: 60_000 });
  const year = (await merchant.api('GET', `${path}?days=30&compare=previous_year`)).json;
  expect(year.compared).toMatchObject({ is_complete: false, owed_cents: 0, days: [] });
  const today = merchant.at().slice(0, 10);
  const complete = (await merchant.api('GET', `${path}?from=${today}&to=${today}&compare=previous_period`)).json;
  expect(complete.compared.is_complete).toBe(true);
  expect((await merchant.api('GET', `${path}?compare=tomorrow`)).status).toBe(400);
});

test('the month to date begins on the first day of the month', async () => {
  const { json } = await merchant.api('GET', `${path}?period=month_to_date`);
  expect([json.from, json.to]).toEqual([`${merchant.at().slice(0, 8)}01`, merchant.at().slice(0, 10)]);
});

test('the amount owed to creators is the balance of the ledger', async () => {
  const { json } = await merchant.api('GET', path);
  const period = merchant.at().slice(0, 7);
  const statement = (await merchant.api('GET', `/stores/${merchant.world.store.id}/statement?period=${period}`)).json;
  expect(json.owed_cents).toBeGreaterThan(0);
  expect(json.owed_cents).toBe(statement.closing.to_creators_cents);
});

test("a store's totals exclude other stores", async () => {
  const other = otherMerchant(merchant);
  const { json } = await merchant.api('GET', `/stores/${other.world.store.id}/overview?from=${merchant.at(-60 * 86_400_000).slice(0, 10)}`);
  expect(json.totals.orders).toBe(0);
});

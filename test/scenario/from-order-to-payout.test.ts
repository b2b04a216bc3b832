import { afterAll, expect, test } from 'vitest';
import { openMerchant, type Json } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const reviewer = reviewerOf(merchant);
await merchant.moveToSpring();

const get = async (path: string): Promise<Json> => (await merchant.api('GET', path)).json;

test('an order becomes a payout: hold, approval, invoice, charge, and payment, and the books agree at each step', async () => {
  const creator = merchant.world.creator.id;
  const balance = () => get(`/creators/${creator}/balance`);
  const rightBooks = async () =>
    expect(await merchant.api('POST', '/ledger/verify')).toMatchObject({ json: { ok: true, differences: [] } });

  const sales = [await reviewer.sale({ order_subtotal_cents: 40_000 }), await reviewer.sale({ order_subtotal_cents: 20_000 })];
  const ids = sales.map(({ commissionId }) => commissionId);
  expect(await balance()).toMatchObject({ available_cents: 0, in_hold_cents: 6_000, waiting_for_merchant_cents: 0 });

  await reviewer.act('approve', { ids });
  await merchant.moveClock('31d');
  expect(await balance()).toMatchObject({
    in_hold_cents: 0,
    waiting_for_merchant_cents: 6_000,
    blocks: [{ reason: 'waiting_for_merchant', amount_cents: 6_000 }],
  });

  const billed = await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  expect(billed.json.invoices, billed.text).toMatchObject([{ state: 'paid' }]);
  await expect.poll(async () => (await balance()).available_cents).toBe(6_000);
  const { next_payout: next, blocks } = await balance();
  expect([next.amount_cents, blocks]).toEqual([6_000, []]);
  await rightBooks();

  await merchant.moveClock('15d');
  expect((await get(`/creators/${creator}/payouts`)).data).toMatchObject([
    { amount_cents: 6_000, state: 'paid', sent_at: expect.stringContaining(next.at.slice(0, 16)) },
  ]);
  expect(await Promise.all(ids.map((id) => reviewer.stateOf(id)))).toEqual(['paid', 'paid']);
  expect(await balance()).toMatchObject({ available_cents: 0, in_payout_cents: 0, paid_cents: 6_000, waiting_for_merchant_cents: 0 });
  await rightBooks();
});

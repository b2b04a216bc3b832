import { afterAll, expect, test } from 'vitest';
import { billerOf } from '../support/billing.ts';
import { approvedSale, linesOf, storyOf } from '../support/commission-story.ts';
import { merchantIn, openMerchant, type Json } from '../support/merchant.ts';

const first = await openMerchant();
afterAll(() => first.service.stop());

test('each of two commissions on one invoice shows its own share through a declined charge, the next charge, and the payout', async () => {
  const biller = billerOf(merchantIn(first.service, await first.service.seed()));
  const [small, large] = [await approvedSale(biller, 20_000), await approvedSale(biller, 30_000)];
  await biller.setPaymentMethod('declined');
  await biller.merchant.moveClock('31d');
  await biller.run({ minimum_cents: 0 });
  await biller.merchant.moveClock('4d');
  expect((await storyOf(biller, small)).charges.map(({ state }: Json) => state)).toContain('declined');
  await biller.setPaymentMethod('ok');
  const paid = await storyOf(biller, small);
  expect(paid.invoice).toMatchObject({ state: 'paid', number: 'INV-00001', lines_cents: 5_000 });
  expect(paid.charges.at(-1)).toMatchObject({ state: 'succeeded', amount_cents: 5_000 });
  expect(linesOf(paid)).toEqual([
    'order: expected from to_creators 2000',
    'invoice: owed from expected 2000',
    'charge: collected from owed 2000',
  ]);
  expect(linesOf(await storyOf(biller, large)).at(-1)).toBe('charge: collected from owed 3000');
  await biller.merchant.moveClock('31d');
  expect((await storyOf(biller, small)).payout).toMatchObject({ state: 'paid' });
});

import { afterAll, expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { billerOf, expectSuccess, type Biller } from '../support/billing.ts';
import { merchantIn, openMerchant, otherMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { approvedSale, linesOf, storyOf } from '../support/commission-story.ts';
import { subscriberOf } from '../support/subscriber.ts';

const first = await openMerchant();
afterAll(() => first.service.stop());

const fresh = async (): Promise<Biller> => billerOf(merchantIn(first.service, await first.service.seed()));

test('a commission without a decision has one history line', async () => {
  const biller = await fresh();
  const { commissionId } = await reviewerOf(biller.merchant).sale({ order_subtotal_cents: 20_000 });
  const story = await storyOf(biller, commissionId);
  expect(story).toMatchObject({ invoice: null, charges: [], credit_note: null, payout: null });
  expect(linesOf(story)).toEqual(['order: expected from to_creators 2000']);
});

test('the history lists a rejection, its undo, and a refund', async () => {
  const biller = await fresh();
  const reviewer = reviewerOf(biller.merchant);
  const { commissionId, orderId } = await reviewer.sale({ order_subtotal_cents: 20_000 });
  await reviewer.act('reject', { ids: [commissionId] });
  await reviewer.act('reopen', { ids: [commissionId] });
  await biller.merchant.reverse({ order_id: orderId });
  expect(linesOf(await storyOf(biller, commissionId))).toEqual([
    'order: expected from to_creators 2000',
    'decision: to_creators from expected 2000',
    'decision: expected from to_creators 2000',
    'reversal: to_creators from expected 2000',
  ]);
});

test('the history shows a credit note after the payment with its line and its reason', async () => {
  const biller = await fresh();
  const id = await approvedSale(biller, 20_000);
  await biller.merchant.moveClock('31d');
  await biller.run({ minimum_cents: 0 });
  await biller.merchant.moveClock('4d');
  const [invoice] = await biller.invoices();
  expect(invoice.state).toBe('paid');
  expectSuccess(
    await biller.merchant.api('POST', `${biller.store}/invoices/${invoice.id}/credit-notes`, { commission_ids: [id], reason: 'returned' }),
  );
  const story = await storyOf(biller, id);
  expect(story.credit_note).toMatchObject({ number: 'CN-00001', kind: 'after', reason: 'returned', operator_bears: false });
  expect(linesOf(story).at(-1)).toBe('credit_note: to_creators from credit 2000');
});

test('a subscription payment and its refund each have a history line', async () => {
  const biller = await fresh();
  const subscriber = subscriberOf(biller.merchant);
  await subscriber.bind();
  const invoice = subscriber.paidInvoiceBody();
  expect((await biller.merchant.post('v2/recurring/billing-events', invoice)).status).toBe(200);
  const { commissionId, amountCents } = await subscriber.commission(invoice.invoice_id);
  await subscriber.refund({ invoice_id: invoice.invoice_id });
  expect(linesOf(await storyOf(biller, publicId('com', commissionId)))).toEqual([
    `billing_event: expected from to_creators ${amountCents}`,
    `reversal: to_creators from expected ${amountCents}`,
  ]);
});

test("another store's commission is not found", async () => {
  const biller = await fresh();
  const { commissionId } = await reviewerOf(biller.merchant).sale();
  const other = otherMerchant(biller.merchant);
  expect((await biller.merchant.api('GET', `/stores/${other.world.store.id}/commissions/${commissionId}/story`)).status).toBe(404);
});

import { afterAll, afterEach, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { newId, readPublicId } from '../../../src/core/ids.ts';
import { insertDraft } from '../../../src/billing/invoices-sql.ts';
import { loseDispute } from '../../../src/billing/chargebacks.ts';
import { listUndeliveredEntries } from '../../../src/commissions/creator-outbox-sql.ts';
import { deliverEarnings } from '../../../src/payouts/deliver-earnings.ts';
import { openProviders } from '../../../src/payments/providers.ts';
import { anotherBiller, differences, expectSuccess, latestInvoice, type Biller } from '../../support/billing.ts';
import { openMerchantAlone, type ApiResponse, type Json } from '../../support/merchant.ts';

/** Refunds of orders whose commission is on an invoice of ours. */
const first = await openMerchantAlone();
afterAll(() => first.service.stop());
expectSuccess(await first.api('PUT', '/billing-settings', { fee_basis_points: 1_000 }));
afterEach(async () => {
  const found = await differences(first);
  if (found.length > 0) throw new Error(`verification found differences: ${JSON.stringify(found)}`);
});

type Sold = { readonly orderId: string; readonly commissionId: string };

/** Orders of these amounts, of which a tenth is earned, approved and past their refund hold. */
async function sell({ merchant, store }: Biller, ...subtotals: readonly number[]): Promise<readonly Sold[]> {
  const sold: Sold[] = [];
  for (const order_subtotal_cents of subtotals) {
    const order = await merchant.order({ order_subtotal_cents });
    const { json } = await merchant.convert(order);
    sold.push({ orderId: order.order_id, commissionId: json.conversion_id });
  }
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
  await merchant.moveClock('31d');
  return sold;
}

let refunds = 0;
const refund = ({ merchant }: Biller, order_id: string, amount_cents: number, fields: Json = {}): Promise<ApiResponse> =>
  merchant.post('v2/orders/refunds', { refund_id: `r ${(refunds += 1)}`, order_id, amount_cents, occurred_at: merchant.at(), ...fields });

const commission = async ({ merchant }: Biller, orderId: string) => {
  const { state, amountCents } = await merchant.commissionOf(orderId);
  return `${state} ${amountCents}`;
};
const notes = async ({ merchant, store }: Biller): Promise<Json> => (await merchant.api('GET', `${store}/credit-notes`)).json.data;
const creditLeft = async ({ merchant, store }: Biller): Promise<number> =>
  expectSuccess(await merchant.api('GET', `${store}/billing`)).json.credit_left_cents;
/** Delivers what stores collected to the creators' books, which a job does otherwise. */
const available = async ({ merchant }: Biller): Promise<number> => {
  const { platform } = merchant.service;
  await deliverEarnings(platform, platform.clock.now());
  return (await merchant.api('GET', `/creators/${merchant.world.creator.id}/balance`)).json.available_cents;
};

async function billed(...subtotals: readonly number[]) {
  const biller = await anotherBiller(first);
  await biller.setPaymentMethod('declined');
  const sold = await sell(biller, ...subtotals);
  await biller.run();
  return { biller, orders: sold.map(({ orderId }) => orderId), sold };
}

async function collected(...subtotals: readonly number[]) {
  const biller = await anotherBiller(first);
  const sold = await sell(biller, ...subtotals);
  await biller.run();
  return { biller, orders: sold.map(({ orderId }) => orderId), sold };
}

test('of a billed and unpaid commission credits its line with the fee, and less is charged', async () => {
  const { biller, orders, sold } = await billed(10_000, 20_000);
  const [order = ''] = orders;
  expect((await refund(biller, order, 2_500, { refund_id: 'refund-7', reason: 'returned' })).json).toMatchObject({
    reason: 'recorded',
    remaining_cents: 7_500,
  });
  expect(await commission(biller, order)).toBe('billed 750');
  expect(await notes(biller)).toMatchObject([
    {
      number: 'CN-00001',
      kind: 'before',
      lines_cents: 250,
      fee_cents: 25,
      credit_returned_cents: 0,
      reason: 'Refund refund-7: returned',
      lines: [{ commission_id: sold[0]?.commissionId, amount_cents: 250, operator_bears: false }],
    },
  ]);
  await refund(biller, order, 500);
  expect(await commission(biller, order)).toBe('billed 700');
  await biller.setPaymentMethod('ok');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'paid', total_cents: 3_300, credited_cents: 330, due_cents: 0 });
  expect(await biller.chargedAmounts()).toEqual([2_970]);
  expect(await available(biller)).toBe(2_700);
});

test('of everything that was billed reverses the commission, and voids an invoice of which nothing is left', async () => {
  const { biller, orders } = await billed(10_000);
  const [order = ''] = orders;
  await refund(biller, order, 4_000);
  expect((await refund(biller, order, 6_000)).json).toMatchObject({ reason: 'recorded', remaining_cents: 0 });
  expect(await commission(biller, order)).toBe('reversed 600');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'void', due_cents: 0 });
  expect((await biller.merchant.reverse({ order_id: order })).json.reason).toBe('paid_conversion_not_auto_reversed');
});

test('that leaves no cent of a billed commission reverses it, and further refunds of the order only count', async () => {
  const { biller, orders } = await billed(10_000, 30_000);
  const [order = ''] = orders;
  await refund(biller, order, 9_997);
  expect(await commission(biller, order)).toBe('reversed 1000');
  expect((await refund(biller, order, 2)).json).toMatchObject({ reason: 'recorded', remaining_cents: 1 });
  expect((await refund(biller, order, 2)).json).toMatchObject({ reason: 'refund_exceeds_remaining_amount', remaining_cents: 1 });
  expect(await commission(biller, order)).toBe('reversed 1000');
});

test('of a collected commission lowers what the creator can be paid, and gives the store credit for its next invoice', async () => {
  const { biller, orders } = await collected(10_000, 20_000);
  const [order = ''] = orders;
  expect(await available(biller)).toBe(3_000);
  await refund(biller, order, 2_500);
  await refund(biller, order, 500);
  expect(await commission(biller, order)).toBe('collected 700');
  expect(await available(biller)).toBe(2_700);
  expect(await creditLeft(biller)).toBe(330);
  expect((await notes(biller)).map(({ kind, lines_cents: lines, fee_cents: fee }: Json) => [kind, lines, fee])).toEqual([
    ['after', 50, 5],
    ['after', 250, 25],
  ]);
  await sell(biller, 30_000);
  await biller.run();
  expect(await latestInvoice(biller)).toMatchObject({ state: 'paid', total_cents: 3_300 - 330 });
});

test('is never paid out: a payout that was drafted right after it contains what remains', async () => {
  const { biller, orders } = await collected(100_000, 20_000);
  const [order = ''] = orders;
  await available(biller);
  await refund(biller, order, 25_000);
  expectSuccess(await biller.merchant.api('POST', '/payout-runs', { creator_id: biller.merchant.world.creator.id, minimum_cents: 0 }));
  const { json } = await biller.merchant.api('GET', `/creators/${biller.merchant.world.creator.id}/payouts`);
  expect(json.data).toMatchObject([{ amount_cents: 9_500 }]);
});

/** Gives the store's undelivered entries IDs in the opposite order, as processes write them whose clocks differ. */
async function reverseEntryIds({ merchant }: Biller): Promise<readonly string[]> {
  const { database, storeId } = merchant;
  const entries = await listUndeliveredEntries(database, storeId, 100);
  const now = merchant.service.platform.clock.now();
  for (const [place, { entryId }] of entries.entries()) {
    const lower = newId(new Date(now.getTime() - place));
    await database.run(sql`update creator_outbox set entry_id = ${lower} where store_id = ${storeId} and entry_id = ${entryId}`);
  }
  return entries.map(({ kind }) => kind).toReversed();
}

test('reaches the creator’s book when the ID of its entry is lower than that of the collection', async () => {
  const { biller, orders } = await collected(10_000);
  const [order = ''] = orders;
  await refund(biller, order, 2_500);
  await refund(biller, order, 500);
  expect(await reverseEntryIds(biller)).toEqual(['refunded', 'refunded', 'collected']);
  expect(await available(biller)).toBe(700);
});

test('reaches the creator’s book when the ID of its entry is higher than that of a later chargeback', async () => {
  const { biller, orders } = await collected(10_000, 20_000);
  const [order = ''] = orders;
  expect(await available(biller)).toBe(3_000);
  await refund(biller, order, 2_000);
  const { platform } = first.service;
  const [reference = ''] = await biller.references();
  const dispute = { about: 'dispute_lost', eventId: `n ${reference}`, reference, at: platform.clock.now(), why: 'not recognised' } as const;
  await loseDispute({ platform, providers: openProviders(platform) }, dispute);
  expect(await reverseEntryIds(biller)).toEqual(['charged_back', 'charged_back', 'refunded']);
  expect(await available(biller)).toBe(0);
  await biller.setPaymentMethod('ok');
  await biller.run();
  expect(await available(biller)).toBe(2_800);
});

test('is read together with the collection that it reduces, however few entries are read in one transaction', async () => {
  const { biller, orders } = await collected(10_000);
  const [order = ''] = orders;
  await refund(biller, order, 2_500);
  const { database, storeId } = biller.merchant;
  expect((await listUndeliveredEntries(database, storeId, 1)).map(({ kind }) => kind)).toEqual(['collected', 'refunded']);
  await reverseEntryIds(biller);
  expect((await listUndeliveredEntries(database, storeId, 1)).map(({ kind }) => kind)).toEqual(['refunded', 'collected']);
  expect(await available(biller)).toBe(750);
});

test('of all of a collected commission reverses it, like an operator’s credit note', async () => {
  const { biller, orders } = await collected(10_000, 20_000);
  const [order = ''] = orders;
  await refund(biller, order, 1_000);
  await refund(biller, order, 9_000);
  expect(await commission(biller, order)).toBe('reversed 900');
  expect(await available(biller)).toBe(2_000);
  expect(await creditLeft(biller)).toBe(1_100);
});

test('of a commission in a payout is refused and burns nothing, and the operator’s credit note takes what is left', async () => {
  const { biller, orders, sold } = await collected(10_000, 20_000);
  const [order = ''] = orders;
  await refund(biller, order, 2_000);
  const { database, storeId } = biller.merchant;
  const commissionId = readPublicId('com', sold[0]?.commissionId ?? '');
  await database.run(
    sql`update commissions set payout_id = ${newId(new Date())} where store_id = ${storeId} and commission_id = ${commissionId}`,
  );
  const late = { refund_id: 'late' };
  expect(await refund(biller, order, 1_000, late)).toMatchObject({
    status: 422,
    json: { reason: 'paid_conversion_not_auto_reversed', retry: 'never' },
  });
  const bearing = { commission_ids: [sold[0]?.commissionId], reason: 'late refund', operator_bears: true };
  const path = `${biller.store}/invoices/${(await latestInvoice(biller)).id}/credit-notes`;
  expect(expectSuccess(await biller.merchant.api('POST', path, bearing)).json.credit_notes).toMatchObject([{ lines_cents: 800 }]);
  await database.run(sql`update commissions set payout_id = null where store_id = ${storeId} and commission_id = ${commissionId}`);
});

test('while the invoice is a draft, or its charge is unfinished, is to be sent again', async () => {
  const { biller, orders } = await billed(10_000);
  const [order = ''] = orders;
  const { database, storeId } = biller.merchant;
  const later = { status: 500, json: { reason: 'invoice_in_progress', retry: 'daily' } };
  const invoice = await latestInvoice(biller);
  await database.run(sql`update invoices set state = 'unknown' where store_id = ${storeId}`);
  expect(await refund(biller, order, 1_000, { refund_id: 'again', occurred_at: invoice.issued_at })).toMatchObject(later);
  await database.run(sql`update invoices set state = 'retrying' where store_id = ${storeId}`);
  const draft = await database.transaction((tx) => insertDraft(tx, storeId, new Date(first.at())));
  await database.run(sql`update commissions set invoice_id = ${draft} where store_id = ${storeId}`);
  expect(await refund(biller, order, 1_000, { refund_id: 'again', occurred_at: invoice.issued_at })).toMatchObject(later);
  await database.run(sql`update commissions set invoice_id = ${readPublicId('inv', invoice.id)} where store_id = ${storeId}`);
  await database.run(sql`delete from invoices where store_id = ${storeId} and invoice_id = ${draft}`);
  expect((await refund(biller, order, 1_000, { refund_id: 'again', occurred_at: invoice.issued_at })).json.reason).toBe('recorded');
});

test('after the store’s payment was taken back is refused, and earlier refunds stay when the store pays again', async () => {
  const { biller, orders } = await collected(10_000, 20_000);
  const [order = ''] = orders;
  await refund(biller, order, 2_000);
  await available(biller);
  const { platform } = first.service;
  const [reference = ''] = await biller.references();
  const at = platform.clock.now();
  const money = { platform, providers: openProviders(platform) };
  await loseDispute(money, { about: 'dispute_lost', eventId: `n ${reference}`, reference, at, why: 'not recognised' });
  expect(await commission(biller, order)).toBe('billed 800');
  expect((await refund(biller, order, 1_000)).json.reason).toBe('paid_conversion_not_auto_reversed');
  expect(await differences(first)).toEqual([]);
  await biller.setPaymentMethod('ok');
  await biller.run();
  expect(await commission(biller, order)).toBe('collected 800');
  expect(await available(biller)).toBe(2_800);
  expect((await refund(biller, order, 1_000)).json.reason).toBe('recorded');
  expect(await commission(biller, order)).toBe('collected 700');
});

import { afterAll, expect, test } from 'vitest';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId, readPublicId } from '../../src/core/ids.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { anotherBiller, type Biller, differences, expectSuccess, latestInvoice } from '../support/billing.ts';
import { type Json, openMerchantAlone } from '../support/merchant.ts';

/** Ways to reverse parts of an invoice: an operator's credit note, and a lost card dispute. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 1_000 }));

const fresh = (): Promise<Biller> => anotherBiller(merchant);

const credit = async (biller: Biller, ids: readonly string[], fields: object = {}): Promise<Json> =>
  expectSuccess(
    await biller.merchant.api('POST', `${biller.store}/invoices/${(await latestInvoice(biller)).id}/credit-notes`, {
      commission_ids: ids,
      reason: 'refunded',
      ...fields,
    }),
  ).json;

/** Puts the commission into a payout directly, as a payout run would. */
const putInPayout = ({ merchant: { database, storeId } }: Biller, id: string) =>
  database.run(sql`
    update commissions set payout_id = ${newId(new Date())} where store_id = ${storeId} and commission_id = ${readPublicId('com', id)}`);

async function dispute(biller: Biller, charge: string): Promise<string> {
  const { platform } = biller.merchant.service;
  const money = { platform, providers: openProviders(platform) };
  const at = platform.clock.now();
  return loseDispute(money, { about: 'dispute_lost', eventId: `n ${charge}`, reference: charge, at, why: 'not recognised' });
}

const creditLeft = async (biller: Biller): Promise<number> =>
  expectSuccess(await biller.merchant.api('GET', `${biller.store}/billing`)).json.credit_left_cents;

test('credits a line with its fee before the invoice is paid, and charges less', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('declined');
  const [first = ''] = await biller.billable(1_000, 2_000);
  await biller.run();
  expect(await credit(biller, [first, 'com_x'])).toMatchObject({
    invoice_state: 'retrying',
    credit_notes: [{ number: 'CN-00001', kind: 'before', lines_cents: 1_000, fee_cents: 100, credit_returned_cents: 0 }],
    results: { [first]: 'ok', com_x: 'not_found' },
  });
  expect((await credit(biller, [first])).credit_notes).toEqual([]);
  const { json: listed } = await biller.merchant.api('GET', `${biller.store}/credit-notes`);
  expect(listed.data).toMatchObject([
    { number: 'CN-00001', lines: [{ commission_id: first, amount_cents: 1_000, operator_bears: false }] },
  ]);
  await biller.setPaymentMethod('ok');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'paid', total_cents: 3_300, due_cents: 0, credited_cents: 1_100 });
  expect([await biller.chargedAmounts(), await biller.states()]).toEqual([[2_200], { collected: 1, reversed: 1 }]);
  expect(await differences(biller.merchant)).toEqual([]);
});

test('voids a wholly credited invoice; waives a rest below the minimum charge and collects the other lines', async () => {
  const voided = await fresh();
  await voided.setPaymentMethod('declined');
  const all = await voided.billable(1_000, 2_000);
  await voided.run();
  expect(await credit(voided, all)).toMatchObject({ invoice_state: 'void' });
  await voided.setPaymentMethod('ok');
  expect([await voided.chargedAmounts(), await voided.states()]).toEqual([[], { reversed: 2 }]);

  const waived = await fresh();
  await waived.setPaymentMethod('declined');
  const [large = ''] = await waived.billable(2_000, 40);
  await waived.run();
  expect(await credit(waived, [large])).toMatchObject({ invoice_state: 'paid' });
  expect(await latestInvoice(waived)).toMatchObject({ written_off_cents: 44, due_cents: 0 });
  expect([await waived.chargedAmounts(), await waived.states()]).toEqual([[], { collected: 1, reversed: 1 }]);
  expect(await differences(waived.merchant)).toEqual([]);
});

test('credits a paid line on the next invoice, and charges nothing if credit covers that invoice', async () => {
  const biller = await fresh();
  const [first = '', second = ''] = await biller.billable(3_000, 1_000);
  await biller.run();
  expect((await credit(biller, [first])).credit_notes).toMatchObject([{ kind: 'after', lines_cents: 3_000, fee_cents: 300 }]);
  expect([await creditLeft(biller), await biller.states()]).toEqual([3_300, { collected: 1, reversed: 1 }]);
  expect(await biller.outbox()).toEqual([
    { kind: 'collected', count: 2, cents: 4_000 },
    { kind: 'credited', count: 1, cents: 3_000 },
  ]);
  await biller.billable(2_000);
  expect(await biller.run({ minimum_cents: 0 })).toMatchObject([{ state: 'paid', total_cents: 0 }]);
  expect([await creditLeft(biller), await biller.chargedAmounts()]).toEqual([1_100, [4_400]]);
  await biller.billable(5_000);
  expect(await biller.run()).toMatchObject([{ state: 'paid', total_cents: 4_400 }]);
  expect([await creditLeft(biller), await biller.chargedAmounts()]).toEqual([0, [4_400, 4_400]]);
  expect(second).not.toBe('');
  expect(await differences(biller.merchant)).toEqual([]);
});

test('returns the credit that an unpaid invoice used when its lines are credited', async () => {
  const biller = await fresh();
  const [first = ''] = await biller.billable(3_000);
  await biller.run();
  await credit(biller, [first]);
  await biller.setPaymentMethod('declined');
  const [second = '', third = ''] = await biller.billable(4_000, 1_000);
  expect(await biller.run()).toMatchObject([{ state: 'retrying', total_cents: 2_200 }]);
  expect(await creditLeft(biller)).toBe(0);
  expect(await credit(biller, [second])).toMatchObject({
    invoice_state: 'paid',
    credit_notes: [{ lines_cents: 4_000, fee_cents: 400, credit_returned_cents: 2_200 }],
  });
  expect([await creditLeft(biller), await biller.states()]).toEqual([2_200, { collected: 1, reversed: 2 }]);
  expect(third).not.toBe('');
  expect(await differences(biller.merchant)).toEqual([]);
});

test('credits a line that is in a payout only if the operator bears it, and the creator keeps the money', async () => {
  const biller = await fresh();
  const [paid = '', free = ''] = await biller.billable(1_000, 1_000);
  await biller.run();
  await putInPayout(biller, paid);
  expect((await credit(biller, [paid, free])).results).toEqual({ [paid]: 'conflict', [free]: 'ok' });
  expect((await credit(biller, [paid], { operator_bears: true })).results).toEqual({ [paid]: 'ok' });
  expect([await creditLeft(biller), await biller.states()]).toEqual([2_200, { collected: 1, reversed: 1 }]);
  expect((await biller.outbox()).map(({ kind, cents }) => `${kind} ${cents}`)).toEqual(['collected 2000', 'credited 1000']);
});

test('credits a part of a line that is in a payout for a partial refund, and the creator keeps the money', async () => {
  const biller = await fresh();
  const [paid = ''] = await biller.billable(1_000, 2_000);
  await biller.run();
  await putInPayout(biller, paid);
  const path = `${biller.store}/commissions/${paid}/late-refunds`;
  const refund = { refund_id: 'r-1', amount_cents: 100, reason: 'returned' };
  expect(await biller.merchant.api('POST', path, refund)).toMatchObject({
    status: 201,
    json: { credit_note: { number: 'CN-00001', kind: 'after' }, commission_cents: expect.any(Number) },
  });
  expect((await biller.merchant.api('POST', path, refund)).status).toBe(409);
  expect(await biller.states()).toEqual({ collected: 2 });
});

test('answers 409 to a credit note while a charge is unfinished', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('timeout_then_ok');
  const [id = ''] = await biller.billable(1_000);
  await biller.run();
  const path = `${biller.store}/invoices/${(await latestInvoice(biller)).id}/credit-notes`;
  const came = await biller.merchant.api('POST', path, { commission_ids: [id], reason: 'refunded' });
  expect([came.status, came.json.reason]).toEqual([409, 'conflict']);
});

test('a lost dispute reopens the invoice once: commissions in a payout are advanced, and the others are invoiced again', async () => {
  const biller = await fresh();
  const [paid = '', free = '', later = ''] = await biller.billable(1_000, 2_000, 500);
  await biller.run();
  await putInPayout(biller, paid);
  await credit(biller, [later]);
  const { charges } = await latestInvoice(biller);
  const ends = [];
  for (let times = 0; times < 3; times += 1) ends.push(await dispute(biller, charges[0].id));
  expect(ends).toEqual(['applied', 'applied', 'applied']);
  expect(await latestInvoice(biller)).toMatchObject({ state: 'charged_back', due_cents: 3_850, paid_at: null });
  expect([await biller.status(), await biller.states(), free]).toEqual(['past_due', { billed: 1, collected: 1, reversed: 1 }, free]);
  expect((await biller.emails()).at(-1)).toContain('was disputed');
  const outbox = (await biller.outbox()).map(({ kind, cents }) => `${kind} ${cents}`);
  expect(outbox).toEqual(['advanced 1000', 'charged_back 2000', 'collected 3500', 'credited 500']);
  const own = async () => (await differences(biller.merchant)).filter((detail) => !/payout/.test(detail));
  expect(await own()).toEqual([]);

  // Only a new method charges it, and then as a whole, because the third commission was credited already.
  await biller.merchant.moveClock('10d');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'charged_back' });
  await biller.setPaymentMethod('ok');
  expect([(await latestInvoice(biller)).state, await biller.status(), await biller.chargedAmounts()]).toEqual([
    'paid',
    'active',
    [3_850, 3_850],
  ]);
  expect((await biller.outbox()).map(({ kind, cents }) => `${kind} ${cents}`)).toEqual([
    'advanced 1000',
    'charged_back 2000',
    'collected 5500',
    'credited 500',
    'repaid 1000',
  ]);
  expect(await own()).toEqual([]);
});

test('reports that a provider event is about an unknown charge', async () => {
  const biller = await fresh();
  expect(await dispute(biller, 'pay_something')).toBe('not_ours');
  expect(await dispute(biller, publicId('chg', newId<'chg'>(new Date())))).toBe('not_ours');
});

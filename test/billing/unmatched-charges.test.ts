import { afterAll, expect, test } from 'vitest';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { handleChargeEvent } from '../../src/billing/charge-invoice.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { anotherBiller, type Biller, differences, expectSuccess } from '../support/billing.ts';
import { type Json, openMerchantAlone } from '../support/merchant.ts';

/** Charges that match no open invoice. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const { platform } = merchant.service;
const money = { platform, providers: openProviders(platform) };

const strays = async (): Promise<readonly Json[]> => expectSuccess(await merchant.api('GET', '/stray-charges')).json.data;

/** An operator marks a charge declined too early, the invoice is charged again, and the first charge succeeds after all. */
async function paidTwice(): Promise<{ readonly biller: Biller; readonly first: string; readonly second: string }> {
  const biller = await anotherBiller(merchant);
  await biller.setPaymentMethod('timeout_done');
  await biller.billable(2_000);
  await biller.run();
  const [first = ''] = await biller.references();
  expectSuccess(await biller.merchant.api('POST', `${biller.store}/charges/${first}/settle`, { outcome: 'declined', note: 'so it says' }));
  await biller.setPaymentMethod('ok');
  // The provider's list lags behind.
  await merchant.moveClock('1m');
  expect(await handleChargeEvent(money, first, { is: 'pending', providerId: 'x' })).toBe('applied');
  const [, second = ''] = await biller.references();
  expect(await biller.chargedAmounts()).toEqual([2_000, 2_000]);
  return { biller, first, second };
}

test('operators and every verification see a duplicate charge until an operator marks it returned', async () => {
  const { biller, first } = await paidTwice();
  const { id: storeId } = biller.merchant.world.store;
  expect(await strays()).toMatchObject([{ id: first, store_id: storeId, amount_cents: 2_000, provider: 'sandbox' }]);
  expect(await differences(merchant)).toHaveLength(2);
  expect(await biller.emails(merchant.world.logins.operator.email)).toContain('Unmatched charge of 20.00 USD');
  const log = expectSuccess(await merchant.api('GET', '/audit-log?limit=20')).json.data;
  expect(log).toContainEqual(expect.objectContaining({ action: 'charge.stray', subject: first }));

  const giveBack = (id: string, body: object) => merchant.api('POST', `${biller.store}/charges/${id}/give-back`, body);
  expect((await giveBack(first, { note: ' ' })).status).toBe(400);
  expect((await biller.merchant.api('GET', `${biller.store}/invoices`)).json.data).toMatchObject([{ state: 'paid' }]);
  expectSuccess(await giveBack(first, { note: 're_1' }));
  expect((await giveBack(first, { note: 're_1' })).status).toBe(409);
  expect([await strays(), await differences(merchant)]).toEqual([[], []]);
});

test('rejects the return of a charge that pays for an invoice', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_500);
  await biller.run();
  const [paid = ''] = await biller.references();
  expect((await merchant.api('POST', `${biller.store}/charges/${paid}/give-back`, { note: 'why not' })).status).toBe(409);
});

test('if the charge that paid is reversed, an unmatched charge of the same amount pays, and nothing is left to return', async () => {
  const { biller, second } = await paidTwice();
  await loseDispute(money, {
    about: 'dispute_lost',
    eventId: 'n',
    reference: second,
    at: money.platform.clock.now(),
    why: 'not recognised',
  });
  expect([(await biller.invoices()).map(({ state }) => state), await strays(), await differences(merchant)]).toEqual([['paid'], [], []]);
});

test('a disputed unmatched charge counts as returned', async () => {
  const { biller, first } = await paidTwice();
  await loseDispute(money, { about: 'dispute_lost', eventId: 'm', reference: first, at: money.platform.clock.now(), why: 'twice' });
  expect([(await biller.invoices()).map(({ state }) => state), await strays(), await differences(merchant)]).toEqual([['paid'], [], []]);
});

test('if the charge that paid is reversed, an unmatched charge of another amount pays nothing and still has to be returned', async () => {
  const biller = await anotherBiller(merchant);
  const { api } = biller.merchant;
  await biller.setPaymentMethod('timeout_done');
  const [refunded] = await biller.billable(1_000, 2_000);
  await biller.run();
  const [first = ''] = await biller.references();
  expectSuccess(await api('POST', `${biller.store}/charges/${first}/settle`, { outcome: 'declined', note: 'so it says' }));
  const [invoice] = await biller.invoices();
  const note = { commission_ids: [refunded], reason: 'refunded' };
  expectSuccess(await api('POST', `${biller.store}/invoices/${invoice.id}/credit-notes`, note));
  await biller.setPaymentMethod('ok');
  await merchant.moveClock('1m');
  await handleChargeEvent(money, first, { is: 'pending', providerId: 'x' });
  const [, second = ''] = await biller.references();
  expect(await biller.chargedAmounts()).toEqual([3_000, 2_000]);
  await loseDispute(money, { about: 'dispute_lost', eventId: 'o', reference: second, at: money.platform.clock.now(), why: 'no' });
  expect([(await biller.invoices()).map(({ state }) => state), (await strays()).map(({ id }) => id)]).toEqual([['charged_back'], [first]]);
  expectSuccess(await merchant.api('POST', `${biller.store}/charges/${first}/give-back`, { note: 're_2' }));
  await biller.setPaymentMethod('ok');
  expect([await biller.chargedAmounts(), await strays(), await differences(merchant)]).toEqual([[3_000, 2_000, 2_000], [], []]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { disputeLost } from '../../src/billing/disputes.ts';
import { settleCharge } from '../../src/billing/settle-from-outside.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { anotherBiller, differences, good, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type Json, type Merchant } from '../support/merchant.ts';

/** Money that came in and that nobody owed. */
let merchant: Merchant;
let money: Money;
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
});
afterAll(() => merchant.service.stop());

const strays = async (): Promise<readonly Json[]> => good(await merchant.api('GET', '/stray-charges')).json.data;

/** A person said too early that it was declined; it was charged once more, and the first one turns out to have succeeded. */
async function paidTwice(): Promise<{ readonly biller: Biller; readonly first: string; readonly second: string }> {
  const biller = await anotherBiller(merchant);
  await biller.pays('timeout_done');
  await biller.billable(2_000);
  await biller.run();
  const [first = ''] = await biller.references();
  good(await biller.merchant.api('POST', `${biller.store}/charges/${first}/settle`, { outcome: 'declined', note: 'so it says' }));
  await biller.pays('ok');
  // The provider's own list lags behind.
  await merchant.moveClock('1m');
  expect(await settleCharge(money, first, { is: 'pending', providerId: 'x' })).toBe('done');
  const [, second = ''] = await biller.references();
  expect(await biller.taken()).toEqual([2_000, 2_000]);
  return { biller, first, second };
}

test('what came in twice stands before the operators, and in every verification, until somebody says it was sent back', async () => {
  const { biller, first } = await paidTwice();
  const { id: storeId } = biller.merchant.world.store;
  expect(await strays()).toMatchObject([{ id: first, store_id: storeId, amount_cents: 2_000, provider: 'sandbox' }]);
  expect(await differences(merchant)).toHaveLength(2);
  expect(await biller.mails(merchant.world.logins.operator.email)).toContain('20.00 USD came in that nobody owed');
  const log = good(await merchant.api('GET', '/audit-log?limit=20')).json.data;
  expect(log).toContainEqual(expect.objectContaining({ action: 'charge.stray', subject: first }));

  const giveBack = (id: string, body: object) => merchant.api('POST', `${biller.store}/charges/${id}/give-back`, body);
  expect((await giveBack(first, { note: ' ' })).status).toBe(400);
  expect((await biller.merchant.api('GET', `${biller.store}/invoices`)).json.data).toMatchObject([{ state: 'paid' }]);
  good(await giveBack(first, { note: 're_1' }));
  expect((await giveBack(first, { note: 're_1' })).status).toBe(409);
  expect([await strays(), await differences(merchant)]).toEqual([[], []]);
});

test('a charge that is owed is not given back', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_500);
  await biller.run();
  const [paid = ''] = await biller.references();
  expect((await merchant.api('POST', `${biller.store}/charges/${paid}/give-back`, { note: 'why not' })).status).toBe(409);
});

test('where the charge that paid is taken back, the stray one pays for it, and nothing is to be given back', async () => {
  const { biller, second } = await paidTwice();
  await disputeLost(money, {
    about: 'dispute_lost',
    newsId: 'n',
    reference: second,
    at: money.platform.clock.now(),
    why: 'not recognised',
  });
  expect([(await biller.invoices()).map(({ state }) => state), await strays(), await differences(merchant)]).toEqual([['paid'], [], []]);
});

test('a stray charge that is disputed went back by itself', async () => {
  const { biller, first } = await paidTwice();
  await disputeLost(money, { about: 'dispute_lost', newsId: 'm', reference: first, at: money.platform.clock.now(), why: 'twice' });
  expect([(await biller.invoices()).map(({ state }) => state), await strays(), await differences(merchant)]).toEqual([['paid'], [], []]);
});

test('where the charge that paid is taken back, a stray one of another amount pays nothing, and is still to be sent back', async () => {
  const biller = await anotherBiller(merchant);
  const { api } = biller.merchant;
  await biller.pays('timeout_done');
  const [refunded] = await biller.billable(1_000, 2_000);
  await biller.run();
  const [first = ''] = await biller.references();
  good(await api('POST', `${biller.store}/charges/${first}/settle`, { outcome: 'declined', note: 'so it says' }));
  const [invoice] = await biller.invoices();
  const note = { commission_ids: [refunded], reason: 'refunded' };
  good(await api('POST', `${biller.store}/invoices/${invoice.id}/credit-notes`, note));
  await biller.pays('ok');
  await merchant.moveClock('1m');
  await settleCharge(money, first, { is: 'pending', providerId: 'x' });
  const [, second = ''] = await biller.references();
  expect(await biller.taken()).toEqual([3_000, 2_000]);
  await disputeLost(money, { about: 'dispute_lost', newsId: 'o', reference: second, at: money.platform.clock.now(), why: 'no' });
  expect([(await biller.invoices()).map(({ state }) => state), (await strays()).map(({ id }) => id)]).toEqual([['charged_back'], [first]]);
  good(await merchant.api('POST', `${biller.store}/charges/${first}/give-back`, { note: 're_2' }));
  await biller.pays('ok');
  expect([await biller.taken(), await strays(), await differences(merchant)]).toEqual([[3_000, 2_000, 2_000], [], []]);
});

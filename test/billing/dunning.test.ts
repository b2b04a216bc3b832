import { afterAll, expect, test } from 'vitest';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { resumeBilling } from '../../src/billing/run-billing.ts';
import { setPaymentMethod } from '../../src/merchants/payment-methods-sql.ts';
import { minuteMs } from '../../src/core/time.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { takeUndescribed } from '../support/checked-fetch.ts';
import { anotherBiller, type Biller, differences } from '../support/billing.ts';
import { type Json, type Merchant, openMerchantAlone } from '../support/merchant.ts';

/** Charges that fail or are retried, and stores that are past due and pay later. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
await merchant.moveToNoon();

const fresh = (): Promise<Biller> => anotherBiller(merchant);
const stateOf = async (biller: Biller) => (await biller.invoices()).map(({ state }) => state).join(', ');

test('a store is past due after a week of declines: links earn nothing and creators are notified; a new method ends it', async () => {
  const biller = await fresh();
  const own = biller.merchant;
  await biller.setPaymentMethod('declined');
  await biller.billable(1_500);
  expect(await biller.run()).toMatchObject([{ state: 'retrying', total_cents: 1_500 }]);
  expect(await biller.states()).toEqual({ billed: 1 });
  const week: string[] = [];
  for (let day = 1; day <= 8; day += 1) {
    await own.moveClock('1d');
    const [invoice] = await biller.invoices();
    week.push(`${invoice.failures} ${invoice.state} ${await biller.status()}`);
  }
  expect(week).toEqual([
    '2 retrying active',
    '2 retrying active',
    '3 retrying active',
    '3 retrying active',
    '4 retrying active',
    '4 retrying active',
    '5 past_due past_due',
    '5 past_due past_due',
  ]);
  expect(await biller.chargedAmounts()).toEqual([]);
  expect((await biller.emails()).map((subject) => subject.replace(/^.*?: /, ''))).toEqual([
    'invoice INV-00001 for 15.00 USD',
    ...Array.from({ length: 4 }, () => 'payment of 15.00 USD failed'),
    expect.stringContaining('is past due'),
  ]);
  const emails = await biller.emails(own.world.logins.creator.email);
  expect(emails.filter((subject) => subject.endsWith('your links are paused'))).toHaveLength(1);

  const visit = await fetch(own.world.link.url.replace(/^https?:\/\/[^/]+/, own.service.url), { redirect: 'manual' });
  expect(visit.headers.get('location')).not.toContain('rm_click');

  // Nothing new is invoiced or charged meanwhile.
  await biller.billable(200_000);
  expect(await biller.run()).toEqual([]);
  await own.moveClock('2d');
  expect(await stateOf(biller)).toBe('past_due');

  await biller.setPaymentMethod('ok');
  expect(await stateOf(biller)).toBe('paid');
  expect([await biller.status(), await biller.chargedAmounts()]).toEqual(['active', [1_500]]);
  await own.moveClock('5d');
  expect(await biller.chargedAmounts()).toEqual([1_500, 200_000]);
  expect(await differences(own)).toEqual([]);
});

test('tries the backup first after a failed charge, and then the default method on the same day', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('insufficient_then_ok');
  await biller.setPaymentMethod('declined', true);
  await biller.billable(2_000);
  expect(await biller.run()).toMatchObject([{ state: 'retrying' }]);
  await biller.merchant.moveClock('1d');
  const [{ id, state }] = (await biller.invoices()) as [{ id: string; state: string }];
  expect(state).toBe('paid');
  expect(await chargesOf(biller, id)).toEqual(['declined', 'declined, backup', 'succeeded']);
  expect(await biller.chargedAmounts()).toEqual([2_000]);
});

async function chargesOf(biller: Biller, id: string): Promise<readonly string[]> {
  const { charges } = (await biller.merchant.api('GET', `${biller.store}/invoices/${id}`)).json;
  return charges.map((charge: { state: string; is_backup: boolean }) => `${charge.state}${charge.is_backup ? ', backup' : ''}`);
}

test('charges a reversed invoice to the backup first, and does not retry declined cards repeatedly', async () => {
  const { platform } = merchant.service;
  const money = { platform, providers: openProviders(platform) };
  const lifeOf = async (backup: string) => {
    const biller = await fresh();
    await biller.billable(2_000);
    await biller.run();
    await biller.setPaymentMethod('declined');
    const [reference = ''] = await biller.references();
    await loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference, at: platform.clock.now(), why: 'not recognised' });
    expect(await stateOf(biller)).toBe('charged_back');
    await biller.setPaymentMethod(backup, true);
    for (let minute = 0; minute < 3; minute += 1) await resumeBilling(money);
    const [{ id }] = (await biller.invoices()) as [{ id: string }];
    return [await stateOf(biller), await biller.status(), await chargesOf(biller, id)];
  };
  expect(await lifeOf('ok')).toEqual(['paid', 'active', ['succeeded', 'succeeded, backup']]);
  expect(await lifeOf('declined')).toEqual(['charged_back', 'past_due', ['succeeded', 'declined, backup', 'declined']]);
});

test('the audit log has a manual settlement even if charging the other method fails afterwards', async () => {
  const biller = await fresh();
  const { api, moveClock } = biller.merchant;
  const { crashPoints, clock } = merchant.service.platform;
  await biller.setPaymentMethod('insufficient_then_ok');
  await setPaymentMethod(merchant.database, {
    storeId: biller.merchant.storeId,
    provider: 'sandbox',
    instrument: 'never',
    isBackup: true,
    at: clock.now(),
  });
  await biller.billable(2_000);
  await biller.run();
  await moveClock('1d');
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const charges = async (): Promise<readonly Json[]> => (await api('GET', `${biller.store}/invoices/${id}`)).json.charges;
  const pending = (await charges()).find(({ state }) => state === 'pending');
  crashPoints.onReached = (point) => {
    if (point === 'billing: a charge is made') throw new Error('it breaks here');
  };
  const said = await api('POST', `${biller.store}/charges/${pending.id}/settle`, { outcome: 'declined', note: 'so it says' });
  crashPoints.onReached = () => {};
  expect([said.status, (await charges()).map(({ state }) => state)]).toEqual([500, ['declined', 'declined', 'ready']]);
  // The OpenAPI document describes no 500 response.
  expect(takeUndescribed()).toEqual([expect.stringContaining('answered 500')]);
  const { data } = (await api('GET', `${biller.store}/audit-log`)).json;
  expect(data.map(({ action }: Json) => action)).toContain('charge.settled_by_hand');
});

test('a card of a provider that is not configured is no failure of its store: the invoice waits and is charged once', async () => {
  const biller = await fresh();
  const { platform } = merchant.service;
  // Stripe is not configured, as if its key were missing after a restart.
  const gone = { storeId: biller.merchant.storeId, provider: 'stripe', instrument: 'cus_1|pm_1', at: platform.clock.now() } as const;
  await setPaymentMethod(platform.database, gone);
  await biller.billable(1_700);
  expect(await biller.run()).toMatchObject([{ state: 'issued' }]);
  await biller.merchant.moveClock('4d');
  expect(await biller.invoices()).toMatchObject([{ state: 'issued', failures: 0 }]);
  expect([await biller.status(), (await biller.emails()).length, await biller.references()]).toEqual(['active', 1, []]);
  await biller.setPaymentMethod('ok');
  expect([await stateOf(biller), await biller.chargedAmounts()]).toEqual(['paid', [1_700]]);
  expect(await differences(biller.merchant)).toEqual([]);
});

test('a store without a payment method fails like one with a declined card, and pays once it has a method', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('none at all');
  const { database, storeId } = biller.merchant;
  await database.pool.query('delete from payment_methods where store_id = $1', [storeId]);
  await biller.billable(2_000);
  expect(await biller.run()).toMatchObject([{ state: 'retrying' }]);
  await biller.merchant.moveClock('9d');
  expect([await stateOf(biller), await biller.status()]).toEqual(['past_due', 'past_due']);
  await biller.setPaymentMethod('ok', true);
  expect([await stateOf(biller), await biller.status()]).toEqual(['paid', 'active']);
});

/** Starts a month before the next 1st, less these four days, regardless of the current date. */
async function moveToTheFifth({ service, moveClock }: Merchant): Promise<void> {
  const now = service.platform.clock.now();
  const inThisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 5, 12);
  const fifth = inThisMonth > now.getTime() ? inThisMonth : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5, 12);
  await moveClock(`${Math.ceil((fifth - now.getTime()) / minuteMs)}m`);
}

test('issues on the 1st, charges on the 4th, carries over totals below the minimum, invoices totals from 1,000 USD early', async () => {
  const small = await fresh();
  const usual = await fresh();
  const large = await fresh();
  await moveToTheFifth(merchant);
  await small.billable(999);
  await usual.billable(1_000);
  await large.billable(60_000, 40_000);
  await usual.merchant.moveClock('26h');
  expect([await stateOf(small), await stateOf(usual), await stateOf(large)]).toEqual(['', '', 'issued']);
  for (let days = 0; days < 31 && (await stateOf(usual)) === ''; days += 1) await usual.merchant.moveClock('1d');
  const [invoice] = await usual.invoices();
  expect([invoice.issued_at.slice(8, 10), invoice.next_charge_at.slice(8)]).toEqual(['01', '04T00:00:00.000Z']);
  await usual.merchant.moveClock('4d');
  expect([await stateOf(small), await stateOf(usual), await stateOf(large)]).toEqual(['', 'paid', 'paid']);
});

test('invoices an archived store once without the minimum, but never below the minimum charge of the provider', async () => {
  const biller = await fresh();
  const tiny = await fresh();
  await biller.billable(60);
  await tiny.billable(49);
  for (const one of [biller, tiny]) await one.merchant.api('POST', `${one.store}/archive`);
  await biller.merchant.moveClock('6d');
  expect([await stateOf(biller), await stateOf(tiny), await biller.chargedAmounts()]).toEqual(['paid', '', [60]]);
  await biller.billable(60);
  await biller.merchant.moveClock('6d');
  expect(await stateOf(biller)).toBe('paid');
});

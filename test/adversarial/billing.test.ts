import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectInvoice } from '../../src/billing/collect-invoice.ts';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { issueInvoice } from '../../src/billing/issue-invoice.ts';
import { chargeDueInvoices, chargeOpenInvoices, issueMonthlyInvoices, resumeBilling } from '../../src/billing/run-billing.ts';
import { handleChargeEvent } from '../../src/billing/charge-invoice.ts';
import { billableTotals } from '../../src/commissions/billing-sql.ts';
import { releaseFromPayout } from '../../src/commissions/payout-sql.ts';
import { insertOutboxEntries } from '../../src/commissions/creator-outbox-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { type Id, newId, readPublicId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { plusDays } from '../../src/core/time.ts';
import type { MoneyIntent } from '../../src/payments/provider.ts';
import { type Money, openProviders } from '../../src/payments/providers.ts';
import { storeBalancesAt } from '../../src/reports/store-statement.ts';
import { takeUndescribed } from '../support/checked-fetch.ts';
import { anotherBiller, type Biller, differences, expectSuccess, latestInvoice } from '../support/billing.ts';
import { type Merchant, openMerchantAlone } from '../support/merchant.ts';
import { internal } from '../support/review.ts';

/** Billing under a merchant who wants to pay less, a double click, and an unreliable provider or machine. */
let merchant: Merchant;
let money: Money;
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
});
afterAll(() => merchant.service.stop());

const fresh = (): Promise<Biller> => anotherBiller(merchant);
const now = (): Date => money.platform.clock.now();

/** Creates an invoice whose charge was due at the given time and was not sent. */
async function issuedDue(biller: Biller, dueAt: Date): Promise<void> {
  const { storeId, database } = biller.merchant;
  invariant(await issueInvoice(money, { storeId, now: now(), moment: 'now', minimum: cents(0) }), 'there is something to issue');
  await database.run(sql`update invoices set next_charge_at = ${dueAt} where store_id = ${storeId} and state = 'issued'`);
}

test('of two concurrent charge runs, the slower one does not charge an invoice again that was just declined', async () => {
  const [one, other] = [await fresh(), await fresh()];
  for (const biller of [one, other]) {
    await biller.setPaymentMethod('declined');
    await biller.billable(2_000);
    await issuedDue(biller, now());
  }
  let hasComeIn = false;
  const { providers, platform } = money;
  const slow = { platform, providers: { ...providers, chargeProvider: interrupted } };
  await chargeDueInvoices(slow, now());
  for (const biller of [one, other])
    expect(await latestInvoice(biller)).toMatchObject({ state: 'retrying', failures: 1, charges: [{ state: 'declined' }] });

  /** While the first call is in progress, another process completes the whole run. */
  function interrupted(name: 'sandbox' | 'stripe') {
    const provider = providers.chargeProvider(name);
    return provider && { ...provider, charge };
    async function charge(intent: MoneyIntent) {
      if (!hasComeIn) {
        hasComeIn = true;
        await chargeDueInvoices(money, now());
      }
      invariant(provider, 'the sandbox is set up');
      return provider.charge(intent);
    }
  }
});

test('a series of declined cards uses up none of the remaining retries', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('declined');
  await biller.billable(2_000);
  await biller.run();
  const { next_charge_at: next } = await latestInvoice(biller);
  for (let tried = 0; tried < 6; tried += 1) await biller.setPaymentMethod('declined');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'retrying', failures: 1, next_charge_at: next });
  expect(await biller.status()).toBe('active');
  await biller.setPaymentMethod('ok');
  expect([(await latestInvoice(biller)).state, await biller.chargedAmounts()]).toEqual(['paid', [2_000]]);
});

test('a charge that was due days ago and is sent now counts its age from the call, so it is not given up as old', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('timeout_done');
  await biller.billable(2_000);
  const missed = plusDays(now(), -2);
  await issuedDue(biller, missed);
  await chargeDueInvoices(money, missed);
  expect(await latestInvoice(biller)).toMatchObject({ state: 'unknown' });
  // The provider's search lags behind and finds nothing yet.
  await resumeBilling(money);
  await chargeDueInvoices(money, now());
  await merchant.moveClock('1m');
  await resumeBilling(money);
  expect([(await latestInvoice(biller)).state, await biller.chargedAmounts()]).toEqual(['paid', [2_000]]);
});

test('a payout that is returned while its invoice is paid again loses no commission', async () => {
  const biller = await fresh();
  const { storeId, database } = biller.merchant;
  const ids = await biller.billable(2_000, 3_000);
  await biller.run();
  const payoutId = newId<'pay'>(now());
  await database.run(
    sql`update commissions set payout_id = ${payoutId} where store_id = ${storeId} and commission_id = ${internal(ids[0] ?? '')}`,
  );
  const [reference = ''] = await biller.references();
  await loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference, at: now(), why: 'not recognised' });
  const invoiceId = readPublicId('inv', (await latestInvoice(biller)).id) as Id<'inv'>;
  // The release waits to commit while the collection reads the commission.
  let collecting: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    const released = await releaseFromPayout(tx, { storeId, payoutId }, 10);
    await insertOutboxEntries(tx, { storeId, kind: 'advance_ended', at: now() }, released);
    collecting = chargeOpenInvoices(money, storeId, now());
    await pause(1_000);
  });
  await collecting;
  await resumeBilling(money);
  await collectInvoice(money.platform, { storeId, invoiceId });
  expect([(await latestInvoice(biller)).state, await biller.states()]).toEqual(['paid', { collected: 2 }]);
});

test('a disputed payment that no invoice needed does not reopen an invoice that was settled without it', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('timeout_done');
  const [large] = await biller.billable(2_000, 30);
  await biller.run();
  const { id, charges } = await latestInvoice(biller);
  const said = { outcome: 'declined', note: 'so it says' };
  expectSuccess(await biller.merchant.api('POST', `${biller.store}/charges/${charges[0].id}/settle`, said));
  // The remaining amount is too small to be charged, and is waived.
  expectSuccess(
    await biller.merchant.api('POST', `${biller.store}/invoices/${id}/credit-notes`, { commission_ids: [large], reason: 'refunded' }),
  );
  await merchant.moveClock('1m');
  await handleChargeEvent(money, charges[0].id, { is: 'pending', providerId: 'x' });
  expect(await latestInvoice(biller)).toMatchObject({ state: 'paid', charges: [{ state: 'succeeded' }] });
  await loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference: charges[0].id, at: now(), why: 'not recognised' });
  expect([(await latestInvoice(biller)).state, await biller.status(), await biller.states()]).toEqual([
    'paid',
    'active',
    { collected: 1, reversed: 1 },
  ]);
});

test("a provider event that names one store's charge and another store's payment pays nothing", async () => {
  const [poor, rich] = [await fresh(), await fresh()];
  await rich.billable(9_000);
  await rich.run();
  await poor.setPaymentMethod('never');
  await poor.billable(2_000);
  await poor.run();
  const [reference = ''] = await poor.references();
  const [paid = ''] = await rich.references();
  const { providerId } = await merchant.database.one<{ providerId: string }>(
    sql`select provider_id from sandbox_movements where reference = ${paid}`,
  );
  await handleChargeEvent(money, reference, { is: 'succeeded', providerId });
  expect([(await latestInvoice(poor)).state, await poor.chargedAmounts(), await poor.states()]).toEqual(['charging', [], { billed: 1 }]);
});

test('a payment of a different amount than the charge does not pay the invoice automatically', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('never');
  await biller.billable(2_000);
  await biller.run();
  const [reference = ''] = await biller.references();
  await merchant.database.run(sql`update sandbox_movements set status = 'succeeded', amount_cents = 20 where reference = ${reference}`);
  await resumeBilling(money);
  expect([(await latestInvoice(biller)).state, await biller.states()]).toEqual(['charging', { billed: 1 }]);
});

test('two operators who credit the same line concurrently credit it once', async () => {
  const biller = await fresh();
  const ids = await biller.billable(2_000, 3_000);
  await biller.run();
  const { id } = await latestInvoice(biller);
  const note = () =>
    biller.merchant.api('POST', `${biller.store}/invoices/${id}/credit-notes`, { commission_ids: [ids[0]], reason: 'twice' });
  const response = await Promise.all([note(), note(), note(), note()]);
  expect(response.flatMap((one) => expectSuccess(one).json.credit_notes)).toMatchObject([{ number: 'CN-00001', lines_cents: 2_000 }]);
  expect((await biller.merchant.api('GET', `${biller.store}/billing`)).json.credit_left_cents).toBe(2_000);
});

test('a charge cannot be settled as never made while it is being sent, or after the provider accepted it', async () => {
  const biller = await fresh();
  await biller.billable(2_000);
  await issuedDue(biller, now());
  const { providers, platform } = money;
  const settles = async () => {
    const [{ id }] = (await latestInvoice(biller)).charges;
    return merchant.api('POST', `${biller.store}/charges/${id}/settle`, { outcome: 'never_made', note: 'not in the list' });
  };
  const said: number[] = [];
  await chargeDueInvoices({ platform, providers: { ...providers, chargeProvider: watched } }, now());
  expect([said, (await latestInvoice(biller)).state, await biller.chargedAmounts()]).toEqual([[409], 'paid', [2_000]]);
  await biller.setPaymentMethod('never');
  await biller.billable(2_000);
  await biller.run();
  expect([(await settles()).status, (await latestInvoice(biller)).state]).toEqual([409, 'charging']);

  function watched(name: 'sandbox' | 'stripe') {
    const provider = providers.chargeProvider(name);
    return provider && { ...provider, charge };
    async function charge(intent: MoneyIntent) {
      invariant(provider, 'the sandbox is set up');
      said.push((await settles()).status);
      return provider.charge(intent);
    }
  }
});

test('an error in one store does not stop a run over all stores from invoicing the others', async () => {
  const [broken, other] = [await fresh(), await fresh()];
  const number = (next: number) =>
    merchant.database.run(sql`update store_billing set next_invoice_number = ${next} where store_id = ${broken.merchant.storeId}`);
  await broken.billable(2_000);
  await broken.run();
  await number(1);
  await broken.billable(2_000);
  await other.billable(2_000);
  expect((await merchant.api('POST', '/billing-runs', { minimum_cents: 0 })).status).toBe(500);
  expect([await broken.chargedAmounts(), await other.chargedAmounts()]).toEqual([[2_000], [2_000]]);
  await number(2);
  await merchant.api('POST', '/billing-runs', { minimum_cents: 0 });
  expect([await broken.chargedAmounts(), await other.chargedAmounts()]).toEqual([[2_000, 2_000], [2_000]]);
  // The API does not describe an answer of 500.
  takeUndescribed();
});

test('a store with more sales than JSON can count is invoiced, and no response fails', async () => {
  const biller = await fresh();
  await biller.billable(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  for (const command of [{ dry_run: true }, {}]) expect(await biller.run(command)).toHaveLength(1);
  const paths = [
    '/billing',
    '/invoices',
    `/invoices/${(await latestInvoice(biller)).id}`,
    '/commissions',
    `/statement?period=${now().toISOString().slice(0, 7)}`,
  ];
  for (const path of paths) expect([path, (await biller.merchant.api('GET', `${biller.store}${path}`)).status]).toEqual([path, 200]);
  expect((await merchant.api('GET', '/ledger')).status).toBe(200);
});

test('sales above the limit of one invoice are invoiced in parts; every sum is exact, and other stores are invoiced', async () => {
  const [huge, usual] = [await fresh(), await fresh()];
  const count = 1_030;
  for (let made = 0; made < count; made += 103) await huge.billable(...Array.from({ length: 103 }, () => Number.MAX_SAFE_INTEGER));
  await usual.billable(2_000);
  const total = BigInt(count) * BigInt(Number.MAX_SAFE_INTEGER);
  expect(total > 2n ** 63n).toBe(true);
  const { storeId, database } = huge.merchant;
  expect((await billableTotals(database, storeId, now())).cents).toBe(total);
  const expected = (await storeBalancesAt(database, storeId, new Date(now().getTime() + 1))).expected;
  expect(expected).toBe(total);
  for (const path of ['/billing', '/commissions', `/statement?period=${now().toISOString().slice(0, 7)}`])
    expect([path, (await huge.merchant.api('GET', `${huge.store}${path}`)).status]).toEqual([path, 200]);
  expect((await merchant.api('GET', '/ledger')).status).toBe(200);
  await issueMonthlyInvoices(money, money.platform.clock.now());
  expect(await huge.invoices()).toHaveLength(1);
  const rest = await billableTotals(database, storeId, now());
  expect(rest.cents > 0n && rest.cents < total).toBe(true);
  expect(await usual.invoices()).toMatchObject([{ state: 'issued', total_cents: 2_000 }]);
  expect(await differences(merchant)).toEqual([]);
});

test('the books agree after all of these tests', async () => {
  expect(await differences(merchant)).toEqual([]);
});

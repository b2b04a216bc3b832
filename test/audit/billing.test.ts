import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectInvoice } from '../../src/billing/collect.ts';
import { disputeLost } from '../../src/billing/disputes.ts';
import { issueInvoice } from '../../src/billing/issue.ts';
import { chargeDue, chargeOpen, cutInvoices, settleOpen } from '../../src/billing/jobs.ts';
import { settleCharge } from '../../src/billing/settle-from-outside.ts';
import { billableOf } from '../../src/commissions/billing-sql.ts';
import { releaseFromPayout } from '../../src/commissions/payout-sql.ts';
import { tellCreators } from '../../src/commissions/outbox-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { newId, readPublicId, type Id } from '../../src/platform/ids.ts';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import { plusDays } from '../../src/platform/time.ts';
import type { MoneyIntent } from '../../src/providers/provider.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { storeBalancesAt } from '../../src/reports/statement.ts';
import { takeUndescribed } from '../support/check-answers.ts';
import { anotherBiller, differences, good, latestInvoice, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type Merchant } from '../support/merchant.ts';
import { internal } from '../support/review.ts';

/** Billing as somebody sees it who wants to pay less, clicks twice, or whose provider and machine cannot be relied on. */
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

/** An invoice that was to be charged at some moment, and was not looked at. */
async function issuedDue(biller: Biller, dueAt: Date): Promise<void> {
  const { storeId, database } = biller.merchant;
  must(await issueInvoice(money, { storeId, now: now(), moment: 'now', minimum: cents(0) }), 'there is something to issue');
  await database.run(sql`update invoices set next_charge_at = ${dueAt} where store_id = ${storeId} and state = 'issued'`);
}

test('of two who look at what is due at once, the slower one does not charge a second time what was declined a moment ago', async () => {
  const [one, other] = [await fresh(), await fresh()];
  for (const biller of [one, other]) {
    await biller.pays('declined');
    await biller.billable(2_000);
    await issuedDue(biller, now());
  }
  let hasComeIn = false;
  const { providers, platform } = money;
  const slow = { platform, providers: { ...providers, chargeProvider: interrupted } };
  await chargeDue(slow, now());
  for (const biller of [one, other])
    expect(await latestInvoice(biller)).toMatchObject({ state: 'retrying', failures: 1, charges: [{ state: 'declined' }] });

  /** While the first call is under way, somebody else does the whole round. */
  function interrupted(name: 'sandbox' | 'stripe') {
    const provider = providers.chargeProvider(name);
    return provider && { ...provider, charge };
    async function charge(intent: MoneyIntent) {
      if (!hasComeIn) {
        hasComeIn = true;
        await chargeDue(money, now());
      }
      must(provider, 'the sandbox is set up');
      return provider.charge(intent);
    }
  }
});

test('one bad card after the other costs none of the tries that are still to come', async () => {
  const biller = await fresh();
  await biller.pays('declined');
  await biller.billable(2_000);
  await biller.run();
  const { next_charge_at: next } = await latestInvoice(biller);
  for (let tried = 0; tried < 6; tried += 1) await biller.pays('declined');
  expect(await latestInvoice(biller)).toMatchObject({ state: 'retrying', failures: 1, next_charge_at: next });
  expect(await biller.status()).toBe('active');
  await biller.pays('ok');
  expect([(await latestInvoice(biller)).state, await biller.taken()]).toEqual(['paid', [2_000]]);
});

test('a charge that was due days ago and is sent now is as young as its call: it is not given up for one that is old', async () => {
  const biller = await fresh();
  await biller.pays('timeout_done');
  await biller.billable(2_000);
  const missed = plusDays(now(), -2);
  await issuedDue(biller, missed);
  await chargeDue(money, missed);
  expect(await latestInvoice(biller)).toMatchObject({ state: 'unknown' });
  // The provider's search lags behind: it finds nothing yet.
  await settleOpen(money, now());
  await chargeDue(money, now());
  await merchant.moveClock('1m');
  await settleOpen(money, now());
  expect([(await latestInvoice(biller)).state, await biller.taken()]).toEqual(['paid', [2_000]]);
});

test('a payout that comes back while its invoice is paid again leaves no commission behind', async () => {
  const biller = await fresh();
  const { storeId, database } = biller.merchant;
  const ids = await biller.billable(2_000, 3_000);
  await biller.run();
  const payoutId = newId<'pay'>(now());
  await database.run(
    sql`update commissions set payout_id = ${payoutId} where store_id = ${storeId} and commission_id = ${internal(ids[0] ?? '')}`,
  );
  const [reference = ''] = await biller.references();
  await disputeLost(money, { about: 'dispute_lost', newsId: 'n', reference, at: now(), why: 'not recognised' });
  const invoiceId = readPublicId('inv', (await latestInvoice(biller)).id) as Id<'inv'>;
  // The release waits for its commit while the collection looks at the commission.
  let collecting: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    const released = await releaseFromPayout(tx, { storeId, payoutId }, 10);
    await tellCreators(tx, { storeId, kind: 'advance_ended', at: now() }, released);
    collecting = chargeOpen(money, storeId, now());
    await pause(1_000);
  });
  await collecting;
  await settleOpen(money, now());
  await collectInvoice(money.platform, { storeId, invoiceId }, now());
  expect([(await latestInvoice(biller)).state, await biller.states()]).toEqual(['paid', { collected: 2 }]);
});

test('money that came in for what nobody owed, and is disputed, opens no invoice that was paid without it', async () => {
  const biller = await fresh();
  await biller.pays('timeout_done');
  const [large] = await biller.billable(2_000, 30);
  await biller.run();
  const { id, charges } = await latestInvoice(biller);
  const said = { outcome: 'declined', note: 'so it says' };
  good(await biller.merchant.api('POST', `${biller.store}/charges/${charges[0].id}/settle`, said));
  // What is left is too little to be charged, and is waived.
  good(await biller.merchant.api('POST', `${biller.store}/invoices/${id}/credit-notes`, { commission_ids: [large], reason: 'refunded' }));
  await merchant.moveClock('1m');
  await settleCharge(money, charges[0].id, { is: 'pending', providerId: 'x' });
  expect(await latestInvoice(biller)).toMatchObject({ state: 'paid', charges: [{ state: 'succeeded' }] });
  await disputeLost(money, { about: 'dispute_lost', newsId: 'n', reference: charges[0].id, at: now(), why: 'not recognised' });
  expect([(await latestInvoice(biller)).state, await biller.status(), await biller.states()]).toEqual([
    'paid',
    'active',
    { collected: 1, reversed: 1 },
  ]);
});

test("news that names one store's charge and another one's payment pays nothing", async () => {
  const [poor, rich] = [await fresh(), await fresh()];
  await rich.billable(9_000);
  await rich.run();
  await poor.pays('never');
  await poor.billable(2_000);
  await poor.run();
  const [reference = ''] = await poor.references();
  const [paid = ''] = await rich.references();
  const { providerId } = await merchant.database.one<{ providerId: string }>(
    sql`select provider_id from sandbox_movements where reference = ${paid}`,
  );
  await settleCharge(money, reference, { is: 'succeeded', providerId });
  expect([(await latestInvoice(poor)).state, await poor.taken(), await poor.states()]).toEqual(['charging', [], { billed: 1 }]);
});

test('a payment of another amount than was asked for pays nothing by itself', async () => {
  const biller = await fresh();
  await biller.pays('never');
  await biller.billable(2_000);
  await biller.run();
  const [reference = ''] = await biller.references();
  await merchant.database.run(sql`update sandbox_movements set status = 'succeeded', amount_cents = 20 where reference = ${reference}`);
  await settleOpen(money, now());
  expect([(await latestInvoice(biller)).state, await biller.states()]).toEqual(['charging', { billed: 1 }]);
});

test('two operators who credit the same line at once credit it once', async () => {
  const biller = await fresh();
  const ids = await biller.billable(2_000, 3_000);
  await biller.run();
  const { id } = await latestInvoice(biller);
  const note = () =>
    biller.merchant.api('POST', `${biller.store}/invoices/${id}/credit-notes`, { commission_ids: [ids[0]], reason: 'twice' });
  const came = await Promise.all([note(), note(), note(), note()]);
  expect(came.flatMap((one) => good(one).json.credit_notes)).toMatchObject([{ number: 'CN-00001', lines_cents: 2_000 }]);
  expect((await biller.merchant.api('GET', `${biller.store}/billing`)).json.credit_left_cents).toBe(2_000);
});

test('nobody says that a charge was never made while it is being sent, or once the provider has accepted it', async () => {
  const biller = await fresh();
  await biller.billable(2_000);
  await issuedDue(biller, now());
  const { providers, platform } = money;
  const settles = async () => {
    const [{ id }] = (await latestInvoice(biller)).charges;
    return merchant.api('POST', `${biller.store}/charges/${id}/settle`, { outcome: 'never_made', note: 'not in the list' });
  };
  const said: number[] = [];
  await chargeDue({ platform, providers: { ...providers, chargeProvider: watched } }, now());
  expect([said, (await latestInvoice(biller)).state, await biller.taken()]).toEqual([[409], 'paid', [2_000]]);
  await biller.pays('never');
  await biller.billable(2_000);
  await biller.run();
  expect([(await settles()).status, (await latestInvoice(biller)).state]).toEqual([409, 'charging']);

  function watched(name: 'sandbox' | 'stripe') {
    const provider = providers.chargeProvider(name);
    return provider && { ...provider, charge };
    async function charge(intent: MoneyIntent) {
      must(provider, 'the sandbox is set up');
      said.push((await settles()).status);
      return provider.charge(intent);
    }
  }
});

test("one store's fault keeps nobody else from being billed by a run of all", async () => {
  const [broken, other] = [await fresh(), await fresh()];
  const number = (next: number) =>
    merchant.database.run(sql`update store_billing set next_invoice_number = ${next} where store_id = ${broken.merchant.storeId}`);
  await broken.billable(2_000);
  await broken.run();
  await number(1);
  await broken.billable(2_000);
  await other.billable(2_000);
  expect((await merchant.api('POST', '/billing-runs', { minimum_cents: 0 })).status).toBe(500);
  expect([await broken.taken(), await other.taken()]).toEqual([[2_000], [2_000]]);
  await number(2);
  await merchant.api('POST', '/billing-runs', { minimum_cents: 0 });
  expect([await broken.taken(), await other.taken()]).toEqual([[2_000, 2_000], [2_000]]);
  // No answer of 500 is described.
  takeUndescribed();
});

test('a store with more sales than JSON can count is billed, and takes no answer away from anybody', async () => {
  const biller = await fresh();
  await biller.billable(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  for (const asked of [{ dry_run: true }, {}]) expect(await biller.run(asked)).toHaveLength(1);
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

test('more than one invoice can hold is billed in parts; every sum is exact, and other stores are billed', async () => {
  const [huge, usual] = [await fresh(), await fresh()];
  const count = 1_030;
  for (let made = 0; made < count; made += 103) await huge.billable(...Array.from({ length: 103 }, () => Number.MAX_SAFE_INTEGER));
  await usual.billable(2_000);
  const total = BigInt(count) * BigInt(Number.MAX_SAFE_INTEGER);
  expect(total > 2n ** 63n).toBe(true);
  const { storeId, database } = huge.merchant;
  expect((await billableOf(database, storeId, now())).cents).toBe(total);
  const expected = (await storeBalancesAt(database, storeId, new Date(now().getTime() + 1))).expected;
  expect(expected).toBe(total);
  for (const path of ['/billing', '/commissions', `/statement?period=${now().toISOString().slice(0, 7)}`])
    expect([path, (await huge.merchant.api('GET', `${huge.store}${path}`)).status]).toEqual([path, 200]);
  expect((await merchant.api('GET', '/ledger')).status).toBe(200);
  await cutInvoices(money);
  expect(await huge.invoices()).toHaveLength(1);
  const rest = await billableOf(database, storeId, now());
  expect(rest.cents > 0n && rest.cents < total).toBe(true);
  expect(await usual.invoices()).toMatchObject([{ state: 'issued', total_cents: 2_000 }]);
  expect(await differences(merchant)).toEqual([]);
});

test('whatever was done here, the books agree', async () => {
  expect(await differences(merchant)).toEqual([]);
});

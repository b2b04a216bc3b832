import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { chargeDueInvoices, issueMonthlyInvoices, runBilling, resumeBilling } from '../../src/billing/run-billing.ts';
import { lockStoreBilling } from '../../src/billing/billing-settings-sql.ts';
import type { Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { type Money, openProviders } from '../../src/payments/providers.ts';
import { anotherBiller, type Biller, differences } from '../support/billing.ts';
import { openMerchantAlone } from '../support/merchant.ts';

const dueAt = (): Date => money.platform.clock.now();
/** The monthly run of several stores while another transaction locks the first one. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const { platform } = merchant.service;
const money = { platform, providers: openProviders(platform) };
const some = [await anotherBiller(merchant), await anotherBiller(merchant), await anotherBiller(merchant)];
// The jobs process stores in ID order.
const billers = some.toSorted((one, other) => (one.merchant.storeId < other.merchant.storeId ? -1 : 1));

/** Ends before the transaction has been idle for too long. */
const looks = 70;
const lookAgainMs = 50;

/** Locks the first store's row, and returns what the job does for the other stores meanwhile and afterwards. */
async function meanwhile(hold: (tx: Transaction) => Promise<unknown>, job: () => Promise<void>, seen: () => Promise<readonly unknown[]>) {
  const { work, found } = await money.platform.database.transaction(async (tx) => {
    await hold(tx);
    const begun = job();
    begun.catch(() => {});
    let states = await seen();
    for (let look = 0; look < looks && states.filter((state) => state !== null).length < billers.length - 1; look += 1) {
      await pause(lookAgainMs);
      states = await seen();
    }
    return { work: begun, found: states };
  });
  await work;
  return { found, after: await seen() };
}

const invoicesOf = (biller: Biller) => biller.invoices().then((all) => all.map(({ number, state }) => `${number} ${state}`).toSorted());

test('a store that waits for a lock at the end of the month delays no other store, and is invoiced when the lock is free', async () => {
  const [first] = billers;
  for (const biller of billers) await biller.billable(20_000);
  const seen = () =>
    Promise.all(
      billers.map(async (biller) => {
        const { issued } = await merchant.database.one<{ issued: bigint }>(sql`
          select count(*) as issued from invoices where store_id = ${biller.merchant.storeId} and state = 'issued'`);
        return issued === 0n ? null : issued;
      }),
    );
  const { found, after } = await meanwhile(
    async (tx) => first && lockStoreBilling(tx, first.merchant.storeId),
    () => issueMonthlyInvoices(money, money.platform.clock.now()),
    seen,
  );
  expect(found).toEqual([null, 1n, 1n]);
  expect(after).toEqual([1n, 1n, 1n]);
});

test('a store that waits for a lock delays no charges of other stores, and its invoices are charged oldest first', async () => {
  const [first] = billers;
  if (first === undefined) return;
  await first.billable(30_000);
  await issueMonthlyInvoices(money, money.platform.clock.now());
  await merchant.database.run(sql`update invoices set next_charge_at = ${dueAt()} where state = 'issued'`);
  expect(await invoicesOf(first)).toEqual(['INV-00001 issued', 'INV-00002 issued']);
  const seen = () =>
    Promise.all(billers.map(async (biller) => ((await biller.chargedAmounts()).length === 0 ? null : biller.chargedAmounts())));
  const { found, after } = await meanwhile(
    (tx) => tx.run(sql`select 1 from invoices where store_id = ${first.merchant.storeId} and number = 1 for update`),
    () => chargeDueInvoices(money, dueAt()),
    seen,
  );
  expect(found).toEqual([null, [20_000], [20_000]]);
  expect(after).toEqual([[20_000, 30_000], [20_000], [20_000]]);
  expect(await differences(merchant)).toEqual([]);
});

test('a charge that cannot be resumed does not delay collection for another store that has paid', async () => {
  const [stuck, other] = [await anotherBiller(merchant), await anotherBiller(merchant)];
  await stuck.setPaymentMethod('never');
  await stuck.billable(2_000);
  await stuck.run();
  await other.billable(3_000);
  const { crashPoints } = money.platform;
  crashPoints.onReached = (point) => {
    if (point === 'billing: settled') throw new Error('a crash');
  };
  const died = runBilling(money, { storeId: other.merchant.storeId, minimum: null, now: dueAt() });
  await expect(died.finally(() => (crashPoints.onReached = () => {}))).rejects.toThrow('a crash');
  expect([await other.chargedAmounts(), await other.states()]).toEqual([[3_000], { billed: 1 }]);

  const chargeProvider = () => {
    throw new Error('an error of ours');
  };
  const broken: Money = { ...money, providers: { ...money.providers, chargeProvider } };
  await expect(resumeBilling(broken)).rejects.toThrow('an error of ours');
  expect(await other.states()).toEqual({ collected: 1 });
});

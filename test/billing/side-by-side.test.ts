import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeDue, cutInvoices, settleOpen } from '../../src/billing/jobs.ts';
import { runBilling } from '../../src/billing/run.ts';
import { lockStoreBilling } from '../../src/billing/settings-sql.ts';
import type { Transaction } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { anotherBiller, differences, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type Merchant } from '../support/merchant.ts';

/** A month's end of several stores, of which the first one cannot go on for a while. */
let merchant: Merchant;
let money: Money;
let billers: readonly Biller[];
const dueAt = (): Date => money.platform.clock.now();
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
  const some = [await anotherBiller(merchant), await anotherBiller(merchant), await anotherBiller(merchant)];
  // The jobs go through the stores in the order of their ids.
  billers = some.toSorted((one, other) => (one.merchant.storeId < other.merchant.storeId ? -1 : 1));
});
afterAll(() => merchant.service.stop());

const looks = 40;
const lookAgainMs = 50;

/** While the first store's row is held by somebody else: what the job has done of the others by then, and that it waits for that one. */
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

test('a store that cannot be billed at once holds up no other at the month’s end, and is billed as soon as it can', async () => {
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
    () => cutInvoices(money),
    seen,
  );
  expect(found).toEqual([null, 1n, 1n]);
  expect(after).toEqual([1n, 1n, 1n]);
});

test('nor at charging; and of one store the oldest invoice is charged first, the next one after it', async () => {
  const [first] = billers;
  if (first === undefined) return;
  await first.billable(30_000);
  await cutInvoices(money);
  await merchant.database.run(sql`update invoices set next_charge_at = ${dueAt()} where state = 'issued'`);
  expect(await invoicesOf(first)).toEqual(['INV-00001 issued', 'INV-00002 issued']);
  const seen = () => Promise.all(billers.map(async (biller) => ((await biller.taken()).length === 0 ? null : biller.taken())));
  const { found, after } = await meanwhile(
    (tx) => tx.run(sql`select 1 from invoices where store_id = ${first.merchant.storeId} and number = 1 for update`),
    () => chargeDue(money, dueAt()),
    seen,
  );
  expect(found).toEqual([null, [20_000], [20_000]]);
  expect(after).toEqual([[20_000, 30_000], [20_000], [20_000]]);
  expect(await differences(merchant)).toEqual([]);
});

test('a charge that cannot be gone on with keeps no other store waiting for what it has paid', async () => {
  const [stuck, other] = [await anotherBiller(merchant), await anotherBiller(merchant)];
  await stuck.pays('never');
  await stuck.billable(2_000);
  await stuck.run();
  await other.billable(3_000);
  const { faultPoints } = money.platform;
  faultPoints.onReached = (point) => {
    if (point === 'billing: a charge is settled') throw new Error('a death');
  };
  const died = runBilling(money, { storeId: other.merchant.storeId, minimum: null, now: dueAt() });
  await expect(died.finally(() => (faultPoints.onReached = () => {}))).rejects.toThrow('a death');
  expect([await other.taken(), await other.states()]).toEqual([[3_000], { billed: 1 }]);

  const chargeProvider = () => {
    throw new Error('a fault of ours');
  };
  const broken: Money = { ...money, providers: { ...money.providers, chargeProvider } };
  await expect(settleOpen(broken, dueAt())).rejects.toThrow('a fault of ours');
  expect(await other.states()).toEqual({ collected: 1 });
});

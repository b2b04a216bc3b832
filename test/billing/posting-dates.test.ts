import { afterAll, expect, test } from 'vitest';
import { collectInvoices } from '../../src/billing/collect-invoice.ts';
import { issueInvoice } from '../../src/billing/issue-invoice.ts';
import { runBilling } from '../../src/billing/run-billing.ts';
import { commissionsOutOfTime } from '../../src/billing/verify-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { cents } from '../../src/core/money.ts';
import { hourMs, minuteMs, plusDays, realClock } from '../../src/core/time.ts';
import { type Money, openProviders } from '../../src/payments/providers.ts';
import { anotherBiller, type Biller, differences, expectSuccess, latestInvoice } from '../support/billing.ts';
import { openMerchantAlone } from '../support/merchant.ts';

/** Every commission is approved, invoiced, collected, and paid in that order, even if a job runs late or crashes. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const money = { platform: merchant.service.platform, providers: openProviders(merchant.service.platform) };

const fresh = (): Promise<Biller> => anotherBiller(merchant);
const now = (): Date => money.platform.clock.now();
const decide = async ({ merchant: { api }, store }: Biller, action: string, id: string): Promise<unknown> =>
  expectSuccess(await api('POST', `${store}/commissions/${action}`, { ids: [id] })).json.results[id];

test('an invoice contains nothing that was approved after it was issued, and the next one contains it', async () => {
  const biller = await fresh();
  const { storeId } = biller.merchant;
  const [, late = ''] = await biller.billable(20_000, 7_000);
  expect(await decide(biller, 'reopen', late)).toBe('ok');
  const begunAt = now();
  await merchant.moveClock('2h');
  expect(await decide(biller, 'approve', late)).toBe('ok');

  await issueInvoice(money, { storeId, now: begunAt, moment: 'now', minimum: cents(0) });
  expect(await latestInvoice(biller)).toMatchObject({ number: 'INV-00001', lines_cents: 20_000, issued_at: begunAt.toISOString() });
  const { data: next } = expectSuccess(await biller.merchant.api('GET', `${biller.store}/billing/lines`)).json;
  expect(next).toMatchObject([{ amount_cents: 7_000 }]);

  await issueInvoice(money, { storeId, now: now(), moment: 'now', minimum: cents(0) });
  expect(await latestInvoice(biller)).toMatchObject({ number: 'INV-00002', lines_cents: 7_000 });
  expect(await differences(merchant)).toEqual([]);
});

test('a process whose clock is behind records collection after the invoice and the payment', async () => {
  const biller = await fresh();
  const { storeId, database } = biller.merchant;
  const past = now();
  await merchant.moveClock('3h');
  await biller.billable(5_000);
  const reached = (point: string): void => {
    if (point === 'billing: settled') throw new Error('the process died');
  };
  const dying: Money = { ...money, platform: { ...money.platform, reached } };
  await expect(runBilling(dying, { storeId, minimum: cents(0), now: now() })).rejects.toThrow('the process died');
  expect(await biller.states()).toEqual({ billed: 1 });

  await collectInvoices({ ...money.platform, clock: { ...realClock, now: () => past } }, storeId);
  expect(await biller.states()).toEqual({ collected: 1 });
  const { collectedAt, paidAt } = await database.one<{ collectedAt: Date; paidAt: Date }>(
    sql`select collected_at, paid_at from invoices where store_id = ${storeId}`,
  );
  expect(collectedAt.getTime()).toBeGreaterThanOrEqual(paidAt.getTime());
  expect(await differences(merchant)).toEqual([]);
});

test.each([
  ['recorded after it was approved', (at: Date) => sql`update commissions set recorded_at = ${new Date(at.getTime() + hourMs)}`],
  ['approved after it was invoiced', (at: Date) => sql`update commissions set approved_at = ${new Date(at.getTime() + hourMs)}`],
  ['collected before it was invoiced', (at: Date) => sql`update creator_outbox set at = ${new Date(at.getTime() - hourMs)}`],
  [
    'paid before it was collected',
    (at: Date) => sql`update commissions set state = 'paid', payout_id = commission_id, paid_at = ${plusDays(at, -1)}`,
  ],
])('verification finds a commission that was %s', async (_, tampering) => {
  const biller = await fresh();
  const { storeId, database } = biller.merchant;
  await biller.billable(5_000);
  await biller.run();
  expect(await biller.states()).toEqual({ collected: 1 });
  expect(await commissionsOutOfTime(database)).toEqual([]);
  const found = await database
    .transaction(async (tx) => {
      await tx.run(sql`${tampering(now())} where store_id = ${storeId}`);
      const differ = await commissionsOutOfTime(tx);
      throw new Undone(differ.map((difference) => difference.storeId ?? ''));
    })
    .catch((end: unknown) => (end instanceof Undone ? end.stores : Promise.reject(end as Error)));
  expect(found).toEqual([storeId]);
});

test('verification allows for clocks that differ by less than a minute', async () => {
  const biller = await fresh();
  const { storeId, database } = biller.merchant;
  await biller.billable(5_000);
  await biller.run();
  const { approvedAt } = await database.one<{ approvedAt: Date }>(
    sql`select min(approved_at) as approved_at from commissions where store_id = ${storeId}`,
  );
  const later = new Date(approvedAt.getTime() + minuteMs / 2);
  await database.run(sql`update commissions set approved_at = ${later} where store_id = ${storeId}`);
  expect(await commissionsOutOfTime(database)).toEqual([]);
});

/** Thrown to roll a transaction back. */
class Undone extends Error {
  readonly stores: readonly string[];
  constructor(stores: readonly string[]) {
    super('undone');
    this.stores = stores;
  }
}

import { afterAll, expect, test } from 'vitest';
import { rebuildRollups } from '../../src/reports/rebuild-rollups.ts';
import { sql } from '../../src/db/sql.ts';
import { activityView } from '../support/database.ts';
import { openMerchant, type Json } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const rollups = () =>
  merchant.database.all<Json>(sql`
    select what, sum(count) as count, sum(eligible_cents) as eligible, sum(commission_cents) as commission from store_days
    where store_id = ${merchant.storeId} and what not in ('click', 'bot') group by what having sum(count) <> 0 order by what`);
const ofLinks = () =>
  merchant.database.all<Json>(sql`
    select what, sum(count) as count, sum(eligible_cents) as eligible, sum(commission_cents) as commission from link_days
    where store_id = ${merchant.storeId} and what not in ('click', 'bot') group by what having sum(count) <> 0 order by what`);
const decide = (action: string, filter: Json, more: Json = {}) =>
  merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/${action}`, { filter, ...more });

test('orders, refunds, and approvals are counted with their amounts, and an undone approval is not', async () => {
  const orders = [10_000, 20_000, 30_000].map((order_subtotal_cents) => ({ order_subtotal_cents }));
  const ids: string[] = [];
  for (const fields of orders) {
    const order = await merchant.order(fields);
    await merchant.convert(order);
    await merchant.convert(order);
    ids.push(order.order_id);
  }
  await decide('approve', { state: 'pending' });
  await merchant.reverse({ order_id: ids[0] });
  await merchant.reverse({ order_id: ids[0] });
  await decide('reject', { order_id: ids[1], state: 'approved' }, { reason: 'returned' });
  await decide('approve', { order_id: ids[1], state: 'rejected' });
  await decide('reopen', { order_id: ids[1], state: 'approved' });
  const expected = [
    { what: 'approved', count: 2n, eligible: 40_000n, commission: 4_000n },
    { what: 'lost', count: 1n, eligible: 10_000n, commission: 1_000n },
    { what: 'order', count: 3n, eligible: 60_000n, commission: 6_000n },
    { what: 'reversal', count: 1n, eligible: 10_000n, commission: 1_000n },
  ];
  expect(await rollups()).toEqual(expected);
  expect(await ofLinks()).toEqual(expected.slice(1));
});

/**
 * Runs the work between the counting and the writing of a rebuild, by locking a row that the rebuild replaces.
 * No rebuild runs afterwards, so a lost event would stay lost.
 */
async function rebuildWhile(work: () => Promise<void>): Promise<void> {
  let rebuilt: Promise<unknown> = Promise.resolve();
  await merchant.service.platform.jobsDatabase.transaction(async (tx) => {
    const locked = await tx.all(sql`
      select 1 as one from link_days where store_id = ${merchant.storeId} and what = 'reversal' for update`);
    expect(locked.length).toBeGreaterThan(0);
    rebuilt = rebuildRollups(merchant.service.platform);
    const waiting = sql`
      select query from ${activityView()}
      where datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from %link_days%'`;
    await expect.poll(() => merchant.database.all(waiting), { interval: 10 }).toHaveLength(1);
    await work();
  });
  await rebuilt;
}

test('the command rebuilds lost or duplicated rollups while orders keep arriving', async () => {
  await merchant.moveClock('1d');
  const right = await rollups();
  await merchant.database.run(sql`delete from store_days where what = 'order'`);
  await merchant.database.run(sql`update link_days set count = count + 7, commission_cents = 0 where what = 'reversal'`);
  const { json: wrong } = await merchant.api('POST', '/ledger/verify');
  expect(wrong.differences.map(({ what }: Json) => what)).toContain('daily totals match the commissions');

  await rebuildWhile(async () => {
    const sales = Array.from({ length: 30 }, async () => merchant.convert(await merchant.order({ order_subtotal_cents: 1_000 })));
    expect((await Promise.all(sales)).every(({ status }) => status === 200)).toBe(true);
  });
  const { json: verification } = await merchant.api('POST', '/ledger/verify');
  expect(verification.differences).toEqual([]);
  expect(await rollups()).toEqual(
    right.map((one) =>
      one.what === 'order'
        ? { ...one, count: one.count + 30n, eligible: one.eligible + 30_000n, commission: one.commission + 3_000n }
        : one,
    ),
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBilling } from '../../src/billing/run-billing.ts';
import { cents } from '../../src/core/money.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { assessBeforeBilling } from '../../src/risk/assess-risk.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';

/** Checks that nothing is paid out or invoiced for a store whose assessment failed. */
let first: RiskWorld;
beforeAll(async () => {
  first = await openRiskWorld();
});
afterAll(() => first.merchant.service.stop());

async function enforced(): Promise<RiskWorld> {
  const desk = await anotherRiskWorld(first);
  await desk.settings({ enforce: true });
  return desk;
}

/** Makes the queries that read a table fail, as a timeout does. */
async function whileAway<Result>({ merchant }: RiskWorld, table: 'orders' | 'store_cards', work: () => Promise<Result>): Promise<Result> {
  const [here, away] = table === 'orders' ? [sql`orders`, sql`orders_away`] : [sql`store_cards`, sql`store_cards_away`];
  await merchant.database.run(sql`alter table ${here} rename to ${away}`);
  try {
    return await work();
  } finally {
    await merchant.database.run(sql`alter table ${away} rename to ${here}`);
  }
}

test('a payout run pays nothing from a store whose signals could not be read, and pays after the next assessment', async () => {
  const desk = await enforced();
  await desk.collected([50_000]);
  const run = await whileAway(desk, 'orders', () =>
    desk.merchant.api('POST', '/payout-runs', { creator_id: desk.merchant.world.creator.id, minimum_cents: 0 }),
  );
  expect(expectSuccess(run).json).toMatchObject({ payouts: [], failures: 1 });
  expect(await desk.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
  expect(await desk.differences()).toEqual([]);
});

test('a manual payout run waits longer for the signals than a page request may', async () => {
  const desk = await enforced();
  await desk.collected([50_000]);
  const { database } = desk.merchant;
  let run: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await tx.run(sql`lock table orders in access exclusive mode`);
    run = desk.payoutRun();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  });
  expect(await run).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
});

test('a billing run issues no invoice of a store whose people could not be compared with its creators', async () => {
  const desk = await enforced();
  const { merchant } = desk;
  expectSuccess(await merchant.api('PATCH', `${desk.store}/programs/${merchant.world.program.id}`, { hold_days: 0 }));
  await desk.sold([50_000]);
  expectSuccess(await merchant.api('POST', `${desk.store}/commissions/approve`, { filter: { state: 'pending' } }));
  const { platform } = merchant.service;
  const { storeId } = merchant;
  const now = platform.clock.now();
  const bill = async () => {
    const unassessed = await assessBeforeBilling(platform, now, storeId);
    return runBilling({ platform, providers: openProviders(platform) }, { storeId, minimum: cents(0), now, unassessed });
  };
  await expect(whileAway(desk, 'store_cards', bill)).rejects.toThrow('Stores could not be billed');
  expect(expectSuccess(await merchant.api('GET', `${desk.store}/invoices`)).json.data).toEqual([]);
  expect(await bill()).toMatchObject([{ total_cents: 5_000n }]);
});

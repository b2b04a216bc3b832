import { afterAll, expect, test } from 'vitest';
import { runBilling } from '../../src/billing/run-billing.ts';
import { cents } from '../../src/core/money.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { assessBeforeBilling, assessBeforePayouts } from '../../src/risk/assess-risk.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, readPublicId } from '../../src/core/ids.ts';
import { deliverStoreEarnings } from '../../src/payouts/deliver-earnings.ts';
import { runPayouts, type PayeeAssessment } from '../../src/payouts/run-payouts.ts';
import { expectSuccess } from '../support/billing.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';

/** Checks that nothing is paid out or invoiced without an assessment. */
const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

async function enforced(): Promise<RiskWorld> {
  const world = await anotherRiskWorld(first);
  await world.settings({ enforce: true });
  return world;
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
  const world = await enforced();
  await world.collected([50_000]);
  const run = await whileAway(world, 'orders', () =>
    world.merchant.api('POST', '/payout-runs', { creator_id: world.merchant.world.creator.id, minimum_cents: 0 }),
  );
  expect(expectSuccess(run).json).toMatchObject({ payouts: [], failures: 1 });
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
  expect(await world.differences()).toEqual([]);
});

test('a payout run pays nothing from a store whose earnings arrive after the assessment, and pays it after the next one', async () => {
  const world = await enforced();
  const other = await anotherRiskWorld(first);
  await world.collected([50_000]);
  const { id } = world.merchant.world.creator;
  await other.collected([]);
  await other.sold([70_000], await other.linkOf(id));
  const { platform } = world.merchant.service;
  const creatorId = readPublicId('crt', id);
  const now = platform.clock.now();
  const { assess, failed } = await assessBeforePayouts(platform, now);
  const assessment: PayeeAssessment = {
    failed,
    async assess(creatorIds) {
      const isAssessed = await assess(creatorIds);
      await other.collected([]);
      await deliverStoreEarnings(platform, other.merchant.storeId, now);
      return isAssessed;
    },
  };
  const run = { payoutRunId: newId<'prun'>(now), startedBy: 'test', startedByUserId: null, minimum: cents(0), isDry: false };
  const { payouts, failures } = await runPayouts({ platform, providers: openProviders(platform) }, { ...run, creatorId, assessment, now });
  expect({ payouts, failures }).toMatchObject({ payouts: [{ amount: 5_000n, state: 'paid' }], failures: 0 });
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 7_000, state: 'paid' }]);
  expect(await world.differences()).toEqual([]);
});

test('a manual payout run waits longer for the signals than a page request may', async () => {
  const world = await enforced();
  await world.collected([50_000]);
  const { database } = world.merchant;
  let run: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await tx.run(sql`lock table orders in access exclusive mode`);
    run = world.payoutRun();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  });
  expect(await run).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
});

test('a billing run issues no invoice of a store whose people could not be compared with its creators', async () => {
  const world = await enforced();
  const { merchant } = world;
  expectSuccess(await merchant.api('PATCH', `${world.store}/programs/${merchant.world.program.id}`, { hold_days: 0 }));
  await world.sold([50_000]);
  expectSuccess(await merchant.api('POST', `${world.store}/commissions/approve`, { filter: { state: 'pending' } }));
  const { platform } = merchant.service;
  const { storeId } = merchant;
  const now = platform.clock.now();
  const invoiceNow = async () => {
    const unassessed = await assessBeforeBilling(platform, now, storeId);
    return runBilling({ platform, providers: openProviders(platform) }, { storeId, minimum: cents(0), now, unassessed });
  };
  await expect(whileAway(world, 'store_cards', invoiceNow)).rejects.toThrow('Stores could not be billed');
  expect(expectSuccess(await merchant.api('GET', `${world.store}/invoices`)).json.data).toEqual([]);
  expect(await invoiceNow()).toMatchObject([{ total_cents: 5_000n }]);
});

import { afterAll, expect, test, vi } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { anotherRiskWorld, approveAll, asInLiveMode, giveAllAway, openRiskWorld, runBilling, type RiskWorld } from '../support/risk.ts';

// A month of scheduled jobs of several stores takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** What a new store earns for its creators is kept back for a month. */
const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

async function fresh(isLikeLive = true): Promise<RiskWorld> {
  const world = await anotherRiskWorld(first);
  await (isLikeLive ? asInLiveMode(world) : world.settings({}));
  return world;
}

test('does not pay colluders within the reserve period, so a chargeback in it costs the platform nothing', async () => {
  const world = await fresh();
  await giveAllAway(world);
  await world.sold([40_000]);
  await approveAll(world);
  expect(await runBilling(world)).toMatchObject([{ total_cents: 40_000, state: 'paid' }]);
  await world.merchant.moveClock('14d');
  expect(await world.payoutRun()).toEqual([]);
  await world.report('dispute_opened');
  await world.report('dispute_lost');
  await world.merchant.moveClock('17d');
  expect(await world.payoutRun()).toEqual([]);
  expect((await world.payouts()).filter(({ state }) => state === 'paid')).toEqual([]);
  const { json } = await world.merchant.api('GET', `${world.creator}/balance`);
  expect(json).toMatchObject({ paid_cents: 0, in_payout_cents: 0, available_cents: 0 });
  expect(await world.differences()).toEqual([]);
});

test('pays out an honest new store after its reserve period, and shows its creator the date', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  const reserve = expectSuccess(await world.merchant.api('GET', `${world.store}/reserve`)).json;
  expect(reserve.state).toBe('running');
  expect(await world.payoutRun()).toEqual([]);
  const { json } = await world.merchant.api('GET', `${world.creator}/balance`);
  expect(json).toMatchObject({
    available_cents: 0,
    reserved_cents: 5_000,
    blocks: [{ reason: 'reserve', amount_cents: 5_000, until: reserve.until }],
  });
  const [sale] = expectSuccess(await world.merchant.api('GET', `${world.creator}/commissions`)).json.data;
  expect(sale.pay).toMatchObject({ word: 'reserve', steps: [{ what: 'reserve_over', at: reserve.until }, { what: 'paid_out' }] });
  await world.merchant.moveClock('29d');
  expect(await world.payoutRun()).toEqual([]);
  await world.merchant.moveClock('1d');
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
  // The period does not start again.
  await world.collected([50_000]);
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
});

test('a reserve period lasts until enough invoices are paid, and an operator may end it early', async () => {
  const world = await fresh(false);
  await world.settings({ enforce: true, reserve_days: 5, reserve_until_invoices: 2 });
  await world.collected([50_000]);
  await world.merchant.moveClock('6d');
  expect(await world.payoutRun()).toEqual([]);
  expect(expectSuccess(await world.merchant.api('GET', `${world.store}/reserve`)).json).toMatchObject({ state: 'running', until: null });
  await world.collected([30_000]);
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 8_000, state: 'paid' }]);

  const other = await anotherRiskWorld(first);
  await other.collected([50_000]);
  expect(await other.payoutRun()).toEqual([]);
  expectSuccess(await other.merchant.api('POST', `${other.store}/reserve/release`, { reason: 'Known to us.' }));
  expect(await other.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
});

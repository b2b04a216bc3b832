import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { dayMs } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';
import { randomFrom, seed, sizeOf, type Prng } from '../support/size.ts';

/** Simulates a merchant and a creator who collude, share no comparable trait, and act in random order. */
const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

const reserveDays = 30;
const amountMax = 60_000;
const reports = ['dispute_opened', 'dispute_won', 'dispute_lost', 'fraud_warning', 'charge_refunded'] as const;

type Step = () => Promise<unknown>;

function stepsOf(world: RiskWorld, random: Prng) {
  const { merchant, store, creator } = world;
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const came = await merchant.api(method, path, body);
    expect(came.status, came.text).toBeLessThan(500);
    return came.json;
  };
  const ids = async (): Promise<readonly string[]> => (await call('GET', `${store}/commissions?limit=200`)).data.map(({ id }: Json) => id);
  return {
    sell: async () => {
      const amount = 1_000 + random.below(amountMax);
      // Links of a past-due store record no clicks.
      if ((await call('GET', store)).status === 'active') await world.sold([amount]);
    },
    approve: () => call('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }),
    hold: async () => call('POST', `${store}/commissions/hold`, { ids: (await ids()).slice(0, 2), reason: 'merchant_request' }),
    release: async () => {
      const all = await ids();
      if (all.length > 0) await call('POST', `${store}/commissions/release`, { ids: all });
    },
    invoice: () => call('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 }),
    card: () => call('PUT', `${store}/payment-method`, { sandbox: random.oneOf(['ok', 'ok', 'declined', 'insufficient_then_ok']) }),
    destination: () => call('PUT', `${creator}/payout-method`, { sandbox: random.oneOf(['ok', 'returned']) }),
    payout: () => call('POST', '/payout-runs', { creator_id: merchant.world.creator.id, minimum_cents: 0 }),
    report: async () => {
      const { count } = await merchant.database.one<{ count: bigint }>(
        sql`select count(*) as count from charges where store_id = ${merchant.storeId} and state = 'succeeded'`,
      );
      if (count > 0n) expect(await world.report(random.oneOf(reports))).toBe(200);
    },
    days: () => merchant.moveClock(`${1 + random.below(6)}d`),
  } satisfies Readonly<Record<string, Step>>;
}

const choices = [
  'sell',
  'sell',
  'approve',
  'invoice',
  'invoice',
  'payout',
  'payout',
  'report',
  'hold',
  'release',
  'card',
  'destination',
  'days',
] as const;
const stepsMax = 30;

/** Payouts that were sent in the reserve period, and all verification findings, such as payouts sent despite a hold. */
async function gains(world: RiskWorld): Promise<readonly unknown[]> {
  const { database, storeId } = world.merchant;
  const charged = await database.find<{ at: Date }>(sql`select first_charged_at as at from store_reserves where store_id = ${storeId}`);
  const sent = await database.all<{ sentAt: Date }>(sql`
    select p.sent_at from payouts p join payout_stores s using (creator_id, payout_id)
    where s.store_id = ${storeId} and s.amount_cents is not null and p.sent_at is not null`);
  const tooEarly = sent.filter(({ sentAt }) => charged === null || sentAt.getTime() - charged.at.getTime() < reserveDays * dayMs);
  return [...tooEarly, ...(await world.differences())];
}

test(`colluders are never paid with money that is in doubt (seed ${seed})`, async () => {
  for (let run = 0; run < sizeOf('collusions'); run += 1) {
    const random = randomFrom(seed + run);
    const world = await anotherRiskWorld(first);
    await world.settings({ enforce: false, reserve_days: reserveDays });
    expectSuccess(await world.merchant.api('PATCH', `${world.store}/programs/${world.merchant.world.program.id}`, { hold_days: 0 }));
    const steps = stepsOf(world, random);
    for (let step = 0; step < stepsMax; step += 1) await steps[random.oneOf(choices)]();
    expect(await gains(world), `seed ${seed}, run ${run}`).toEqual([]);
  }
});

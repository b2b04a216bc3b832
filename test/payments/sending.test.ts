import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resumeBilling, runBilling } from '../../src/billing/run-billing.ts';
import { sql } from '../../src/db/sql.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { allMovements } from '../../src/payments/sandbox-sql.ts';
import { resumePayouts } from '../../src/payouts/send-payout.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { anotherBiller } from '../support/billing.ts';
import { openMerchantAlone, type Merchant } from '../support/merchant.ts';
import { createEarner, openPayoutWorld, type PayoutWorld } from '../support/payouts.ts';

/** What charges and payouts guarantee alike about the time around the call to the provider. */
type Subject = {
  readonly platform: Platform;
  readonly run: () => Promise<unknown>;
  /** What the jobs do after a crash, some minutes later. */
  readonly resume: () => Promise<unknown>;
  readonly state: () => Promise<string>;
  /** The calls that moved money. */
  readonly movements: () => Promise<number>;
};

let merchant: Merchant;
let world: PayoutWorld;
beforeAll(async () => {
  [merchant, world] = await Promise.all([openMerchantAlone(), openPayoutWorld()]);
});
afterAll(async () => {
  await merchant.service.stop();
  await world.close();
});

async function openCharge(): Promise<Subject> {
  const biller = await anotherBiller(merchant);
  await biller.setPaymentMethod('ok');
  await biller.billable(2_000);
  const { platform } = merchant.service;
  const { storeId } = biller.merchant;
  const money = { platform, providers: openProviders(platform) };
  const stateOfCharge = sql`select state from charges where store_id = ${storeId}`;
  return {
    platform,
    run: () => runBilling(money, { storeId, minimum: null, now: platform.clock.now() }),
    resume: () => resumeBilling(money, platform.clock.now()),
    state: async () => (await platform.database.one<{ state: string }>(stateOfCharge)).state,
    movements: async () => (await biller.chargedAmounts()).length,
  };
}

async function openPayout(): Promise<Subject> {
  const { creatorId } = await createEarner(world, [3_000]);
  const { platform, money } = world;
  const before = (await allMovements(platform.database)).length;
  const stateOfPayout = sql`select state from payouts where creator_id = ${creatorId}`;
  return {
    platform,
    run: () => world.run({ creatorId }),
    resume: async () => {
      await world.later();
      await resumePayouts(money);
    },
    state: async () => (await platform.database.one<{ state: string }>(stateOfPayout)).state,
    movements: async () => (await allMovements(platform.database)).length - before,
  };
}

/** Crashes at a point and at every later one. */
async function crashAt({ platform, run }: Subject, crashPoint: string): Promise<void> {
  let isDead = false;
  platform.crashPoints.onReached = (point) => {
    isDead ||= point === crashPoint;
    if (isDead) throw new Error('the process crashes');
  };
  await run().catch(() => {});
  platform.crashPoints.onReached = () => {};
}

const protocols = [
  ['a charge', openCharge, { sent: 'billing: a charge is being sent', answered: 'billing: a charge was answered', end: 'succeeded' }],
  ['a payout', openPayout, { sent: 'payouts: sending', answered: 'payouts: answered', end: 'paid' }],
] as const;

describe.each(protocols)('%s', (_which, open, { sent, answered, end }) => {
  test('is committed as sending before the provider is called, and is sent once after a crash there', async () => {
    const subject = await open();
    await crashAt(subject, sent);
    expect([await subject.state(), await subject.movements()]).toEqual(['sending', 0]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('stays sending after a crash with the answer, and is looked up, not sent a second time', async () => {
    const subject = await open();
    await crashAt(subject, answered);
    expect([await subject.state(), await subject.movements()]).toEqual(['sending', 1]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { handleChargeEvent } from '../../src/billing/charge-invoice.ts';
import { resumeBilling, runBilling } from '../../src/billing/run-billing.ts';
import { publicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { sql } from '../../src/db/sql.ts';
import type { EventResult } from '../../src/money-movement/protocol.ts';
import type { ChargeProvider, LookedUp, MoneyOutcome, PayoutProvider } from '../../src/payments/provider.ts';
import { openProviders, type Money } from '../../src/payments/providers.ts';
import { allMovements } from '../../src/payments/sandbox-sql.ts';
import { handlePayoutEvent, resumePayouts } from '../../src/payouts/send-payout.ts';
import { anotherBiller } from '../support/billing.ts';
import { openMerchantAlone } from '../support/merchant.ts';
import { createEarner, openPayoutWorld } from '../support/payouts.ts';

/** What charges and payouts guarantee alike, whatever the provider does. */
type Subject = {
  readonly money: Money;
  readonly run: (money?: Money) => Promise<unknown>;
  /** What the jobs do after a crash, some minutes later. */
  readonly resume: (money?: Money) => Promise<unknown>;
  readonly event: (outcome: MoneyOutcome, money?: Money) => Promise<EventResult>;
  readonly state: () => Promise<string>;
  /** The calls that moved money. */
  readonly movements: () => Promise<number>;
};

const [merchant, world] = await Promise.all([openMerchantAlone(), openPayoutWorld()]);
afterAll(async () => {
  await merchant.service.stop();
  await world.close();
});

async function openCharge(word: string): Promise<Subject> {
  const biller = await anotherBiller(merchant);
  await biller.setPaymentMethod(word);
  await biller.billable(2_000);
  const { platform } = merchant.service;
  const { storeId } = biller.merchant;
  const own = { platform, providers: openProviders(platform) };
  const charge = () =>
    platform.database.one<{ state: string; chargeId: Id<'chg'> }>(sql`select state, charge_id from charges where store_id = ${storeId}`);
  return {
    money: own,
    run: (money = own) => runBilling(money, { storeId, minimum: null, now: platform.clock.now() }),
    resume: (money = own) => resumeBilling(money),
    event: async (outcome, money = own) => handleChargeEvent(money, publicId('chg', (await charge()).chargeId), outcome),
    state: async () => (await charge()).state,
    movements: async () => (await biller.chargedAmounts()).length,
  };
}

async function openPayout(word: string): Promise<Subject> {
  const { creatorId } = await createEarner(world, [3_000], word);
  const { platform, money: own } = world;
  const before = (await allMovements(platform.database)).length;
  const payout = () =>
    platform.database.one<{ state: string; payoutId: Id<'pay'> }>(
      sql`select state, payout_id from payouts where creator_id = ${creatorId}`,
    );
  return {
    money: own,
    // The run reads its providers from the world; a job does the same with those of a test.
    run: (money) => (money === undefined ? world.run({ creatorId }) : world.run({ creatorId }, money)),
    resume: async (money = own) => {
      if (money === own) await world.later();
      await resumePayouts(money);
    },
    event: async (outcome, money = own) => handlePayoutEvent(money, publicId('pay', (await payout()).payoutId), outcome),
    state: async () => (await payout()).state,
    movements: async () => (await allMovements(platform.database)).length - before,
  };
}

/** Crashes at a point and at every later one. */
async function crashAt({ money: { platform }, run }: Pick<Subject, 'money' | 'run'>, crashPoint: string): Promise<void> {
  let isDead = false;
  platform.crashPoints.onReached = (point) => {
    isDead ||= point === crashPoint;
    if (isDead) throw new Error('the process crashes');
  };
  await run().catch(() => {});
  platform.crashPoints.onReached = () => {};
}

type Answers = { readonly send?: () => Promise<MoneyOutcome>; readonly lookUp?: () => Promise<LookedUp> };

/** A provider that answers otherwise than the sandbox. */
const answering = ({ platform, providers }: Money, { send, lookUp }: Answers): Money => ({
  platform,
  providers: {
    ...providers,
    chargeProvider(name): ChargeProvider | null {
      const provider = providers.chargeProvider(name);
      return provider && { ...provider, ...(send && { charge: send }), ...(lookUp && { lookUpCharge: lookUp }) };
    },
    payoutProvider(name): PayoutProvider | null {
      const provider = providers.payoutProvider(name);
      return provider && { ...provider, ...(send && { pay: send }), ...(lookUp && { lookUpPayout: lookUp }) };
    },
  },
});

const withoutProviders = ({ platform, providers }: Money): Money => ({
  platform,
  providers: { ...providers, chargeProvider: () => null, payoutProvider: () => null },
});

/** Collects the errors that are logged. */
function withLog({ platform, providers }: Money): { readonly money: Money; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const log = Object.assign(Object.create(platform.log) as typeof platform.log, {
    error: (_fields: unknown, message: string) => void errors.push(message),
  });
  return { money: { platform: { ...platform, log }, providers }, errors };
}

const succeeded = { is: 'succeeded', providerId: 'other' } as const satisfies MoneyOutcome;
/** The newest movement, as the sandbox would report it. */
async function reportedBySandbox({ money }: Subject): Promise<MoneyOutcome> {
  const movement = (await allMovements(money.platform.database)).at(-1);
  invariant(movement, 'money moved');
  return { is: 'succeeded', providerId: movement.providerId };
}
const fail = () => Promise.reject(new Error('the library fails'));

const protocols = [
  ['a charge', openCharge, { module: 'billing', intent: 'billing: a charge is made', end: 'succeeded', waiting: 'pending' }],
  ['a payout', openPayout, { module: 'payouts', intent: 'payouts: drafted', end: 'paid', waiting: 'sending' }],
] as const;

describe.each(protocols)('%s', (_which, open, { module, end, waiting }) => {
  test('is committed as sending before the provider is called, and is sent once after a crash there', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: sending`);
    expect([await subject.state(), await subject.movements()]).toEqual(['sending', 0]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('stays sending after a crash with the answer, and is looked up, not sent a second time', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: answered`);
    expect([await subject.state(), await subject.movements()]).toEqual(['sending', 1]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('is settled once if it is resumed by two processes at the same time', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: answered`);
    await Promise.all([subject.resume(), subject.resume()]);
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('is settled by an event before our own call was answered, and repeated events change nothing', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: answered`);
    const reported = await reportedBySandbox(subject);
    expect([await subject.event(reported), await subject.event(reported)]).toEqual(['applied', 'applied']);
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('is not settled by an event that a look-up does not confirm', async () => {
    const subject = await open('never');
    await subject.run();
    expect(await subject.state()).toBe(waiting);
    await subject.event(succeeded, answering(subject.money, { lookUp: async () => ({ is: 'pending', providerId: 'own' }) }));
    expect(await subject.state()).toBe(waiting);
    expect(await subject.event(succeeded, answering(subject.money, { lookUp: async () => ({ is: 'absent' }) }))).toBe('not_confirmed');
    expect(await subject.state()).toBe(waiting);
  });
});

describe.each(protocols)('%s', (_which, open, { module, end }) => {
  test('is not sent again if an event settled it while the provider was asked', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: sending`);
    const confirmed = answering(subject.money, { lookUp: async () => succeeded });
    let calls = 0;
    const money = answering(subject.money, {
      async lookUp() {
        await subject.event(succeeded, confirmed);
        return { is: 'absent' };
      },
      async send() {
        calls += 1;
        return succeeded;
      },
    });
    await subject.resume(await minutesLater(subject, money));
    expect([await subject.state(), calls]).toEqual([end, 0]);
  });
});

describe.each(protocols)('%s whose provider fails', (_which, open, { module, intent, end, waiting }) => {
  test('treats a look-up that throws as unanswered: the event is reported again, and nothing moves twice', async () => {
    const subject = await open('ok');
    await crashAt(subject, `${module}: answered`);
    const failing = answering(subject.money, { lookUp: fail });
    expect(await subject.event(succeeded, failing)).toBe('not_confirmed');
    expect(await subject.state()).toBe('sending');
    await subject.resume(failing);
    expect(await subject.movements()).toBe(1);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('treats a call that throws as unknown, and is looked up later', async () => {
    const subject = await open('ok');
    await subject.run(answering(subject.money, { send: fail }));
    expect([await subject.state(), await subject.movements()]).toEqual(['unknown', 0]);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });

  test('logs an error if the provider accepted it and does not find it later, and does not send it again', async () => {
    const subject = await open('never');
    await subject.run();
    let calls = 0;
    const send = async () => {
      calls += 1;
      return succeeded;
    };
    const { money, errors } = withLog(answering(subject.money, { send, lookUp: async () => ({ is: 'absent' }) }));
    await subject.resume(await minutesLater(subject, money));
    expect([await subject.state(), calls]).toEqual([waiting, 0]);
    expect(errors).toContain(`${module}: the provider accepted this and does not find it now; ask the provider`);
  });

  test('is not committed as sending while its provider is not configured, and is sent once it is', async () => {
    const subject = await open('ok');
    await crashAt(subject, intent);
    expect(await subject.state()).toBe('ready');
    const { money, errors } = withLog(withoutProviders(subject.money));
    await subject.resume(money);
    expect(await subject.state()).toBe('ready');
    expect(errors).toContain(`${module}: the payment provider is not configured`);
    await subject.resume();
    expect([await subject.state(), await subject.movements()]).toEqual([end, 1]);
  });
});

test('a payout whose draft is given up is not sent, and nothing is logged as an error', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'ok');
  const subject = { money: world.money, run: () => world.run({ creatorId }) };
  await crashAt(subject, 'payouts: begun');
  await world.platform.database.run(sql`update creators set suspended_at = now() where creator_id = ${creatorId}`);
  const { money, errors } = withLog(world.money);
  await resumePayouts(money);
  const states = await world.platform.database.all(sql`select state from payouts where creator_id = ${creatorId}`);
  expect([states, errors]).toEqual([[{ state: 'given_up' }], []]);
});

/** A payout is not looked up within a minute after its last call. */
async function minutesLater({ money: { platform } }: Subject, money: Money): Promise<Money> {
  const clock = { ...platform.clock, now: () => new Date(platform.clock.now().getTime() + 600_000) };
  return { ...money, platform: { ...money.platform, clock } };
}

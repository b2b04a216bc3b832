import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectInvoice } from '../../src/billing/collect-invoice.ts';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { issueDailyInvoices, chargeDueInvoices, chargeOpenInvoices, runBilling, resumeBilling } from '../../src/billing/run-billing.ts';
import { handleChargeEvent } from '../../src/billing/charge-invoice.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { hourMs } from '../../src/core/time.ts';
import { type Money, openProviders } from '../../src/payments/providers.ts';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { allMovements } from '../../src/payments/sandbox-sql.ts';
import { anotherBiller, type Biller, differences } from '../support/billing.ts';
import { type Merchant, openMerchantAlone } from '../support/merchant.ts';
import { type Prng, randomFrom, reportMeasurement, seed, sizeOf } from '../support/size.ts';

/**
 * Crashes at every step of issuing, charging, and collecting, for every outcome of a provider call: the process crashes at the n-th
 * step, and three passes of the jobs settle what it left.
 */
let merchant: Merchant;
let money: Money;
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
});
afterAll(() => merchant.service.stop());

const words = [
  'ok',
  'declined',
  'error_done',
  'error_not_done',
  'timeout_done',
  'timeout_not_done',
  'webhook_first',
  'never',
  'five_times',
  'reordered',
];

class Died extends Error {}

/** A job that processes several stores wraps what failed as the cause of its error. */
const isDeath = (error: unknown): boolean => error instanceof Died || (error instanceof Error && isDeath(error.cause));

/** Crashes at the n-th step and at every later one. Returns the steps that were reached. */
async function dyingAt(n: number, work: () => Promise<unknown>): Promise<readonly string[]> {
  const { crashPoints } = money.platform;
  const steps: string[] = [];
  crashPoints.onReached = (point) => {
    if (!point.startsWith('billing:')) return;
    steps.push(point.replace('billing: ', ''));
    if (steps.length >= n) throw new Died(point);
  };
  await work().catch((error: unknown) => invariant(isDeath(error), `only the crash ended the work: ${String(error)}`));
  crashPoints.onReached = () => {};
  return steps;
}

/** Runs the jobs and repeats the requested run, while the provider delivers its events. */
async function pass(biller: Biller): Promise<void> {
  const now = () => money.platform.clock.now();
  for (const { reference, providerId } of await ownMovements(biller)) {
    await endInSandbox(money.platform, reference, 'succeeded');
    for (let times = 0; times < 2; times += 1) await handleChargeEvent(money, reference, { is: 'succeeded', providerId });
  }
  for (const job of [issueDailyInvoices, chargeDueInvoices, resumeBilling]) await job(money, now());
  await runBilling(money, { storeId: biller.merchant.storeId, minimum: null, now: now() });
}

async function ownMovements(biller: Biller) {
  const ours = new Set(await biller.references());
  return (await allMovements(money.platform.database)).filter(({ reference }) => ours.has(reference));
}

type Dying = {
  readonly word: string;
  readonly dieAt: number;
  readonly amounts?: readonly number[];
  /** Crashes again at this step of the first following pass. */
  readonly again?: number;
};

type Lived = { readonly steps: readonly string[]; readonly end: string };

async function oneLife({ word, dieAt, amounts = [1_000, 500], again }: Dying): Promise<Lived> {
  const biller = await anotherBiller(merchant);
  const { storeId } = biller.merchant;
  await biller.setPaymentMethod(word);
  await biller.billable(...amounts);
  const asked = { storeId, minimum: null, now: money.platform.clock.now() };
  const steps = await dyingAt(dieAt, () => runBilling(money, asked));
  if (again !== undefined) await dyingAt(again, () => pass(biller));
  for (let passes = 0; passes < 3; passes += 1) await pass(biller);
  const [invoice] = await biller.invoices();
  const states = JSON.stringify(await biller.states());
  return { steps, end: `${invoice?.state ?? 'none'} ${(await biller.chargedAmounts()).join('+')} ${states}` };
}

/** The first case of every method name is fixed; the others have random amounts that reach the minimum, and crash twice. */
const lives: readonly (Prng | null)[] = [
  null,
  ...Array.from({ length: sizeOf('crashSeeds') - 1 }, (_none, place) => randomFrom(seed + place)),
];
const secondStepMost = 8;

/** The test crashes at each of these steps, so none of them may disappear. */
const issuing = ['an invoice is begun', 'a part is gathered', 'an invoice is issued'];
const sending = ['a charge is made', 'a charge is being sent'];
const ending = ['a charge was answered', 'a charge is settled'];
const collecting = 'a part is collected';
function stepsOf(word: string): readonly string[] {
  if (word === 'webhook_first') return [...issuing, ...sending, 'a charge is settled', collecting, ...ending];
  return [...issuing, ...sending, ...ending, ...(['ok', 'five_times'].includes(word) ? [collecting] : [])];
}

test.each(words)(
  'after a crash at any step of a charge that ends as %s, charges the store once and settles everything in three passes',
  async (word) => {
    let deaths = 0;
    for (const chance of lives) {
      const amounts = chance === null ? [1_000, 500] : Array.from({ length: 1 + chance.below(4) }, () => 1_000 + chance.below(9_000));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      const count = amounts.length;
      const settled = word === 'declined' ? `retrying  {"billed":${count}}` : `paid ${total} {"collected":${count}}`;
      const { steps, end } = await oneLife({ word, dieAt: Number.POSITIVE_INFINITY, amounts });
      expect(end).toBe(settled);
      expect(steps).toEqual(stepsOf(word));
      for (let dieAt = 1; dieAt <= steps.length; dieAt += 1) {
        const again = chance === null ? {} : { again: 1 + chance.below(secondStepMost) };
        const lived = await oneLife({ word, dieAt, amounts, ...again });
        expect({ word, dieAt, ...again, end: lived.end }).toEqual({ word, dieAt, ...again, end: settled });
        deaths += 1;
      }
    }
    expect(await differences(merchant)).toEqual([]);
    reportMeasurement({
      what: `death at every step of a charge that ends as ${word}`,
      measured: `${deaths} lives in ${lives.length} variants: 0 double charges, all settled in 3 passes, verify clean`,
    });
  },
);

test('after a crash between chunks of a large invoice, the next run resumes it and adds every commission once', async () => {
  const amounts = Array.from({ length: 2_001 }, () => 100);
  const whole = await oneLife({ word: 'ok', dieAt: Number.POSITIVE_INFINITY, amounts });
  const settled = 'paid 200100 {"collected":2001}';
  expect(whole.end).toBe(settled);
  const parts = (step: string) => [step, step, step];
  expect(whole.steps).toEqual([
    'an invoice is begun',
    ...parts('a part is gathered'),
    'an invoice is issued',
    ...sending,
    ...ending,
    ...parts(collecting),
  ]);
  // After the first of three chunks.
  for (const step of ['a part is gathered', collecting]) {
    const lived = await oneLife({ word: 'ok', dieAt: whole.steps.indexOf(step) + 1, amounts });
    expect([lived.steps.at(-1), lived.end]).toEqual([step, settled]);
  }
  expect(await differences(merchant)).toEqual([]);
});

test('after a crash at any step of a lost dispute or of the repayment, no commission is reported or invoiced twice', async () => {
  const lifeOf = async (dieAt: number) => {
    const biller = await anotherBiller(merchant);
    await biller.billable(1_000, 500);
    await biller.run();
    const [reference = ''] = await biller.references();
    const now = money.platform.clock.now();
    const event = { about: 'dispute_lost', eventId: `n ${reference}`, reference, at: now, why: 'not recognised' } as const;
    const steps = await dyingAt(dieAt, async () => {
      await loseDispute(money, event);
      await chargeOpenInvoices(money, biller.merchant.storeId, now);
    });
    for (let passes = 0; passes < 3; passes += 1) {
      await loseDispute(money, event);
      await resumeBilling(money, now);
      await chargeOpenInvoices(money, biller.merchant.storeId, now);
    }
    expect([await biller.chargedAmounts(), await biller.states(), await biller.outbox()]).toEqual([
      [1_500, 1_500],
      { collected: 2 },
      [
        { kind: 'charged_back', count: 2, cents: 1_500 },
        { kind: 'collected', count: 4, cents: 3_000 },
      ],
    ]);
    return steps;
  };
  const steps = await lifeOf(Number.POSITIVE_INFINITY);
  expect(steps).toEqual(['a dispute is lost', 'a part is taken back', ...sending, ...ending, collecting]);
  for (let dieAt = 1; dieAt <= steps.length; dieAt += 1) await lifeOf(dieAt);
  expect(await differences(merchant)).toEqual([]);
});

test('collects nothing for an invoice whose payment was reversed before collection', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_000, 500);
  const asked = { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() };
  // The invoice is created, drafted, and issued; its charge is created, sent, answered, and settled.
  await dyingAt(7, () => runBilling(money, asked));
  expect([await biller.chargedAmounts(), await biller.states()]).toEqual([[1_500], { billed: 2 }]);
  const [reference = ''] = await biller.references();
  const { now: at } = asked;
  expect(await loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference, at, why: 'not recognised' })).toBe('done');
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const invoiceId = readPublicId('inv', id);
  invariant(invoiceId, 'an invoice has an ID');
  await collectInvoice(money.platform, { storeId: biller.merchant.storeId, invoiceId }, at);
  expect([(await biller.invoices())[0].state, await biller.states(), await biller.outbox()]).toEqual(['charged_back', { billed: 2 }, []]);
  expect(await differences(merchant)).toEqual([]);
});

test('never reuses a key that the provider may have forgotten, and charges an absent charge anew, once', async () => {
  const biller = await anotherBiller(merchant);
  await biller.setPaymentMethod('timeout_not_done');
  await biller.billable(2_000);
  expect(await biller.run()).toMatchObject([{ state: 'unknown' }]);
  const { database, clock } = money.platform;
  const later = new Date(clock.now().getTime() + 30 * hourMs);
  const own = { ...money, platform: { ...money.platform, clock: { ...clock, now: () => later } } };
  const [first] = await biller.references();
  await resumeBilling(own, later);
  const [invoice] = await biller.invoices();
  expect([invoice.state, (await biller.references()).length]).toEqual(['issued', 1]);
  await biller.setPaymentMethod('ok');
  await chargeDueInvoices(own, later);
  const references = await biller.references();
  expect([references.length, references[0]]).toEqual([2, first]);
  expect(await biller.chargedAmounts()).toEqual([2_000]);
  expect((await allMovements(database)).filter(({ reference }) => reference === first)).toEqual([]);
  expect(await differences(merchant)).toEqual([]);
});

test('the next charge includes the number and amount of what a crashed run drafted', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_000, 500);
  // The invoice is created, and one chunk is drafted.
  await dyingAt(2, () => runBilling(money, { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() }));
  expect(await biller.states()).toEqual({ billed: 2 });
  await biller.billable(700);
  const { json } = await biller.merchant.api('GET', `${biller.store}/billing`);
  expect(json).toMatchObject({ lines_count: 3, lines_cents: 2_200 });
  await pass(biller);
  expect(await biller.chargedAmounts()).toEqual([2_200]);
});

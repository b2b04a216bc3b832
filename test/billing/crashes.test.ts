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
import { crashAt as crashPlatformAt, type CrashedKind, expectSettledAfterEveryCrash } from '../money-movement/crash-guarantee.ts';
import { type Merchant, openMerchantAlone } from '../support/merchant.ts';
import { isFull } from '../support/size.ts';

/** Crashes at every step of issuing, charging, and collecting, for every outcome of a provider call. */
let merchant: Merchant;
let money: Money;
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
});
afterAll(() => merchant.service.stop());

/** A charge whose answer arrives, is lost, and is overtaken by its event. The others reach the same ends on other paths. */
const quickWords = ['ok', 'timeout_done', 'webhook_first'];
const otherWords = ['declined', 'error_done', 'error_not_done', 'timeout_not_done', 'never', 'five_times', 'reordered'];
const words = isFull ? [...quickWords, ...otherWords] : quickWords;

/** Returns the steps of billing that were reached. */
const crashAt = (crashStep: number, work: () => Promise<unknown>) =>
  crashPlatformAt(money.platform, { crashStep, prefix: 'billing: ' }, work);

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

type BillingCase = {
  readonly word: string;
  readonly crashStep: number;
  readonly amounts?: readonly number[];
  /** Crashes again at this step of the first following pass. */
  readonly again?: number;
};

type CaseResult = { readonly steps: readonly string[]; readonly end: string };

async function runCase({ word, crashStep, amounts = [1_000, 500], again }: BillingCase): Promise<CaseResult> {
  const biller = await anotherBiller(merchant);
  const { storeId } = biller.merchant;
  await biller.setPaymentMethod(word);
  await biller.billable(...amounts);
  const command = { storeId, minimum: null, now: money.platform.clock.now() };
  const steps = await crashAt(crashStep, () => runBilling(money, command));
  if (again !== undefined) await crashAt(again, () => pass(biller));
  for (let passes = 0; passes < 3; passes += 1) await pass(biller);
  const [invoice] = await biller.invoices();
  const states = JSON.stringify(await biller.states());
  return { steps, end: `${invoice?.state ?? 'none'} ${(await biller.chargedAmounts()).join('+')} ${states}` };
}

const secondStepMost = 8;

/** The test crashes at each of these steps, so none of them may disappear. */
const issuing = ['an invoice is begun', 'a chunk is drafted', 'an invoice is issued'];
const sending = ['a charge is made', 'sending'];
const ending = ['answered', 'settled'];
const collecting = 'a part is collected';
function stepsOf(word: string): readonly string[] {
  if (word === 'webhook_first') return [...issuing, ...sending, 'settled', collecting, ...ending];
  return [...issuing, ...sending, ...ending, ...(['ok', 'five_times'].includes(word) ? [collecting] : [])];
}

const charges: CrashedKind = {
  noun: 'charge',
  stepsOf,
  differences: () => differences(merchant),
  async runCase({ word, crashStep, random }) {
    // Random amounts reach the minimum.
    const amounts = random === null ? [1_000, 500] : Array.from({ length: 1 + random.below(4) }, () => 1_000 + random.below(9_000));
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const count = amounts.length;
    const again = random === null ? {} : { again: 1 + random.below(secondStepMost) };
    const { steps, end } = await runCase({ word, crashStep, amounts, ...again });
    const settled = word === 'declined' ? `retrying  {"billed":${count}}` : `paid ${total} {"collected":${count}}`;
    expect({ word, crashStep, ...again, end }).toEqual({ word, crashStep, ...again, end: settled });
    return steps;
  },
};

test.each(words)(
  'after a crash at any step of a charge that ends as %s, charges the store once and settles everything in three passes',
  (word) => expectSettledAfterEveryCrash(charges, word),
);

test('after a crash between chunks of a large invoice, the next run resumes it and adds every commission once', async () => {
  const amounts = Array.from({ length: 2_001 }, () => 100);
  const whole = await runCase({ word: 'ok', crashStep: Number.POSITIVE_INFINITY, amounts });
  const settled = 'paid 200100 {"collected":2001}';
  expect(whole.end).toBe(settled);
  const parts = (step: string) => [step, step, step];
  expect(whole.steps).toEqual([
    'an invoice is begun',
    ...parts('a chunk is drafted'),
    'an invoice is issued',
    ...sending,
    ...ending,
    ...parts(collecting),
  ]);
  // After the first of three chunks.
  for (const step of ['a chunk is drafted', collecting]) {
    const result = await runCase({ word: 'ok', crashStep: whole.steps.indexOf(step) + 1, amounts });
    expect([result.steps.at(-1), result.end]).toEqual([step, settled]);
  }
  expect(await differences(merchant)).toEqual([]);
});

test('after a crash at any step of a lost dispute or of the repayment, no commission is reported or invoiced twice', async () => {
  const runDispute = async (crashStep: number) => {
    const biller = await anotherBiller(merchant);
    await biller.billable(1_000, 500);
    await biller.run();
    const [reference = ''] = await biller.references();
    const now = money.platform.clock.now();
    const event = { about: 'dispute_lost', eventId: `n ${reference}`, reference, at: now, why: 'not recognised' } as const;
    const steps = await crashAt(crashStep, async () => {
      await loseDispute(money, event);
      await chargeOpenInvoices(money, biller.merchant.storeId, now);
    });
    for (let passes = 0; passes < 3; passes += 1) {
      await loseDispute(money, event);
      await resumeBilling(money);
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
  const steps = await runDispute(Number.POSITIVE_INFINITY);
  expect(steps).toEqual(['a dispute is lost', 'a chunk is reversed', ...sending, ...ending, collecting]);
  for (let crashStep = 1; crashStep <= steps.length; crashStep += 1) await runDispute(crashStep);
  expect(await differences(merchant)).toEqual([]);
});

test('collects nothing for an invoice whose payment was reversed before collection', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_000, 500);
  const command = { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() };
  // The invoice is created, drafted, and issued; its charge is created, sent, answered, and settled.
  await crashAt(7, () => runBilling(money, command));
  expect([await biller.chargedAmounts(), await biller.states()]).toEqual([[1_500], { billed: 2 }]);
  const [reference = ''] = await biller.references();
  const { now: at } = command;
  expect(await loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference, at, why: 'not recognised' })).toBe('applied');
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const invoiceId = readPublicId('inv', id);
  invariant(invoiceId, 'an invoice has an ID');
  await collectInvoice(money.platform, { storeId: biller.merchant.storeId, invoiceId });
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
  await resumeBilling(own);
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
  await crashAt(2, () => runBilling(money, { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() }));
  expect(await biller.states()).toEqual({ billed: 2 });
  await biller.billable(700);
  const { json } = await biller.merchant.api('GET', `${biller.store}/billing`);
  expect(json).toMatchObject({ lines_count: 3, lines_cents: 2_200 });
  await pass(biller);
  expect(await biller.chargedAmounts()).toEqual([2_200]);
});

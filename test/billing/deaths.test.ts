import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectInvoice } from '../../src/billing/collect.ts';
import { disputeLost } from '../../src/billing/disputes.ts';
import { billEarly, chargeDue, chargeOpen, settleOpen } from '../../src/billing/jobs.ts';
import { runBilling } from '../../src/billing/run.ts';
import { settleCharge } from '../../src/billing/settle-from-outside.ts';
import { readPublicId } from '../../src/platform/ids.ts';
import { must } from '../../src/platform/must.ts';
import { hourMs } from '../../src/platform/time.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { allMovements } from '../../src/providers/sandbox-sql.ts';
import { anotherBiller, differences, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type Merchant } from '../support/merchant.ts';
import { chanceFrom, seed, sizeOf, tellFigure, type Chance } from '../support/size.ts';

/**
 * Death at every step of issuing, charging and collecting, for every way in which a provider's call can end: the process dies at
 * the n-th step, whatever it was doing is left as it is, and three passes of the jobs settle it.
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

/** A job that works through several stores names what failed as the cause of its own error. */
const isDeath = (error: unknown): boolean => error instanceof Died || (error instanceof Error && isDeath(error.cause));

/** Dead from the n-th step on: nothing is reached any more, and whoever tries dies again. Gives the steps that there were. */
async function dyingAt(n: number, work: () => Promise<unknown>): Promise<readonly string[]> {
  const { faultPoints } = money.platform;
  const steps: string[] = [];
  faultPoints.onReached = (point) => {
    if (!point.startsWith('billing:')) return;
    steps.push(point.replace('billing: ', ''));
    if (steps.length >= n) throw new Died(point);
  };
  await work().catch((error: unknown) => must(isDeath(error), `only the death ended it: ${String(error)}`));
  faultPoints.onReached = () => {};
  return steps;
}

/** The jobs, and the run asked for once more; whatever the provider has to tell by itself is told meanwhile. */
async function pass(biller: Biller): Promise<void> {
  const now = () => money.platform.clock.now();
  for (const { reference, providerId } of await ownMovements(biller)) {
    await endInSandbox(money.platform, reference, 'succeeded');
    for (let times = 0; times < 2; times += 1) await settleCharge(money, reference, { is: 'succeeded', providerId });
  }
  for (const job of [billEarly, chargeDue, settleOpen]) await job(money, now());
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
  /** Dies again, at this step of the first pass that follows. */
  readonly again?: number;
};

type Lived = { readonly steps: readonly string[]; readonly end: string };

async function oneLife({ word, dieAt, amounts = [1_000, 500], again }: Dying): Promise<Lived> {
  const biller = await anotherBiller(merchant);
  const { storeId } = biller.merchant;
  await biller.pays(word);
  await biller.billable(...amounts);
  const asked = { storeId, minimum: null, now: money.platform.clock.now() };
  const steps = await dyingAt(dieAt, () => runBilling(money, asked));
  if (again !== undefined) await dyingAt(again, () => pass(biller));
  for (let passes = 0; passes < 3; passes += 1) await pass(biller);
  const [invoice] = await biller.invoices();
  const states = JSON.stringify(await biller.states());
  return { steps, end: `${invoice?.state ?? 'none'} ${(await biller.taken()).join('+')} ${states}` };
}

/** The first life of every word is always the same; the others have other amounts, none too small for a bill, and die twice. */
const lives: readonly (Chance | null)[] = [
  null,
  ...Array.from({ length: sizeOf('seedsOfDeaths') - 1 }, (_none, place) => chanceFrom(seed + place)),
];
const secondStepMost = 8;

/** A death at each of these is what is tried, so none of them may go missing. */
const issuing = ['an invoice is begun', 'a part is gathered', 'an invoice is issued'];
const sending = ['a charge is made', 'a charge is being sent'];
const ending = ['a charge was answered', 'a charge is settled'];
const collecting = 'a part is collected';
function stepsOf(word: string): readonly string[] {
  if (word === 'webhook_first') return [...issuing, ...sending, 'a charge is settled', collecting, ...ending];
  return [...issuing, ...sending, ...ending, ...(['ok', 'five_times'].includes(word) ? [collecting] : [])];
}

test.each(words)(
  'dead at any step of a charge that ends as %s, the store is charged once, and all is settled in three passes',
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
    tellFigure({
      what: `death at every step of a charge that ends as ${word}`,
      came: `${deaths} lives in ${lives.length} variants: 0 double charges, all settled in 3 passes, verify clean`,
    });
  },
);

test('dead between the parts of a large invoice, the next run goes on with the same one, and every commission is on it once', async () => {
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
  // After the first part of three, when the other two are still to come.
  for (const step of ['a part is gathered', collecting]) {
    const lived = await oneLife({ word: 'ok', dieAt: whole.steps.indexOf(step) + 1, amounts });
    expect([lived.steps.at(-1), lived.end]).toEqual([step, settled]);
  }
  expect(await differences(merchant)).toEqual([]);
});

test('dead at any step of taking a lost dispute back, and of being paid again, no commission is told or billed twice', async () => {
  const lifeOf = async (dieAt: number) => {
    const biller = await anotherBiller(merchant);
    await biller.billable(1_000, 500);
    await biller.run();
    const [reference = ''] = await biller.references();
    const now = money.platform.clock.now();
    const news = { about: 'dispute_lost', newsId: `n ${reference}`, reference, at: now, why: 'not recognised' } as const;
    const steps = await dyingAt(dieAt, async () => {
      await disputeLost(money, news);
      await chargeOpen(money, biller.merchant.storeId, now);
    });
    for (let passes = 0; passes < 3; passes += 1) {
      await disputeLost(money, news);
      await settleOpen(money, now);
      await chargeOpen(money, biller.merchant.storeId, now);
    }
    expect([await biller.taken(), await biller.states(), await biller.outbox()]).toEqual([
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

test('paid, and taken back before it was collected: nobody collects what nobody has paid', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_000, 500);
  const asked = { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() };
  // An invoice is begun, gathered and issued; its charge made, sent, answered, settled.
  await dyingAt(7, () => runBilling(money, asked));
  expect([await biller.taken(), await biller.states()]).toEqual([[1_500], { billed: 2 }]);
  const [reference = ''] = await biller.references();
  const { now: at } = asked;
  expect(await disputeLost(money, { about: 'dispute_lost', newsId: 'n', reference, at, why: 'not recognised' })).toBe('done');
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const invoiceId = readPublicId('inv', id);
  must(invoiceId, 'an invoice has an id');
  await collectInvoice(money.platform, { storeId: biller.merchant.storeId, invoiceId }, at);
  expect([(await biller.invoices())[0].state, await biller.states(), await biller.outbox()]).toEqual(['charged_back', { billed: 2 }, []]);
  expect(await differences(merchant)).toEqual([]);
});

test('a key that the provider may have forgotten is never sent again: what is not found in its book is charged anew, once', async () => {
  const biller = await anotherBiller(merchant);
  await biller.pays('timeout_not_done');
  await biller.billable(2_000);
  expect(await biller.run()).toMatchObject([{ state: 'unknown' }]);
  const { database, clock } = money.platform;
  const later = new Date(clock.now().getTime() + 30 * hourMs);
  const own = { ...money, platform: { ...money.platform, clock: { ...clock, now: () => later } } };
  const [first] = await biller.references();
  await settleOpen(own, later);
  const [invoice] = await biller.invoices();
  expect([invoice.state, (await biller.references()).length]).toEqual(['issued', 1]);
  await biller.pays('ok');
  await chargeDue(own, later);
  const references = await biller.references();
  expect([references.length, references[0]]).toEqual([2, first]);
  expect(await biller.taken()).toEqual([2_000]);
  expect((await allMovements(database)).filter(({ reference }) => reference === first)).toEqual([]);
  expect(await differences(merchant)).toEqual([]);
});

test('what a run that died has gathered is told with the next charge, in number and amount', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(1_000, 500);
  // An invoice is begun, a part is gathered.
  await dyingAt(2, () => runBilling(money, { storeId: biller.merchant.storeId, minimum: null, now: money.platform.clock.now() }));
  expect(await biller.states()).toEqual({ billed: 2 });
  await biller.billable(700);
  const { json } = await biller.merchant.api('GET', `${biller.store}/billing`);
  expect(json).toMatchObject({ lines_count: 3, lines_cents: 2_200 });
  await pass(biller);
  expect(await biller.taken()).toEqual([2_200]);
});

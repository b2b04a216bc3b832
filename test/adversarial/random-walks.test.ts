import { afterAll, expect, test } from 'vitest';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { hasUnpaid } from '../../src/billing/invoices-sql.ts';
import { chargeOpenInvoices } from '../../src/billing/run-billing.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { anotherBiller, type Biller, differences, expectSuccess } from '../support/billing.ts';
import { type Json, openMerchant } from '../support/merchant.ts';
import { type Prng, randomFrom } from '../support/size.ts';

/** Everything that can happen to a store's money, in random order and up to four at a time: no error, and every book agrees. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const { platform } = merchant.service;
const money = { platform, providers: openProviders(platform) };
expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 1_037 }));

type Step = () => Promise<unknown>;
const amountMax = 5_000;

function stepsOf(biller: Biller, prng: Prng) {
  const { api, storeId, database, world } = biller.merchant;
  const commissions: string[] = [];
  let eventCount = 0;
  const now = () => money.platform.clock.now();
  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await api(method, path, body);
    invariant(response.status < 500, `it was answered: ${response.text}`);
    return response.json;
  };
  const setAccount = (word: string) => database.run(sql`update payout_methods set instrument = ${word} where replaced_at is null`);
  return {
    sell: async () => commissions.push(...(await biller.billable(...[1, 2].map(() => 1 + prng.below(amountMax))))),
    run: () => send('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 }),
    card: async () => {
      await biller.setPaymentMethod(prng.oneOf(['ok', 'declined', 'insufficient_then_ok', 'timeout_done', 'error_done']));
      await chargeOpenInvoices(money, storeId, now());
    },
    fixPaymentMethod: async () => {
      await biller.setPaymentMethod('ok');
      await chargeOpenInvoices(money, storeId, now());
    },
    credit: async () => {
      const invoices = await biller.invoices();
      if (invoices.length === 0) return;
      const path = `${biller.store}/invoices/${prng.oneOf(invoices).id}`;
      const lines: readonly Json[] = (await send('GET', path)).lines;
      const named = lines.filter(() => prng.isOneIn(2)).map(({ commission_id: id }) => id);
      const body = { commission_ids: named, reason: 'refunded', operator_bears: prng.isOneIn(2) };
      if (named.length > 0) await send('POST', `${path}/credit-notes`, body);
    },
    dispute: async () => {
      const references = await biller.references();
      if (references.length === 0) return;
      const event = { about: 'dispute_lost', eventId: `n ${(eventCount += 1)}`, at: now(), why: 'not recognised' } as const;
      await loseDispute(money, { ...event, reference: prng.oneOf(references) });
    },
    payout: async () => {
      await setAccount(prng.oneOf(['ok', 'ok', 'returned', 'declined', 'timeout_done']));
      await send('POST', '/payout-runs', { creator_id: world.creator.id, minimum_cents: 0 });
    },
    back: async () => {
      const { data } = await send('GET', `/creators/${world.creator.id}/payouts`);
      for (const { id } of data.slice(0, 1)) await send('POST', `/payouts/${id}/mark-returned`, { reason: 'came back' });
    },
    hold: async () => {
      if (commissions.length > 0)
        await send('POST', `${biller.store}/commissions/hold`, { ids: [prng.oneOf(commissions)], reason: 'dispute' });
    },
    release: async () => {
      if (commissions.length > 0) await send('POST', `${biller.store}/commissions/release`, { ids: commissions });
    },
    archive: () => send('POST', `${biller.store}/archive`),
    unarchive: () => send('POST', `${biller.store}/unarchive`),
    minutes: () => merchant.moveClock('3m'),
  } satisfies Readonly<Record<string, Step>>;
}

type Steps = ReturnType<typeof stepsOf>;
const alone = [
  'sell',
  'sell',
  'run',
  'card',
  'fixPaymentMethod',
  'credit',
  'dispute',
  'payout',
  'back',
  'hold',
  'release',
  'archive',
  'unarchive',
  'minutes',
] as const;
const atOnce = ['run', 'credit', 'credit', 'dispute', 'payout', 'back', 'hold', 'release', 'fixPaymentMethod'] as const;
const stepsMax = 24;

async function walked(steps: Steps, prng: Prng): Promise<void> {
  for (let step = 0; step < stepsMax; step += 1) {
    if (prng.isOneIn(2)) await steps[prng.oneOf(alone)]();
    else await Promise.all([1, 2, 3, 4].map(() => steps[prng.oneOf(atOnce)]()));
  }
}

test.each([11, 12, 13])('walk %s: the books agree in any order of events, and a store that pays again owes nothing', async (seed) => {
  const prng = randomFrom(seed);
  const biller = await anotherBiller(merchant);
  const steps = stepsOf(biller, prng);
  await walked(steps, prng);
  expect(await differences(merchant)).toEqual([]);
  const isPastDue = (await biller.status()) === 'past_due';
  expect(isPastDue && !(await hasUnpaid(merchant.database, biller.merchant.storeId))).toBe(false);

  for (const last of [
    'unarchive',
    'release',
    'minutes',
    'fixPaymentMethod',
    'minutes',
    'run',
    'minutes',
    'fixPaymentMethod',
    'run',
  ] as const)
    await steps[last]();
  const states = (await biller.invoices()).map(({ state }) => state);
  expect(states.filter((state) => state !== 'paid' && state !== 'void')).toEqual([]);
  expect(await biller.status()).toBe('active');
  expect(await differences(merchant)).toEqual([]);
});

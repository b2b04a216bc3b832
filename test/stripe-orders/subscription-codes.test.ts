import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { type Webhook } from '../sdk/stripe-objects.ts';
import {
  apiKey,
  connect,
  deliver,
  paymentLinkSubscription,
  processed,
  signingSecret,
  startStripeAccount,
  type Buying,
} from './stripe-account.ts';

let merchant: Merchant;
let stripe: Awaited<ReturnType<typeof startStripeAccount>>;
beforeAll(async () => {
  stripe = await startStripeAccount();
  merchant = await openMerchant(await startTestService({ STRIPE_API: stripe.host }));
  stripe.keep({ id: 'promo_spring', object: 'promotion_code', code: 'spring10' });
  stripe.keep({ id: 'promo_welcome', object: 'promotion_code', code: 'WELCOME' });
  await merchant.moveClock('2d');
  expectSuccess(await connect(merchant, { signing_secret: signingSecret, api_key: apiKey }));
});
afterAll(async () => {
  stripe.close();
  await merchant.service.stop();
});
beforeEach(() => void (stripe.account.requests = []));

const program = (): string => `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;

async function countCodes(codes: 'when_no_click' | 'off'): Promise<void> {
  const terms = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 2_000 }], codes };
  expectSuccess(await merchant.api('POST', `${program()}/terms`, terms));
  await merchant.moveClock('1h');
}

function subscribe(buying: Omit<Buying, 'at' | 'fields'>, fields: object = {}) {
  const { product_id: product, price_id: price } = merchant.world.subscription;
  const items = { object: 'list', data: [{ id: 'si_1', price: { id: price, product } }] };
  const bought = paymentLinkSubscription({ at: new Date(merchant.at()), ...buying, fields: { items, ...fields } as object });
  stripe.keep(bought.subscription, bought.session, bought.first);
  return bought;
}

/** Delivers the events, and returns what became of each. */
async function deliverAll(...events: readonly Webhook[]): Promise<readonly string[]> {
  for (const event of events) expect(await deliver(merchant, event)).toBe(200);
  const shown = await processed(merchant);
  return events.map(({ raw }) => {
    const { id } = JSON.parse(raw);
    const found = shown.find((one) => one.event_id === id);
    return [found?.state, found?.reason].filter(Boolean).join(' ');
  });
}

test('a store whose terms count only clicks ignores the subscription, and nothing is read from Stripe', async () => {
  const { created, paid, first, completed, ended } = subscribe({ codes: ['promo_spring'] });
  expect(await deliverAll(created(), paid(first), completed(), ended())).toEqual(Array(4).fill('ignored no_click'));
  expect(stripe.account.requests).toEqual([]);
});

test('a subscription is bound by the promotion code of its session, in any order of the events, and its invoices earn', async () => {
  expectSuccess(await merchant.api('POST', `${program()}/codes`, { code: 'SPRING10', creator_id: merchant.world.creator.id }));
  await countCodes('when_no_click');
  for (const turn of [0, 1, 2]) {
    const { subscription, created, paid, first, completed } = subscribe({ codes: ['promo_spring'] });
    const events = [created(), paid(first), completed()];
    expect(await deliverAll(...events.slice(turn), ...events.slice(0, turn))).toEqual(['done', 'done', 'done']);
    const relationship = await subscriberOf(merchant, subscription.id).relationship();
    expect(relationship).toMatchObject({ clickId: null, paidInvoices: 1, attribution: { rule: 'code', discount_code: 'SPRING10' } });
  }
});

test('an end that arrives before an invoice of the same second, beside an event in progress, is reported after it', async () => {
  const { subscription, created, paid, first, ended } = subscribe({ codes: ['promo_spring'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  stripe.account.answers = promise;
  expect(await deliver(merchant, created())).toBe(200);
  await expect.poll(() => stripe.account.requests.length).toBeGreaterThan(0);
  const later = [ended(), paid(first)];
  for (const event of later) expect(await deliver(merchant, event)).toBe(200);
  const names = later.map(({ raw }) => JSON.parse(raw).id);
  // Long enough for a run of the queue that was woken by them.
  await new Promise((wait) => setTimeout(wait, 500));
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe/events`)).json;
  const waiting = data.filter((one: { readonly event_id: string }) => names.includes(one.event_id));
  expect(waiting.map(({ state, attempts }: { readonly state: string; readonly attempts: number }) => [state, attempts])).toEqual([
    ['waiting', 0],
    ['waiting', 0],
  ]);
  resolve();
  const shown = await processed(merchant);
  expect(names.map((name) => shown.find(({ event_id }) => event_id === name)?.state)).toEqual(['done', 'done']);
  const { endedRecordedAt, paidInvoices } = await subscriberOf(merchant, subscription.id).relationship();
  expect([paidInvoices, endedRecordedAt instanceof Date]).toEqual([1, true]);
});

test('the promotion code of a subscription that has no session counts, and its refund and end are reported', async () => {
  const discounts = [{ id: 'di_1', promotion_code: 'promo_spring' }];
  const bought = subscribe({}, { discounts });
  stripe.keep({ ...bought.session, subscription: 'sub_other' });
  stripe.payInvoice('pi_code', bought.first.id);
  expect(await deliverAll(bought.paid(bought.first), bought.refunded('pi_code', 2_700), bought.ended())).toEqual(['done', 'done', 'done']);
  const { endedRecordedAt, paidInvoices } = await subscriberOf(merchant, bought.subscription.id).relationship();
  expect([paidInvoices, endedRecordedAt instanceof Date]).toEqual([1, true]);
});

test('the click of the session counts before its code, although the events before the session name neither', async () => {
  const click = await merchant.clickAt(new Date(merchant.at(-60_000)));
  const { subscription, created, paid, first, completed } = subscribe({ click, codes: ['promo_spring'] });
  expect(await deliverAll(created(), paid(first), completed())).toEqual(['done', 'done', 'done']);
  expect((await subscriberOf(merchant, subscription.id).relationship()).clickId).not.toBeNull();
});

test('a subscription with another promotion code is ignored with the reason, and one in euros or without a code is ignored', async () => {
  const other = subscribe({ codes: ['promo_welcome'] });
  expect(await deliverAll(other.created(), other.paid(other.first), other.ended())).toEqual(
    Array(3).fill('ignored missing_referral_click'),
  );
  expect((await processed(merchant))[0]?.message).toContain('no discount code');
  const plain = subscribe({});
  const euros = subscribe({}, { currency: 'eur' });
  const eurosPaid = euros.paid({ ...euros.first, currency: 'eur' });
  expect(await deliverAll(plain.created(), plain.paid(plain.first), euros.created(), eurosPaid)).toEqual(Array(4).fill('ignored no_click'));
});

test('without an API key, a subscription that may have a code waits for the key', async () => {
  const { subscription, created } = subscribe({ codes: ['promo_spring'] });
  expectSuccess(await connect(merchant, { api_key: null }));
  expect(await deliverAll(created())).toEqual(['waiting stripe_key_missing']);
  expectSuccess(await connect(merchant, { api_key: apiKey }));
  expect((await processed(merchant))[0]).toMatchObject({ state: 'done', object_id: subscription.id });
});

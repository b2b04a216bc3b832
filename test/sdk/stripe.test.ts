import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createStripeBridge, stripeEventTypes, type StripeBridgeOptions } from '../../sdk/src/stripe.ts';
import { createTributary } from '../../sdk/src/tributary.ts';
import { sql } from '../../src/db/sql.ts';
import { openMerchant } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { answeringServer, refusal, type Deed } from './answering-server.ts';
import { signed, stripeAccepts, stripeKey, startStripeStore, webhookSecret } from './stripe-merchant.ts';
import type { Webhook } from './stripe-objects.ts';

const merchant = await openMerchant();
// The program's terms start with its store, to the millisecond, and Stripe sends whole seconds.
await merchant.moveClock('2d');
const stripe = await startStripeStore();
afterAll(async () => {
  stripe.close();
  await merchant.service.stop();
});
const { tracking_key: trackingKey, postback_key: postbackKey } = merchant.world.store;
const { product_id: product, price_id: price } = merchant.world.subscription;

const bridgeTo = (baseUrl: string, options: Partial<StripeBridgeOptions> = {}) => {
  const tributary = createTributary({ baseUrl, trackingKey, postbackKey, limits: { attemptsMax: 1 } });
  return createStripeBridge({ tributary, webhookSecret, stripeKey, stripeUrl: stripe.url, ...options });
};
const bridge = bridgeTo(merchant.service.url);
const deliver = async ({ raw }: Webhook, to = bridge) => to.handle(raw, signed(raw));

/** Delivers like Stripe: concurrently or in some order, with retries of every answer other than 200, and some duplicates. */
async function deliverAll(webhooks: readonly Webhook[]): Promise<void> {
  let waiting = [...webhooks];
  for (let round = 0; waiting.length > 0; round += 1) {
    expect(round).toBeLessThan(5);
    const again: Webhook[] = [];
    for (const webhook of waiting) if ((await deliver(webhook)).status === 503) again.push(webhook);
    waiting = again;
  }
}

/** A year of one subscriber from now on, as Stripe's events. */
async function story(index: number) {
  const start = merchant.service.platform.clock.now();
  const at = (minutes: number) => new Date(start.getTime() - 3_600_000 + minutes * 60_000);
  const click = await merchant.clickAt(at(-1));
  const subscription = stripe.subscribe({ click, product, price }, at(0));
  const [first, second, third] = [1, 10, 20].map((minutes) => subscription.invoice({ amount: 4_900 + index, at: at(minutes) }));
  if (!first || !second || !third) throw new Error('there are three');
  const ended = subscription.end(at(40));
  const webhooks = [
    subscription.created(),
    first.open(),
    first.paid(),
    second.failed(),
    second.paid(),
    first.refund(100, at(12)),
    second.refund(4_900 + index, at(15)),
    third.open(),
    third.paid(),
    ended,
  ];
  return { subscription, webhooks };
}

async function moneyOf(relationshipId: string) {
  const relationship = await subscriberOf(merchant, relationshipId).relationship();
  const rows = await merchant.database.all<{ state: string; held: string | null; amount: bigint }>(sql`
    select c.state, c.held_reason as held, c.amount_cents as amount
    from relationship_invoices i join commissions c using (store_id, commission_id)
    where store_id = ${merchant.storeId} and i.binding_id = ${relationship.bindingId} order by c.occurred_at`);
  return {
    isEnded: relationship.endedRecordedAt instanceof Date,
    commissions: rows.map(({ state, held, amount }) => `${state} ${held ?? ''} ${amount}`),
  };
}

test('in order: two invoices earn, one is refunded, a partial refund reverses nothing, the end is reported', async () => {
  const { subscription, webhooks } = await story(0);
  for (const webhook of webhooks) expect([webhook.type, (await deliver(webhook)).status]).toEqual([webhook.type, 200]);
  expect(await moneyOf(subscription.id)).toEqual({ isEnded: true, commissions: ['pending  980', 'reversed  980', 'pending  980'] });
});

test('in any order, duplicated or not, sequential or concurrent: the result equals the result in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.boolean(), fc.boolean(), async (choices, isDoubled, isAtOnce) => {
      const { subscription, webhooks } = await story(0);
      const numbers = choices[Symbol.iterator]();
      const shuffled = [...webhooks, ...(isDoubled ? webhooks : [])]
        .map((webhook) => ({ webhook, place: numbers.next().value ?? 0 }))
        .sort((one, other) => one.place - other.place)
        .map(({ webhook }) => webhook);
      // Stripe also receives the failures among concurrent deliveries, and retries them.
      const first = isAtOnce ? await Promise.all(shuffled.map(async (webhook) => ({ webhook, ...(await deliver(webhook)) }))) : [];
      await deliverAll(isAtOnce ? first.filter(({ status }) => status === 503).map(({ webhook }) => webhook) : shuffled);
      expect(await moneyOf(subscription.id)).toEqual({ isEnded: true, commissions: ['pending  980', 'reversed  980', 'pending  980'] });
    }),
    { numRuns: 24 },
  );
});

test('a subscription without a click, or in another currency, reports nothing, and causes no request to Stripe', async () => {
  const at = merchant.service.platform.clock.now();
  const before = stripe.requestPaths.length;
  for (const buying of [
    { click: null, product, price },
    { click: 'no click', product, price },
    { click: await merchant.click(), product, price, currency: 'eur' },
  ]) {
    const subscription = stripe.subscribe(buying, at);
    const invoice = subscription.invoice({ amount: 500, at });
    for (const webhook of [subscription.created(), invoice.paid(), subscription.end(at)])
      expect(await deliver(webhook)).toEqual({ status: 200, body: '{"outcome":"ignored"}' });
    expect(await subscriberOf(merchant, subscription.id).relationship()).toBeNull();
  }
  expect(stripe.requestPaths.length).toBe(before);
});

test('an invoice with another plan than the bound one is held for review, by the rule of the service', async () => {
  const at = merchant.service.platform.clock.now();
  const subscription = stripe.subscribe({ click: await merchant.click(), product, price }, at);
  await deliver(subscription.created());
  expect((await deliver(subscription.invoice({ amount: 500, at, product: 'another', price: 'another' }).paid())).status).toBe(200);
  expect((await subscriberOf(merchant, subscription.id).relationship()).heldSince).toBeInstanceOf(Date);
});

test('the eligible amount is what the store configures, and never more than was paid', async () => {
  const at = merchant.service.platform.clock.now();
  for (const [eligible, earned] of [[1_000, 'pending  200'] as const, [9_999, 'pending  400'] as const]) {
    const subscription = stripe.subscribe({ click: await merchant.click(), product, price }, at);
    const by = bridgeTo(merchant.service.url, { eligibleCents: () => eligible });
    await deliver(subscription.invoice({ amount: 2_000, at }).paid(), by);
    expect((await moneyOf(subscription.id)).commissions).toEqual([earned]);
  }
});

test('Stripe test mode counts only where it is accepted', async () => {
  const at = merchant.service.platform.clock.now();
  const subscription = stripe.subscribe({ click: await merchant.click(), product, price }, at);
  const paid = subscription.invoice({ amount: 500, at }).paid(false);
  expect(await deliver(paid)).toEqual({ status: 200, body: '{"outcome":"test_mode_ignored"}' });
  expect(await subscriberOf(merchant, subscription.id).relationship()).toBeNull();
  await deliver(paid, bridgeTo(merchant.service.url, { acceptTestMode: true }));
  expect((await moneyOf(subscription.id)).commissions).toHaveLength(1);
});

test('an event is retried while Stripe or the service is unreachable, and nothing is lost', async () => {
  const at = merchant.service.platform.clock.now();
  const subscription = stripe.subscribe({ click: await merchant.click(), product, price }, at);
  const paid = subscription.invoice({ amount: 500, at }).paid();
  stripe.goAway(true);
  expect((await deliver(paid)).status).toBe(503);
  stripe.goAway(false);
  expect((await deliver(paid, bridgeTo('http://127.0.0.1:9'))).status).toBe(503);
  expect((await deliver(paid)).status).toBe(200);
  expect((await moneyOf(subscription.id)).commissions).toHaveLength(1);
});

test.each<readonly [string, Deed, number]>([
  ['unreachable', refusal(503, 'temporarily_unavailable'), 503],
  ['closed because of a wrong key, which can be fixed', refusal(401, 'invalid_postback_key'), 503],
  ['disabled', refusal(403, 'integration_disabled'), 503],
  ['hidden by a proxy', { status: 404, text: '<html>' }, 503],
  ['rejecting the report permanently', refusal(422, 'attribution_window_expired'), 200],
])('answers Stripe accordingly where the service is %s', async (_what, deed, status) => {
  const server = await answeringServer(deed);
  const subscription = stripe.subscribe({ click: 'rmc_some', product, price }, new Date());
  expect((await deliver(subscription.created(), bridgeTo(server.url))).status).toBe(status);
  server.close();
});

test('a refund on hold is retried by Stripe, and sent once a day', async () => {
  const ok: Deed = { status: 200, json: { ok: true, reason: 'recorded' } };
  const server = await answeringServer(ok, ok, refusal(500, 'active_hold'));
  const to = bridgeTo(server.url);
  const at = new Date();
  const refund = stripe.subscribe({ click: 'rmc_some', product, price }, at).invoice({ amount: 500, at }).refund(500, at);
  expect((await deliver(refund, to)).status).toBe(503);
  expect((await deliver(refund, to)).status).toBe(503);
  expect(server.received.map(({ path }) => path.split('recurring/')[1])).toEqual(['relationships', 'billing-events', 'reversals']);
  server.close();
});

test('verifies the signature on the raw bytes, as Stripe does', async () => {
  const raw = stripe.subscribe({ click: null, product, price }, new Date()).created().raw;
  const now = new Date();
  const old = new Date(now.getTime() - 301_000);
  const headers = [
    signed(raw),
    signed(raw, old),
    signed(raw, now, 'whsec_other'),
    signed(`${raw} `),
    `${signed(raw).split(',')[0]},v1=00`,
    't=,v1=',
    '',
    'nonsense',
  ];
  for (const header of headers) {
    const { status } = await bridge.handle(raw, header);
    expect([header, status]).toEqual([header, stripeAccepts(raw, header) ? 200 : 400]);
  }
  expect((await bridge.handle(Buffer.from(raw), signed(raw))).status).toBe(200);
  expect((await bridge.handle(raw, null)).status).toBe(400);
  // A minute beyond the tolerance of 300 s, because the time until the check counts too.
  expect((await bridge.handle(raw, signed(raw, new Date(now.getTime() + 360_000)))).status).toBe(400);
  // Serialized again it is a different text, and a parsed body is rejected before the signature is checked.
  expect((await bridge.handle(JSON.stringify(JSON.parse(raw)), signed(raw))).status).toBe(400);
  await expect(Reflect.apply(bridge.handle, null, [JSON.parse(raw), signed(raw)])).rejects.toThrow('before any parser');
});

test('no secret appears in a print of the bridge, or in an error about it', () => {
  const shown = [inspect(bridge, { depth: 9, showHidden: true })];
  for (const wrong of [{ stripeKey: `${stripeKey}\n` }, { webhookSecret: ['', webhookSecret] }]) {
    try {
      bridgeTo(merchant.service.url, wrong);
      shown.push(`taken: ${webhookSecret}`);
    } catch (error) {
      shown.push(inspect(error));
    }
  }
  expect(shown.filter((text) => text.includes(webhookSecret) || text.includes(stripeKey))).toEqual([]);
});

test('both secrets are valid during a rotation', async () => {
  const raw = stripe.subscribe({ click: null, product, price }, new Date()).created().raw;
  const both = bridgeTo(merchant.service.url, { webhookSecret: ['whsec_new', webhookSecret] });
  expect((await both.handle(raw, signed(raw))).status).toBe(200);
  expect((await both.handle(raw, signed(raw, new Date(), 'whsec_new'))).status).toBe(200);
});

test('an irrelevant event is answered with 200, and the list of relevant events is the one to subscribe to', async () => {
  const raw = '{"id":"evt_1","type":"customer.created","created":1,"livemode":true,"data":{"object":{}}}';
  expect(await bridge.handle(raw, signed(raw))).toEqual({ status: 200, body: '{"outcome":"ignored"}' });
  for (const broken of ['{', '[]', 'null', '{"type":"invoice.paid"}', '{"type":"__proto__"}'])
    expect((await bridge.handle(broken, signed(broken))).status).toBe(200);
  expect(stripeEventTypes.toSorted()).toEqual([
    'charge.refunded',
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'customer.subscription.created',
    'customer.subscription.deleted',
    'invoice.finalized',
    'invoice.marked_uncollectible',
    'invoice.paid',
    'invoice.payment_failed',
    'invoice.voided',
    'refund.created',
    'refund.updated',
  ]);
});

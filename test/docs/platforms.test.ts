import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { openMerchant, type Json } from '../support/merchant.ts';
import { signed, stripeKey, startStripeStore } from '../sdk/stripe-merchant.ts';
import { blocksOf } from './blocks.ts';
import { compiled } from './compiled.ts';

/** The server programs of docs/platforms.md, type-checked, and run against the service as their platforms would call them. */
const blocks = blocksOf('docs/platforms.md').filter(({ language }) => language === 'ts');
const stripeStore = await startStripeStore();
const bridge = 'createStripeBridge({';
const atStandIn = (text: string) => text.replace(bridge, `${bridge} stripeUrl: '${stripeStore.url}',`);
const secret = 'whsec_of_the_platform';
/** Paddle, as it is asked for its transactions. */
const transactions = new Map<string, Json>();
const paddle = createServer(({ url, headers }, response) => {
  const data = headers.authorization === 'Bearer key of Paddle' ? transactions.get(url ?? '') : undefined;
  response.writeHead(data === undefined ? 404 : 200).end(JSON.stringify({ data }));
});

const [merchant, project] = await Promise.all([openMerchant(), compiled(blocks, atStandIn)]);
const { service, world } = merchant;
await once(paddle.listen(0, '127.0.0.1'), 'listening');
Object.assign(env, {
  TRIBUTARY_URL: service.url,
  TRIBUTARY_TRACKING_KEY: world.store.tracking_key,
  TRIBUTARY_POSTBACK_KEY: world.store.postback_key,
  STRIPE_SECRET_KEY: 'sk_test_docs',
  STRIPE_RESTRICTED_KEY: stripeKey,
  PADDLE_API_KEY: 'key of Paddle',
  PADDLE_URL: `http://127.0.0.1:${(paddle.address() as AddressInfo).port}`,
});
for (const platform of ['STRIPE', 'STRIPE_BILLING', 'SHOPIFY', 'PADDLE']) env[`${platform}_WEBHOOK_SECRET`] = secret;
const programs: Record<string, Json> = await project.load();
afterAll(async () => {
  paddle.close();
  await (await programs['tributary']?.queue)?.stop();
  stripeStore.close();
  await merchant?.service.stop();
  await rm(project.folder, { recursive: true, force: true });
});

const webhook = (headers: Readonly<Record<string, string>>, body: string): Request =>
  new Request('https://shop.example/webhook', { method: 'POST', headers, body });

/** What became of an order, or of an invoice of a subscription. */
async function earned(id: string): Promise<readonly [string, number] | null> {
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions`);
  const found = json.data.find(({ order_id, invoice_id }: Json) => order_id === id || invoice_id === id);
  return found === undefined ? null : [found.state, found.amount_cents];
}
const comesToBe = (id: string, expected: readonly [string, number]) => expect.poll(() => earned(id)).toEqual(expected);
/** After whatever waited was sent. */
async function staysAs(id: string, expected: readonly [string, number]): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await (await programs['tributary'].queue).work();
    await pause(100);
  }
  expect(await earned(id)).toEqual(expected);
}
/** Reports in the store's log about something, by what they were answered. */
async function answers(q: string): Promise<readonly string[]> {
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?q=${encodeURIComponent(q)}`);
  return json.data.map(({ reason }: Json) => reason).sort();
}

const toStripe = async (type: string, object: Json, created: number) => {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, created, data: { object } });
  const header = await new Stripe('sk_test_docs').webhooks.generateTestHeaderStringAsync({ payload, secret });
  return (await programs['stripe-webhook'].stripeWebhook(webhook({ 'stripe-signature': header }, payload))).status;
};
const soon = () => Math.floor(Date.parse(merchant.at()) / 1_000) + 1;
const paidSession = async (payment_intent: string, more: Json) => ({
  mode: 'payment',
  payment_status: 'paid',
  payment_intent,
  metadata: { rm_click: await merchant.click() },
  client_reference_id: null,
  currency: 'usd',
  ...more,
});

test('Stripe: a paid session is reported once for repeated webhooks, less its discount, and so is its refund', async () => {
  const session = await paidSession('pi_docs', {
    amount_subtotal: 20_000,
    amount_total: 15_000,
    total_details: { amount_discount: 5_000, amount_tax: 0 },
    shipping_cost: null,
  });
  const now = soon();
  expect(await toStripe('checkout.session.completed', { ...session, payment_status: 'unpaid' }, now)).toBe(200);
  expect(await toStripe('checkout.session.async_payment_succeeded', session, now)).toBe(200);
  await comesToBe('pi_docs', ['pending', 1_500]);
  expect(await toStripe('checkout.session.async_payment_succeeded', session, now)).toBe(200);

  expect(await toStripe('charge.refunded', { payment_intent: 'pi_docs', refunded: false }, now)).toBe(200);
  await staysAs('pi_docs', ['pending', 1_500]);
  expect(await toStripe('charge.refunded', { payment_intent: 'pi_docs', refunded: true }, now)).toBe(200);
  await comesToBe('pi_docs', ['reversed', 1_500]);
  // The second telling is caught in the queue, if the first still waits there, or by the service.
  expect((await answers('pi_docs')).filter((reason) => reason !== 'duplicate_order')).toEqual(['recorded', 'recorded']);
  const { stripeWebhook } = programs['stripe-webhook'];
  await expect(stripeWebhook(webhook({ 'stripe-signature': 't=1,v1=00' }, '{}'))).rejects.toThrow(/signature/i);
});

test.each([
  // 100.00 of goods at 19%, and 5.00 of shipping: on top of the prices, and within them.
  ['pi_tax_on_top', { amount_subtotal: 10_000, amount_total: 12_495 }],
  ['pi_tax_within', { amount_subtotal: 11_900, amount_total: 12_495 }],
])('Stripe: neither tax nor shipping earns (%s)', async (intent, amounts) => {
  const session = await paidSession(intent, {
    ...amounts,
    total_details: { amount_discount: 0, amount_tax: 1_995 },
    shipping_cost: { amount_tax: 95, amount_total: 595 },
  });
  expect(await toStripe('checkout.session.completed', session, soon())).toBe(200);
  await comesToBe(intent, ['pending', 1_000]);
});

test('Stripe Billing: an invoice earns on the paid amount without tax, and earns nothing without a click', async () => {
  const { stripeBillingWebhook } = programs['stripe-billing'];
  const { product_id: product, price_id: price } = merchant.world.subscription;
  const at = new Date(soon() * 1_000);
  const subscription = stripeStore.subscribe({ click: await merchant.click(), product, price }, at);
  const tellPaid = async (change: object) => {
    const event = JSON.parse(subscription.invoice({ amount: 11_900, at }).paid().raw);
    Object.assign(event.data.object, change);
    const body = JSON.stringify(event);
    const answer = await stripeBillingWebhook(webhook({ 'stripe-signature': signed(body, new Date(), secret) }, body));
    return [answer.status, (await answer.json()).outcome, await earned(event.data.object.id)];
  };
  expect(await tellPaid({ total_excluding_tax: 10_000 })).toEqual([200, 'done', ['pending', 2_000]]);
  // Though the subscription itself has the click by now.
  const parent = { subscription_details: { subscription: subscription.id, metadata: {} } };
  expect(await tellPaid({ parent })).toEqual([200, 'ignored', null]);
});

test('Shopify: reads the click from the note attributes, rejects unsigned webhooks, and reports only full refunds', async () => {
  const { shopifyWebhook } = programs['shopify-webhook'];
  const tell = async (topic: string, order: Json, key = secret) => {
    const body = JSON.stringify(order);
    const hmac = createHmac('sha256', key).update(body).digest('base64');
    return (await shopifyWebhook(webhook({ 'x-shopify-topic': topic, 'x-shopify-hmac-sha256': hmac }, body))).status;
  };
  const order = {
    id: 5_678_901_234_567,
    name: '#1001',
    currency: 'USD',
    subtotal_price: '100.05',
    processed_at: merchant.at(1_000),
    financial_status: 'paid',
    note_attributes: [{ name: 'rm_click', value: await merchant.click() }],
    discount_codes: [{ code: 'SPRING' }],
    refunds: [],
  };
  const id = String(order.id);
  expect(await tell('orders/paid', order, 'another secret')).toBe(401);
  expect(await tell('orders/paid', order)).toBe(200);
  await comesToBe(id, ['pending', 1_001]);
  expect(await tell('orders/updated', { ...order, financial_status: 'partially_refunded' })).toBe(200);
  await staysAs(id, ['pending', 1_001]);
  const refunded = { ...order, financial_status: 'refunded', refunds: [{ created_at: merchant.at(2_000) }] };
  for (const turn of [1, 2]) expect([turn, await tell('orders/updated', refunded)]).toEqual([turn, 200]);
  await comesToBe(id, ['reversed', 1_001]);
  expect(await tell('orders/paid', { ...order, id: 1, note_attributes: [] })).toBe(200);
  expect(await answers('1')).not.toContain('missing_referral_click');
});

const toPaddle = async (event_type: string, data: Json, at = Math.floor(Date.now() / 1_000)) => {
  const body = JSON.stringify({ event_type, data });
  const h1 = createHmac('sha256', secret).update(`${at}:${body}`).digest('hex');
  return (await programs['paddle-webhook'].paddleWebhook(webhook({ 'paddle-signature': `ts=${at};h1=${h1}` }, body))).status;
};
/** A transaction in the format of Paddle's webhook and of its API. */
const transaction = (id: string, click: string | null, more: Json = {}) => {
  const { product_id, price_id } = merchant.world.subscription;
  const made = {
    id,
    origin: 'web',
    subscription_id: null,
    currency_code: 'USD',
    billed_at: merchant.at(1_000),
    custom_data: click === null ? null : { rm_click: click },
    items: [{ price: { id: price_id, product_id } }],
    details: { totals: { subtotal: '10000', tax: '1900', total: '10900' } },
    ...more,
  };
  transactions.set(`/transactions/${id}`, made);
  return made;
};
const fullRefund = (transaction_id: string) => {
  return { action: 'refund', type: 'full', status: 'approved', transaction_id, created_at: merchant.at(3_000) };
};

test('Paddle: a one-time transaction, a subscription with its first and its next payment, a full refund, the end', async () => {
  const single = transaction('txn_once', await merchant.click());
  expect(await toPaddle('transaction.completed', single, 1_700_000_000)).toBe(401);
  expect(await toPaddle('transaction.completed', single)).toBe(200);
  await comesToBe('txn_once', ['pending', 900]);
  expect(await toPaddle('transaction.completed', transaction('txn_plain', null))).toBe(200);

  const first = transaction('txn_first', await merchant.click(), { subscription_id: 'sub_paddle' });
  expect(await toPaddle('transaction.completed', first)).toBe(200);
  await comesToBe('txn_first', ['pending', 1_800]);
  const later = { ...first, origin: 'subscription_recurring', billed_at: merchant.at(2_000) };
  expect(await toPaddle('transaction.completed', transaction('txn_next', null, { ...later, id: 'txn_next' }))).toBe(200);
  await comesToBe('txn_next', ['pending', 1_800]);

  expect(await toPaddle('adjustment.created', { ...fullRefund('txn_next'), status: 'pending_approval' })).toBe(200);
  expect(await toPaddle('adjustment.updated', fullRefund('txn_next'))).toBe(200);
  await comesToBe('txn_next', ['reversed', 1_800]);
  expect(await toPaddle('adjustment.updated', fullRefund('txn_once'))).toBe(200);
  await comesToBe('txn_once', ['reversed', 900]);
  expect(await earned('txn_first')).toEqual(['pending', 1_800]);
  expect(await toPaddle('adjustment.updated', fullRefund('txn_plain'))).toBe(200);
  await staysAs('txn_first', ['pending', 1_800]);
  expect(await answers('txn_plain')).toEqual([]);
  await expect(toPaddle('adjustment.updated', fullRefund('txn_strange'))).rejects.toThrow('HTTP 404');

  const custom_data = first.custom_data;
  expect(await toPaddle('subscription.canceled', { id: 'sub_paddle', canceled_at: merchant.at(4_000), custom_data })).toBe(200);
  await expect
    .poll(async () => {
      const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/relationships`);
      return json.data.find(({ relationship_id }: Json) => relationship_id === 'sub_paddle')?.state;
    })
    .toBe('ended');
});

test('Paddle: the subscription of a test link is refunded and ended in the test environment', async () => {
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const first = transaction('txn_trial', link.click_id, { subscription_id: 'sub_trial' });
  expect(await toPaddle('transaction.completed', first)).toBe(200);
  expect(await toPaddle('adjustment.updated', fullRefund('txn_trial'))).toBe(200);
  const { custom_data } = first;
  expect(await toPaddle('subscription.canceled', { id: 'sub_trial', canceled_at: merchant.at(4_000), custom_data })).toBe(200);
  // The invoice and its refund are logged under the invoice ID, the bind and the end under the subscription ID.
  for (const id of ['txn_trial', 'sub_trial']) await expect.poll(() => answers(id)).toEqual(['recorded', 'recorded']);
});

test('Medusa: the storefront sends the click to the plugin, and nothing without one', async () => {
  const sent: Json[] = [];
  const sdk = { client: { fetch: async (path: string, request: Json) => void sent.push([path, request]) } };
  const { keepClick } = programs['medusa-storefront'];
  for (const click of [null, 'rmc_a']) {
    Object.assign(globalThis, { window: { ServiceCapture: { getClick: () => click } } });
    await keepClick(sdk, 'cart_1');
  }
  Reflect.deleteProperty(globalThis, 'window');
  expect(sent).toEqual([['/store/carts/cart_1/click', { method: 'POST', body: { click_id: 'rmc_a' } }]]);
});

test('Vendure: the storefront sends the click to the plugin, and nothing without one', async () => {
  const sent: Json[] = [];
  const { keepOrderClick } = programs['vendure-storefront'];
  for (const click of [null, 'rmc_a']) {
    Object.assign(globalThis, { window: { ServiceCapture: { getClick: () => click } } });
    await keepOrderClick(async (...request: Json) => void sent.push(request));
  }
  Reflect.deleteProperty(globalThis, 'window');
  expect(sent).toEqual([['mutation ($click: String) { setTributaryClick(clickId: $click) }', { click: 'rmc_a' }]]);
});

test('an order through a test link is reported as a test, and turns tracking on', async () => {
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const order = transaction('txn_test', link.click_id);
  expect(await toPaddle('transaction.completed', order)).toBe(200);
  await expect.poll(() => answers('txn_test')).toEqual(['test_verified']);
});

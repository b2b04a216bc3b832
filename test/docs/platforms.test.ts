import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { blocksOf } from './blocks.ts';
import { compiled, type Compiled } from './compiled.ts';

/** The server programs of docs/platforms.md, type-checked, and run against the service as their platforms would call them. */
const blocks = blocksOf('docs/platforms.md').filter(({ language }) => language === 'ts');
const secret = 'whsec_of_the_platform';
let merchant: Merchant;
let project: Compiled;
const programs: Record<string, Json> = {};

beforeAll(async () => {
  [merchant, project] = await Promise.all([openMerchant(), compiled(blocks)]);
  const { service, world } = merchant;
  Object.assign(env, {
    TRIBUTARY_URL: service.url,
    TRIBUTARY_TRACKING_KEY: world.store.tracking_key,
    TRIBUTARY_POSTBACK_KEY: world.store.postback_key,
    REPORTS_FOLDER: join(project.folder, 'reports'),
    STRIPE_SECRET_KEY: 'sk_test_docs',
    STRIPE_WEBHOOK_SECRET: secret,
    SHOPIFY_WEBHOOK_SECRET: secret,
    PADDLE_WEBHOOK_SECRET: secret,
  });
  for (const name of ['tributary', 'stripe-webhook', 'shopify-webhook', 'paddle-webhook', 'medusa-subscriber', 'medusa-storefront']) {
    programs[name] = await project.load(`./${name}.js`);
  }
});
afterAll(async () => {
  await programs['tributary']?.queue.stop();
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
    await programs['tributary'].queue.work();
    await pause(100);
  }
  expect(await earned(id)).toEqual(expected);
}
/** Reports in the store's log about something, by what they were answered. */
async function answers(q: string): Promise<readonly string[]> {
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?q=${encodeURIComponent(q)}`);
  return json.data.map(({ reason }: Json) => reason).sort();
}

test('Stripe: a paid session is reported once however often it is told, with the discount taken off, and its refund too', async () => {
  const { stripeWebhook } = programs['stripe-webhook'];
  const stripe = new Stripe('sk_test_docs');
  const tell = async (type: string, object: Json, created: number) => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, created, data: { object } });
    const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret });
    return (await stripeWebhook(webhook({ 'stripe-signature': header }, payload))).status;
  };
  const session = {
    mode: 'payment',
    payment_status: 'paid',
    payment_intent: 'pi_docs',
    metadata: { rm_click: await merchant.click() },
    client_reference_id: null,
    currency: 'usd',
    amount_subtotal: 20_000,
    total_details: { amount_discount: 5_000 },
  };
  const now = Math.floor(Date.parse(merchant.at()) / 1_000) + 1;
  expect(await tell('checkout.session.completed', { ...session, payment_status: 'unpaid' }, now)).toBe(200);
  expect(await tell('checkout.session.async_payment_succeeded', session, now)).toBe(200);
  await comesToBe('pi_docs', ['pending', 1_500]);
  expect(await tell('checkout.session.async_payment_succeeded', session, now)).toBe(200);

  expect(await tell('charge.refunded', { payment_intent: 'pi_docs', refunded: false }, now)).toBe(200);
  await staysAs('pi_docs', ['pending', 1_500]);
  expect(await tell('charge.refunded', { payment_intent: 'pi_docs', refunded: true }, now)).toBe(200);
  await comesToBe('pi_docs', ['reversed', 1_500]);
  // The second telling is caught in the queue, if the first still waits there, or by the service.
  expect((await answers('pi_docs')).filter((reason) => reason !== 'duplicate_order')).toEqual(['recorded', 'recorded']);
  await expect(stripeWebhook(webhook({ 'stripe-signature': 't=1,v1=00' }, '{}'))).rejects.toThrow(/signature/i);
});

test('Shopify: the click comes from the note attributes, what is not signed is refused, and only a whole refund is one', async () => {
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

test('Paddle: a one-time transaction, a subscription with its first and its next payment, a full refund, the end', async () => {
  const { paddleWebhook } = programs['paddle-webhook'];
  const tell = async (event_type: string, data: Json, at = Math.floor(Date.now() / 1_000)) => {
    const body = JSON.stringify({ event_type, data });
    const h1 = createHmac('sha256', secret).update(`${at}:${body}`).digest('hex');
    return (await paddleWebhook(webhook({ 'paddle-signature': `ts=${at};h1=${h1}` }, body))).status;
  };
  const { product_id, price_id } = merchant.world.subscription;
  const transaction = async (id: string, more: Json = {}) => ({
    id,
    origin: 'web',
    subscription_id: null,
    currency_code: 'USD',
    billed_at: merchant.at(1_000),
    custom_data: { rm_click: await merchant.click() },
    items: [{ price: { id: price_id, product_id } }],
    details: { totals: { subtotal: '10000', tax: '1900', total: '10900' } },
    ...more,
  });
  const once = await transaction('txn_once');
  expect(await tell('transaction.completed', once, 1_700_000_000)).toBe(401);
  expect(await tell('transaction.completed', once)).toBe(200);
  await comesToBe('txn_once', ['pending', 900]);
  expect(await tell('transaction.completed', await transaction('txn_plain', { custom_data: null }))).toBe(200);

  const first = await transaction('txn_first', { subscription_id: 'sub_paddle' });
  expect(await tell('transaction.completed', first)).toBe(200);
  await comesToBe('txn_first', ['pending', 1_800]);
  const next = { ...first, id: 'txn_next', origin: 'subscription_recurring', billed_at: merchant.at(2_000) };
  expect(await tell('transaction.completed', next)).toBe(200);
  await comesToBe('txn_next', ['pending', 1_800]);

  const adjustment = { action: 'refund', type: 'full', status: 'approved', transaction_id: 'txn_next', subscription_id: 'sub_paddle' };
  const created_at = merchant.at(3_000);
  expect(await tell('adjustment.created', { ...adjustment, status: 'pending_approval', created_at })).toBe(200);
  expect(await tell('adjustment.updated', { ...adjustment, created_at })).toBe(200);
  await comesToBe('txn_next', ['reversed', 1_800]);
  expect(await tell('adjustment.updated', { ...adjustment, transaction_id: 'txn_once', subscription_id: null, created_at })).toBe(200);
  await comesToBe('txn_once', ['reversed', 900]);
  expect(await earned('txn_first')).toEqual(['pending', 1_800]);

  const custom_data = first.custom_data;
  expect(await tell('subscription.canceled', { id: 'sub_paddle', canceled_at: merchant.at(4_000), custom_data })).toBe(200);
  await expect
    .poll(async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/relationships`)).json.data[0].state)
    .toBe('ended');
});

test('Medusa: whichever event comes first, the captured order is reported once, and its whole refund', async () => {
  const tellTributary = programs['medusa-subscriber'].default;
  const paid: Json = { id: 'pay_1', amount: 59.5, captured_at: null, refunds: [] };
  const order = {
    id: 'order_medusa',
    display_id: 7,
    currency_code: 'usd',
    metadata: { rm_click: await merchant.click() },
    item_total: 59.5,
    item_tax_total: 9.5,
    payment_collections: [{ payments: [paid] }],
  };
  const graph = async ({ entity }: Json) => ({ data: [entity === 'order' ? order : { payment_collection: { order: { id: order.id } } }] });
  const tell = (name: string, id: string) => tellTributary({ event: { name, data: { id } }, container: { resolve: () => ({ graph }) } });
  await tell('order.placed', order.id);
  expect(await earned(order.id)).toBe(null);
  paid.captured_at = merchant.at(1_000);
  await tell('payment.captured', paid.id);
  await tell('order.placed', order.id);
  await comesToBe(order.id, ['pending', 500]);
  paid.refunds.push({ amount: 20, created_at: merchant.at(2_000) });
  await tell('payment.refunded', paid.id);
  await staysAs(order.id, ['pending', 500]);
  paid.refunds.push({ amount: 39.5, created_at: merchant.at(3_000) });
  await tell('payment.refunded', paid.id);
  await comesToBe(order.id, ['reversed', 500]);
  expect((await answers(order.id)).filter((reason) => reason === 'recorded')).toHaveLength(2);
});

test('Medusa: the storefront puts the click beside what the cart knows already', async () => {
  const sent: Json[] = [];
  const sdk = { store: { cart: { update: async (id: string, body: Json) => void sent.push([id, body]) } } };
  const { keepClick } = programs['medusa-storefront'];
  for (const click of [null, 'rmc_a']) {
    Object.assign(globalThis, { window: { ServiceCapture: { getClick: () => click } } });
    await keepClick(sdk, { id: 'cart_1', metadata: { gift: 'yes' } });
  }
  Reflect.deleteProperty(globalThis, 'window');
  expect(sent).toEqual([['cart_1', { metadata: { gift: 'yes', rm_click: 'rmc_a' } }]]);
});

test('an order by a test link is reported as the test that it is, and turns tracking on', async () => {
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const { paddleWebhook } = programs['paddle-webhook'];
  const data = {
    id: 'txn_test',
    origin: 'web',
    subscription_id: null,
    currency_code: 'USD',
    billed_at: merchant.at(),
    custom_data: { rm_click: link.click_id },
    items: [{ price: { id: 'p', product_id: 'p' } }],
    details: { totals: { subtotal: '100', tax: '0', total: '100' } },
  };
  const body = JSON.stringify({ event_type: 'transaction.completed', data });
  const at = Math.floor(Date.now() / 1_000);
  const h1 = createHmac('sha256', secret).update(`${at}:${body}`).digest('hex');
  expect((await paddleWebhook(webhook({ 'paddle-signature': `ts=${at};h1=${h1}` }, body))).status).toBe(200);
  await expect.poll(() => answers('txn_test')).toEqual(['test_verified']);
});

import { createServer } from 'node:http';
import type { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStripeBridge, type StripeBridge } from '../../sdk/src/stripe.ts';
import { keepPromotionCode } from '../../sdk/src/stripe-promotion-codes.ts';
import { createTributary } from '../../sdk/src/tributary.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { signed, stripeKey, webhookSecret } from './stripe-merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { invoiceOf, newId, paid, seconds, subscriptionOf, webhook, type Webhook } from './stripe-objects.ts';

let merchant: Merchant;
let bridge: StripeBridge;
let stripeUrl = '';
/** The sessions and promotion codes of the account, by ID, and the requests that change something. */
const sessions = new Map<string, Json>();
const promotionCodes = new Map<string, Json>();
const storedSubscriptions = new Map<string, object>();
const written: string[] = [];

const stripe = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://stripe');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const answer = request.method === 'POST' ? write(url.pathname, form) : read(url);
    const isAllowed = request.headers.authorization === `Bearer ${stripeKey}`;
    const status = !isAllowed ? 401 : answer === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? { error: { message: 'not found' } }));
  });
});

function read(url: URL): Json | undefined {
  const id = url.pathname.split('/').at(-1) ?? '';
  if (url.pathname === '/v1/invoice_payments') return { data: [] };
  if (url.pathname === '/v1/checkout/sessions')
    return { data: [sessions.get(url.searchParams.get('payment_intent') ?? url.searchParams.get('subscription') ?? '')].filter(Boolean) };
  if (url.pathname.startsWith('/v1/subscriptions/')) return storedSubscriptions.get(id);
  if (url.pathname !== '/v1/promotion_codes') return promotionCodes.get(id);
  return { data: [...promotionCodes.values()].filter(({ code }) => code.toLowerCase() === url.searchParams.get('code')?.toLowerCase()) };
}

function write(path: string, form: URLSearchParams): Json | undefined {
  written.push(`${path} ${form.toString()}`);
  const id = path.split('/').at(-1) ?? '';
  if (path !== '/v1/promotion_codes') return Object.assign(promotionCodes.get(id) ?? {}, { active: form.get('active') === 'true' });
  return promotionCode(form.get('code') ?? '', form.get('promotion[coupon]') ?? '');
}

function promotionCode(code: string, coupon: string, active = true): Json {
  const made = { id: newId('promo'), object: 'promotion_code', code, active, promotion: { type: 'coupon', coupon } };
  promotionCodes.set(made.id, made);
  return made;
}

beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveClock('2d');
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve));
  const address = stripe.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  stripeUrl = `http://127.0.0.1:${address.port}`;
  const { tracking_key: trackingKey, postback_key: postbackKey } = merchant.world.store;
  const tributary = createTributary({ baseUrl: merchant.service.url, trackingKey, postbackKey, limits: { attemptsMax: 1 } });
  bridge = createStripeBridge({ tributary, webhookSecret, stripeKey, stripeUrl, reportCheckouts: true });
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 2_000 }], codes: 'when_no_click' };
  expectSuccess(await merchant.api('POST', `${program}/terms`, rules));
  expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'SPRING10', creator_id: merchant.world.creator.id }));
  await merchant.moveClock('1h');
});
afterAll(async () => {
  stripe.close();
  await merchant.service.stop();
});
beforeEach(() => void written.splice(0));

type Buying = { readonly click?: string; readonly codes?: readonly string[]; readonly fields?: Partial<Stripe.Checkout.Session> };

function checkout({ click, codes = [], fields = {} }: Buying) {
  const at = new Date(merchant.at());
  const intent = newId('pi');
  const session = {
    id: newId('cs'),
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    currency: 'usd',
    created: seconds(at),
    amount_total: 11_500,
    total_details: { amount_discount: 1_000, amount_shipping: 500, amount_tax: 1_000 },
    customer: 'cus_1',
    payment_intent: intent,
    metadata: click === undefined ? {} : { rm_click: click },
    discounts: codes.map((code) => ({ coupon: null, promotion_code: code })),
    ...fields,
  };
  sessions.set(intent, session);
  const charge = { id: newId('ch'), object: 'charge', currency: 'usd', amount: 11_500, amount_captured: 11_500, payment_intent: intent };
  return {
    id: session.id,
    completed: () => webhook('checkout.session.completed', session, at),
    refunded: () => webhook('charge.refunded', { ...charge, amount_refunded: 11_500, refunded: true }, at),
  };
}

const deliver = async ({ raw }: Webhook, to = bridge): Promise<string> => JSON.parse((await to.handle(raw, signed(raw))).body).outcome;

test('a paid session with a promotion code and no click earns for the owner of the code', async () => {
  const { id, completed } = checkout({ codes: [promotionCode('spring10', 'SPRING').id] });
  expect([await deliver(completed()), await deliver(completed())]).toEqual(['done', 'done']);
  expect(await merchant.commissionOf(id)).toMatchObject({ state: 'pending', amountCents: 1_000n });
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?order_id=${id}`)).json;
  expect(data[0]).toMatchObject({ attributed_by: 'code', credited_code: 'SPRING10', customer_id: 'cus_1', eligible_cents: 10_000 });
});

test('a paid session with a click earns by the click, and a full refund reverses it in any order of the webhooks', async () => {
  const earlier = new Date(Date.parse(merchant.at()) - 60_000);
  const inOrder = checkout({ click: await merchant.clickAt(earlier) });
  expect([await deliver(inOrder.completed()), await deliver(inOrder.refunded())]).toEqual(['done', 'done']);
  expect((await merchant.commissionOf(inOrder.id)).state).toBe('reversed');
  const reordered = checkout({ click: await merchant.clickAt(earlier) });
  expect([await deliver(reordered.refunded()), await deliver(reordered.completed())]).toEqual(['done', 'done']);
  expect((await merchant.commissionOf(reordered.id)).state).toBe('reversed');
});

test.each<[what: string, buying: Buying]>([
  ['without a click or promotion code', {}],
  ['of a subscription', { codes: ['promo_x'], fields: { mode: 'subscription' } }],
  ['that is not paid yet', { codes: ['promo_x'], fields: { payment_status: 'unpaid' } }],
  ['in another currency', { codes: ['promo_x'], fields: { currency: 'eur' } }],
])('a session %s is ignored', async (_what, buying) => {
  const { completed, refunded } = checkout(buying);
  expect([await deliver(completed()), await deliver(refunded())]).toEqual(['ignored', 'ignored']);
});

test('sessions are reported only where the merchant asks for it, and a promotion code that cannot be read is tried again', async () => {
  const { tracking_key: trackingKey, postback_key: postbackKey } = merchant.world.store;
  const tributary = createTributary({ baseUrl: merchant.service.url, trackingKey, postbackKey });
  const off = createStripeBridge({ tributary, webhookSecret, stripeKey, stripeUrl });
  const { completed, refunded } = checkout({ codes: ['promo_missing'] });
  expect([await deliver(completed(), off), await deliver(refunded(), off)]).toEqual(['ignored', 'ignored']);
  expect(await deliver(completed())).toBe('again');
  const { subscriptions } = tributary;
  expect(() => createStripeBridge({ tributary: { subscriptions }, webhookSecret, stripeKey, reportCheckouts: true })).toThrow(
    /conversions/,
  );
});

/** A subscription without a click, whose code is in its Checkout Session, or only in the subscription. */
function subscribe(code: Json, where: 'session' | 'subscription') {
  const at = new Date(merchant.at());
  const { product_id: product, price_id: price } = merchant.world.subscription;
  const discounts = [{ id: newId('di'), promotion_code: code['id'] }];
  const made = { ...subscriptionOf({ click: null, product, price }, at), customer: 'cus_2' };
  storedSubscriptions.set(made.id, { ...made, discounts: where === 'subscription' ? discounts : [] });
  if (where === 'session') sessions.set(made.id, { id: newId('cs'), mode: 'subscription', discounts });
  const billing = { amount: 4_900, at };
  return {
    id: made.id,
    created: webhook('customer.subscription.created', made, at),
    paid: webhook('invoice.paid', paid(invoiceOf(made, billing), billing), at),
  };
}

test.each(['session', 'subscription'] as const)(
  'a subscription is bound by the promotion code of its %s, in any order of the webhooks',
  async (where) => {
    const { tracking_key: trackingKey, postback_key: postbackKey } = merchant.world.store;
    const tributary = createTributary({ baseUrl: merchant.service.url, trackingKey, postbackKey, limits: { attemptsMax: 1 } });
    const reading = createStripeBridge({ tributary, webhookSecret, stripeKey, stripeUrl, readPromotionCodes: true });
    const { id, created, paid: invoicePaid } = subscribe(promotionCode('SPRING10', 'SPRING'), where);
    expect([await deliver(created), await deliver(invoicePaid)]).toEqual(['ignored', 'ignored']);
    expect([await deliver(invoicePaid, reading), await deliver(created, reading), await deliver(invoicePaid, reading)]).toEqual([
      'done',
      'done',
      'done',
    ]);
    const relationship = await subscriberOf(merchant, id).relationship();
    expect(relationship).toMatchObject({ clickId: null, paidInvoices: 1, attribution: { rule: 'code', discount_code: 'SPRING10' } });
    expect([await deliver(subscribe(promotionCode('UNKNOWN', 'SPRING'), where).paid, reading)]).toEqual(['refused']);
  },
);

test('a promotion code follows the code of Tributary', async () => {
  const options = { stripeKey, coupon: 'SUMMER', stripeUrl };
  const code = { code: 'SUMMER5', status: 'active', valid_until: '2030-01-01T00:00:00Z' } as const;
  promotionCode('SUMMER5', 'OTHER');
  expect(await keepPromotionCode(code, options)).toBe('created');
  expect(written.splice(0)).toEqual([
    '/v1/promotion_codes promotion%5Btype%5D=coupon&promotion%5Bcoupon%5D=SUMMER&code=SUMMER5&expires_at=1893456000',
  ]);
  expect(await keepPromotionCode(code, options)).toBe('unchanged');
  expect(await keepPromotionCode({ ...code, status: 'paused' }, options)).toBe('deactivated');
  expect(await keepPromotionCode({ ...code, status: 'ended' }, options)).toBe('unchanged');
  expect(await keepPromotionCode(code, options)).toBe('activated');
  expect(written.map((line) => line.split(' ')[1])).toEqual(['active=false', 'active=true']);
  await expect(keepPromotionCode(code, { ...options, stripeKey: 'rk_wrong' })).rejects.toThrow('HTTP 401');
  await expect(keepPromotionCode(code, { ...options, stripeKey: '' })).rejects.toThrow(TypeError);
});

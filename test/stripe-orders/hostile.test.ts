import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { addTeamMember } from '../support/isolation-world.ts';
import { merchantIn, otherMerchant, type Merchant } from '../support/merchant.ts';
import { signIn } from '../support/portal.ts';
import { startTestService } from '../support/service.ts';
import { webhook } from '../sdk/stripe-objects.ts';
import { apiKey, connect, deliver, paymentLinkOrder, post, processed, signingSecret } from './stripe-account.ts';

const otherSecret = 'whsec_otherOfTheTests';
const stripe = new Stripe('sk_never-used');
let merchant: Merchant;
let other: Merchant;

beforeAll(async () => {
  const service = await startTestService();
  merchant = merchantIn(service, await service.seed());
  other = otherMerchant(merchant);
  await merchant.moveClock('2d');
  expectSuccess(await connect(merchant, { signing_secret: signingSecret }));
  expectSuccess(await connect(other, { signing_secret: otherSecret }));
});
afterAll(() => merchant.service.stop());

const path = () => `/stores/${merchant.world.store.id}/stripe`;
const order = async () => paymentLinkOrder({ at: new Date(merchant.at()), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
const storedEvents = async (): Promise<number> => (await merchant.api('GET', `${path()}/events`)).json.data.length;

test('an event is stored only if the secret of its own store signed these bytes within five minutes', async () => {
  const event = (await order()).completed();
  const signedAt = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000);
  expect(await deliver(merchant, event, { secret: otherSecret })).toBe(400);
  expect(await deliver(merchant, event, { at: signedAt(310) })).toBe(400);
  expect(await deliver(merchant, event, { at: signedAt(-360) })).toBe(400);
  const header = stripe.webhooks.generateTestHeaderString({ payload: event.raw, secret: signingSecret });
  expect(await post(merchant, event.raw, {})).toBe(400);
  expect(await post(merchant, `${event.raw} `, { 'stripe-signature': header })).toBe(400);
  expect(await post(merchant, JSON.stringify(JSON.parse(event.raw)), { 'stripe-signature': header })).toBe(400);
  expect(await storedEvents()).toBe(0);
  const { health } = (await merchant.api('GET', path())).json;
  expect(health).toContainEqual({ check: 'signatures', is_ok: false, message: expect.stringContaining('signing secret of this store') });
  expect(await post(merchant, event.raw, { 'stripe-signature': header })).toBe(200);
  expect(await storedEvents()).toBe(1);
});

test('an event replayed to the same store records nothing, and another store sees nothing of it', async () => {
  const { id, completed } = await order();
  const event = completed();
  const header = stripe.webhooks.generateTestHeaderString({ payload: event.raw, secret: signingSecret });
  const before = await storedEvents();
  for (let times = 0; times < 3; times += 1) expect(await post(merchant, event.raw, { 'stripe-signature': header })).toBe(200);
  expect(await post(other, event.raw, { 'stripe-signature': header })).toBe(400);
  await processed(merchant);
  expect(await storedEvents()).toBe(before + 1);
  expect((await merchant.commissionOf(id)).state).toBe('pending');
  expect((await other.api('GET', `/stores/${other.world.store.id}/stripe/events`)).json.data).toEqual([]);
});

test('an order with a click of another store is shown as failed and earns nothing', async () => {
  const event = paymentLinkOrder({ at: new Date(merchant.at()), click: await merchant.click() }).completed();
  expect(await deliver(other, event, { secret: otherSecret })).toBe(200);
  expect(await processed(other)).toMatchObject([{ state: 'failed', reason: 'unknown_referral_click' }]);
});

test('a huge body, signed bytes that are no event, and a store without a connection are rejected', async () => {
  const signedBy = (raw: string) => ({
    'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload: raw, secret: signingSecret }),
  });
  const huge = JSON.stringify({ padding: 'a'.repeat(2_000_000) });
  expect(await post(merchant, huge, signedBy(huge))).toBe(413);
  const count = await storedEvents();
  for (const raw of [
    '{',
    '[]',
    'null',
    '{"id":"evt_1","type":"invoice.paid"}',
    '{"id":"evt_1","type":"a","created":-5,"data":{"object":{}}}',
  ])
    expect([raw, await post(merchant, raw, signedBy(raw))]).toEqual([raw, 400]);
  const odd = JSON.stringify({ id: 'evt_\u0000', type: 'invoice.paid', created: 1, data: { object: { id: '\ud800' } } });
  expect(await post(merchant, odd, signedBy(odd))).toBe(400);
  expect(await storedEvents()).toBe(count);
  const unconnected = {
    ...merchant,
    world: { ...merchant.world, store: { ...merchant.world.store, id: `${merchant.world.store.id.slice(0, -6)}000000` } },
  };
  expect(await post(unconnected, '{}', {})).toBe(404);
});

test('fields of the wrong type make an event fail or be ignored, and stop no other event', async () => {
  const strange = [
    {},
    { id: 5 },
    { id: 'cs_x', mode: 'payment', payment_status: 'paid', currency: 'usd', amount_total: '5', created: 'now' },
  ];
  for (const object of strange) expect(await deliver(merchant, webhook('checkout.session.completed', object, new Date(), false))).toBe(200);
  const negative = { ...(await order()).session, id: 'cs_negative', amount_total: -5 };
  expect(await deliver(merchant, webhook('checkout.session.completed', negative, new Date(), false))).toBe(200);
  const { id, completed } = await order();
  expect(await deliver(merchant, completed())).toBe(200);
  const shown = await processed(merchant);
  expect(shown.filter(({ state }) => state === 'waiting')).toEqual([]);
  expect((await merchant.commissionOf(id)).state).toBe('pending');
});

test('a new signing secret is accepted beside the previous one until that ends, and a leaked one ends immediately', async () => {
  const next = 'whsec_nextOfTheTests';
  const { json } = expectSuccess(await connect(merchant, { signing_secret: next }));
  expect(json).toMatchObject({ signing_secret_last4: 'ests', previous_secret_valid_until: expect.any(String) });
  expect(await deliver(merchant, (await order()).completed(), { secret: next })).toBe(200);
  expect(await deliver(merchant, (await order()).completed(), { secret: signingSecret })).toBe(200);
  expectSuccess(await connect(merchant, { signing_secret: signingSecret, previous_valid_hours: 0 }));
  expect(await deliver(merchant, (await order()).completed(), { secret: next })).toBe(400);
  expect(await deliver(merchant, (await order()).completed(), { secret: signingSecret })).toBe(200);
});

test('only those who may change the integration connect Stripe, and no response or audit entry contains a secret', async () => {
  const viewer = await addTeamMember(merchant, 'viewer');
  const developer = await signIn(merchant.service, merchant.world.logins.merchant);
  const body = { signing_secret: signingSecret, api_key: apiKey };
  expect((await viewer('PUT', path(), body)).status).toBe(403);
  expect((await viewer('DELETE', path())).status).toBe(403);
  const answers = [expectSuccess(await developer('PUT', path(), body)), expectSuccess(await viewer('GET', path()))];
  answers.push(await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`));
  expect(answers.filter(({ text }) => text.includes(signingSecret) || text.includes(apiKey))).toEqual([]);
  expect(answers.at(-1)?.text).toContain('stripe_connection.save');
  for (const wrong of [{ api_key: 'rk_live_sampleOfTheTests' }, { api_key: 'sk_test_sampleOfTheTests' }, { signing_secret: 'secret' }])
    expect((await connect(merchant, wrong)).status).toBeGreaterThanOrEqual(400);
});

test('disconnecting leaves nothing of the account behind, and connecting again needs the secret', async () => {
  const { id, completed } = await order();
  expect(await deliver(merchant, completed())).toBe(200);
  await processed(merchant);
  expect((await merchant.api('DELETE', path())).status).toBe(204);
  for (const table of [sql`stripe_connections`, sql`stripe_events`, sql`stripe_sessions`]) {
    const { count } = await merchant.database.one<{ count: bigint }>(
      sql`select count(*) as count from ${table} where store_id = ${merchant.storeId}`,
    );
    expect(count).toBe(0n);
  }
  expect(await deliver(merchant, completed())).toBe(404);
  expect((await merchant.commissionOf(id)).state).toBe('pending');
  expect((await merchant.api('GET', path())).json).toMatchObject({ is_connected: false, signing_secret_last4: null, health: [] });
  expect((await merchant.api('DELETE', path())).status).toBe(404);
  expect((await connect(merchant, { api_key: apiKey })).json.errors).toMatchObject([{ field: 'signing_secret' }]);
});

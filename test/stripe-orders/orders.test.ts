import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { startTestService, startTestServiceOn } from '../support/service.ts';
import { sql } from '../../src/db/sql.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { newId, type Webhook } from '../sdk/stripe-objects.ts';
import {
  apiKey,
  connect,
  deliver,
  paymentLinkOrder,
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
  await merchant.moveClock('2d');
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  expectSuccess(
    await merchant.api('POST', `${program}/terms`, {
      order_rules: [{ basis_points: 1_000 }],
      subscription_rules: [{ basis_points: 2_000 }],
      codes: 'when_no_click',
    }),
  );
  expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'SPRING10', creator_id: merchant.world.creator.id }));
  await merchant.moveClock('1h');
  expectSuccess(await connect(merchant, { signing_secret: signingSecret, api_key: apiKey }));
});
afterAll(async () => {
  stripe.close();
  await merchant.service.stop();
});

const now = (): Date => new Date(merchant.at());

test('an order of a Payment Link earns by the click in client_reference_id, once however often it is delivered', async () => {
  const { id, completed } = paymentLinkOrder({ at: now(), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  const event = completed();
  expect([await deliver(merchant, event), await deliver(merchant, event)]).toEqual([200, 200]);
  expect((await processed(merchant)).filter(({ object_id: object }) => object === id)).toMatchObject([
    { state: 'done', reason: null, attempts: 1 },
  ]);
  expect(await merchant.commissionOf(id)).toMatchObject({ state: 'pending', amountCents: 1_000n, eligibleCents: 10_000n });
});

const clickEarlier = (): Promise<string> => merchant.clickAt(new Date(merchant.at(-60_000)));

/** Delivers the events, and returns what became of the object's ones. */
async function deliverAll(...events: readonly Webhook[]): Promise<readonly string[]> {
  // One after the other: two processes may handle events at the same time, and then a refund is tried again after a pause.
  for (const event of events) {
    expect(await deliver(merchant, event)).toBe(200);
    await processed(merchant);
  }
  const shown = await processed(merchant);
  return events.map(({ raw }) => {
    const { id } = JSON.parse(raw);
    const found = shown.find((one) => one.event_id === id);
    return [found?.state, found?.reason].filter(Boolean).join(' ');
  });
}

test('an order without a click earns for the owner of its promotion code', async () => {
  stripe.keep({ id: 'promo_spring', object: 'promotion_code', code: 'spring10' });
  const { id, completed } = paymentLinkOrder({ at: now(), codes: ['promo_spring'] });
  expect(await deliverAll(completed())).toEqual(['done']);
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?order_id=${id}`)).json;
  expect(data[0]).toMatchObject({ attributed_by: 'code', credited_code: 'SPRING10', amount_cents: 1_000 });
});

test('a partial refund lowers the commission by its share without tax and shipping, and the rest of the payment reverses it', async () => {
  const { id, completed, refunded, chargeRefunded } = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  expect(await deliverAll(completed(), refunded(2_300), chargeRefunded(2_300))).toEqual(['done', 'done', 'ignored partial_refund']);
  expect(await merchant.commissionOf(id)).toMatchObject({ state: 'pending', amountCents: 800n });
  expect(await deliverAll(refunded(9_200), chargeRefunded(11_500))).toEqual(['done', 'done']);
  expect((await merchant.commissionOf(id)).state).toBe('reversed');
});

test('the last partial refund that comes after the refund of the whole changes nothing, and does not fail', async () => {
  const { id, completed, refunded, chargeRefunded } = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  expect(await deliverAll(completed(), refunded(2_300))).toEqual(['done', 'done']);
  expect(await deliverAll(chargeRefunded(11_500))).toEqual(['done']);
  expect(await deliverAll(refunded(9_200))).toEqual(['done']);
  expect((await merchant.commissionOf(id)).state).toBe('reversed');
});

test('a refund that is pending, or of the whole payment, is left to the event that reports it', async () => {
  const { id, completed, refunded, chargeRefunded } = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  expect(await deliverAll(completed(), refunded(2_300, 'pending'), refunded(11_500))).toEqual([
    'done',
    'ignored refund_not_succeeded',
    'ignored full_refund',
  ]);
  expect((await merchant.commissionOf(id)).amountCents).toBe(1_000n);
  expect(await deliverAll(chargeRefunded(11_500))).toEqual(['done']);
  expect((await merchant.commissionOf(id)).state).toBe('reversed');
});

test('a refund that arrives before its order has the same result', async () => {
  const { id, session, completed, refunded } = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  stripe.keep(session);
  expect(await deliverAll(refunded(2_300), completed())).toEqual(['done', 'done']);
  expect(await merchant.commissionOf(id)).toMatchObject({ state: 'pending', amountCents: 800n });
});

test.each<[what: string, fields: Buying['fields'], state: string]>([
  ['is not in US dollars', { currency: 'eur', metadata: { rm_click: 'rmc_some' } }, 'failed not_usd'],
  ['is not in US dollars and has no click', { currency: 'eur' }, 'ignored no_click'],
  ['is not paid yet', { payment_status: 'unpaid' }, 'ignored not_paid'],
  ['saves a card', { mode: 'setup' }, 'ignored no_payment'],
  ['has a reference of the store', { client_reference_id: 'cart_5' }, 'ignored no_click'],
  ['names an unknown click', { client_reference_id: `rmc_${'a'.repeat(43)}` }, 'failed unknown_referral_click'],
])('a session that %s is shown with the reason', async (_what, fields, state) => {
  const { completed } = paymentLinkOrder({ at: now(), fields });
  expect(await deliverAll(completed())).toEqual([state]);
  const [shown] = await processed(merchant);
  expect(shown?.message).toMatch(/^[A-Z].+[.]$/);
});

test('an event of another type, of live mode, or about a payment that is no order is shown with the reason', async () => {
  const of = (type: string, livemode: boolean, object: object): Webhook => ({
    type,
    raw: JSON.stringify({ id: newId('evt'), type, livemode, created: 1_700_000_000, data: { object } }),
  });
  const charge = { id: 'ch_1', amount: 5, amount_refunded: 5, refunded: true, currency: 'usd', payment_intent: 'pi_unknown' };
  expect(await deliverAll(of('customer.created', false, {}), of('invoice.paid', true, {}), of('charge.refunded', false, charge))).toEqual([
    'ignored irrelevant_type',
    'failed live_mode',
    'ignored unknown_payment',
  ]);
});

test('a subscription of a Payment Link earns with every invoice, although only its session names the click', async () => {
  const { product_id: product, price_id: price } = merchant.world.subscription;
  const items = { object: 'list', data: [{ id: 'si_1', price: { id: price, product } }] };
  const at = now();
  const bought = paymentLinkSubscription({ at, click: await clickEarlier(), fields: { items } as object });
  const [second, third] = [bought.invoice(at), bought.invoice(at)];
  stripe.keep(bought.subscription, bought.first, second, third);
  stripe.payInvoice('pi_third', third.id);
  // The first invoice is paid before the session is complete.
  expect(await deliverAll(bought.created(), bought.paid(bought.first), bought.completed())).toEqual([
    'ignored no_click',
    'ignored no_click',
    'done',
  ]);
  expect(await deliverAll(bought.paid(second), bought.paid(third), bought.refunded('pi_third', 2_700), bought.ended())).toEqual([
    'done',
    'done',
    'done',
    'done',
  ]);
  const { bindingId, endedRecordedAt } = await subscriberOf(merchant, bought.subscription.id).relationship();
  expect(endedRecordedAt).toBeInstanceOf(Date);
  const rows = await merchant.database.all<{ amount: bigint }>(sql`
    select c.amount_cents as amount from relationship_invoices i join commissions c using (store_id, commission_id)
    where store_id = ${merchant.storeId} and i.binding_id = ${bindingId} order by c.amount_cents desc`);
  expect(rows.map(({ amount }) => amount)).toEqual([980n, 980n, 490n]);
});

test('an event waits while Stripe cannot be read or the integration is off, and is processed when that is over', async () => {
  stripe.keep({ id: 'promo_late', object: 'promotion_code', code: 'SPRING10' });
  const { id, completed } = paymentLinkOrder({ at: now(), codes: ['promo_late'] });
  const retry = async (): Promise<string> => {
    const [event] = await processed(merchant);
    expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/stripe/events/${event?.id}/retry`));
    const [after] = await processed(merchant);
    return `${after?.state} ${after?.reason}`;
  };
  stripe.account.status = 500;
  expect(await deliverAll(completed())).toEqual(['waiting stripe_unavailable']);
  stripe.account.status = 403;
  expect(await retry()).toBe('waiting stripe_key_lacks_permission');
  const health = async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe`)).json.health;
  expect(await health()).toContainEqual({ check: 'stripe_data', is_ok: false, message: expect.stringContaining('no permission') });
  stripe.account.status = 200;
  expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/disable`));
  expect(await retry()).toBe('waiting integration_disabled');
  expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/enable`));
  expect(await retry()).toBe('done null');
  expect(await merchant.commissionOf(id)).toMatchObject({ state: 'pending', amountCents: 1_000n });
  expect(await health()).toContainEqual({ check: 'stripe_data', is_ok: true, message: expect.any(String) });
});

test('without an API key, orders by click and their refunds are reported, and the rest is processed when a key is added', async () => {
  expectSuccess(await connect(merchant, { api_key: null }));
  const byClick = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  expect(await deliverAll(byClick.completed(), byClick.refunded(2_300))).toEqual(['done', 'done']);
  const byCode = paymentLinkOrder({ at: now(), codes: ['promo_spring'] });
  expect(await deliverAll(byCode.completed())).toEqual(['waiting stripe_key_missing']);
  expectSuccess(await connect(merchant, { api_key: apiKey }));
  expect((await processed(merchant))[0]).toMatchObject({ state: 'done', reason: null });
  expect((await merchant.commissionOf(byCode.id)).amountCents).toBe(1_000n);
});

test('a report is in the tracking log under the ID of its event, and the content of a processed event is deleted', async () => {
  const { id, completed } = paymentLinkOrder({ at: now(), click: await clickEarlier() });
  const event = completed();
  expect(await deliverAll(event)).toEqual(['done']);
  expect(await merchant.logEntryOf(id)).toMatchObject({ operation: 'conversion', status: 200, requestId: JSON.parse(event.raw).id });
  const { count } = await merchant.database.one<{ count: bigint }>(sql`
    select count(*) as count from stripe_events
    where store_id = ${merchant.storeId} and state in ('done', 'ignored') and body is not null`);
  expect(count).toBe(0n);
});

test('two services that process the same events at the same time double nothing', async () => {
  const other = await startTestServiceOn(merchant.service.databaseUrl, { STRIPE_API: stripe.host });
  const orders = await Promise.all(Array.from({ length: 12 }, async () => paymentLinkOrder({ at: now(), click: await clickEarlier() })));
  stripe.keep(...orders.map(({ session }) => session));
  const events = orders.flatMap((order) => [order.completed(), order.refunded(2_300)]);
  for (const event of [...events, ...events].toReversed()) expect(await deliver(merchant, event)).toBe(200);
  await processed(merchant);
  await other.stop();
  const amounts = await Promise.all(orders.map(async ({ id }) => (await merchant.commissionOf(id)).amountCents));
  expect(new Set(amounts)).toEqual(new Set([800n]));
});

import { afterAll, expect, test } from 'vitest';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { MoneyIntent } from '../../src/payments/provider.ts';
import { stripeCharges } from '../../src/payments/stripe-charges.ts';
import { openStripe, type StripeAccess, stripeApiVersion } from '../../src/payments/stripe-client.ts';
import { readStripeEvent } from '../../src/payments/stripe-webhooks.ts';
import { stripePayouts } from '../../src/payments/stripe-transfers.ts';
import type { StripeObject } from '../support/stripe-book.ts';
import { startFakeStripe } from '../support/stripe-server.ts';

const accessWith = (change: { secretKey?: string; port?: number } = {}) => {
  const { host, port, secretKey, webhookSecret } = standIn;
  return openStripe({ secretKey: change.secretKey ?? secretKey, webhookSecret, isLive: false, api: { host, port: change.port ?? port } });
};

const standIn = await startFakeStripe();
const access = accessWith();
const read = readStripeEvent(access, standIn.webhookSecret);
afterAll(async () => {
  await standIn.close();
  invariant(standIn.problems.length === 0, `The Stripe stand-in rejected requests: ${standIn.problems.join('; ')}`);
});

let counted = 0;
const intent = (word: string, change: Partial<MoneyIntent> = {}): MoneyIntent => ({
  reference: `chg_${String(++counted).padStart(6, '0')}`,
  amount: cents(12_345),
  instrument: `cus_${counted}|pm_${word}_${counted}`,
  description: 'Invoice 7 of Tributary',
  ...change,
});
const payments = (reference: string) => standIn.book.all('payment_intent').filter(({ metadata }) => isOf(metadata, reference));
const isOf = (metadata: unknown, reference: string) => JSON.stringify(metadata) === JSON.stringify({ reference });
const charge = (sent: MoneyIntent) => stripeCharges(access).charge(sent);
const callCount = (operation: string) => standIn.callCounts.get(operation) ?? 0;

test('requests an off-session payment with the supported API version', async () => {
  const sent = intent('ok');
  await charge(sent);
  const [customer = '', method = ''] = sent.instrument.split('|');
  expect(payments(sent.reference)).toMatchObject([
    { amount: 12_345, currency: 'usd', customer, payment_method: method, description: 'Invoice 7 of Tributary' },
  ]);
  const { default: Stripe } = await import('stripe');
  expect(Stripe.API_VERSION).toBe(stripeApiVersion);
});

test.each([
  ['declined', 'generic_decline', 'The payment was declined. Ask the bank or Stripe for the reason.'],
  ['insufficient', 'insufficient_funds', 'The account of the card has insufficient funds.'],
  ['confirm', 'authentication_required', 'The bank requires authentication. Save the payment method again and confirm it with the bank.'],
  ['gone', 'resource_missing', 'The saved payment method no longer exists at Stripe. Save it again.'],
])('a card that is %s is declined as %s with our message', async (word, code, message) => {
  expect(await charge(intent(word))).toMatchObject({ is: 'declined', code, message });
});

test('a look-up reports a declined payment with the code of the bank', async () => {
  const sent = intent('insufficient');
  await charge(sent);
  standIn.pass(3_600_000);
  expect(await stripeCharges(access).lookUpCharge(sent)).toMatchObject({ is: 'declined', code: 'insufficient_funds' });
});

test('cancels a payment that waits for its customer before it counts as declined', async () => {
  const sent = intent('waits');
  expect(await charge(sent)).toMatchObject({ is: 'declined', code: 'authentication_required' });
  expect(payments(sent.reference)).toMatchObject([{ status: 'canceled' }]);
});

test('a payment that waits and cannot be cancelled is unknown', async () => {
  const sent = intent('waits');
  const broken: StripeAccess = {
    ...access,
    asking: (key) => ({ ...access.asking(key), ...(key?.startsWith('cancel') ? { apiKey: 'sk_test_other' } : {}) }),
  };
  expect((await stripeCharges(broken).charge(sent)).is).toBe('unknown');
});

test.each([
  ['an idempotency key in use (409)', 'locked'],
  ['too many requests (429)', 'busy'],
])('%s makes the outcome unknown, and the same key succeeds later', async (_what, word) => {
  const sent = intent(word);
  expect((await charge(sent)).is).toBe('unknown');
  expect(payments(sent.reference)).toEqual([]);
  expect((await charge(sent)).is).toBe('succeeded');
  expect(payments(sent.reference)).toHaveLength(1);
});

test('a rejected API key makes the outcome unknown, so that no store becomes past due', async () => {
  const sent = intent('ok');
  expect((await stripeCharges(accessWith({ secretKey: 'sk_test_revoked' })).charge(sent)).is).toBe('unknown');
  expect((await charge(sent)).is).toBe('succeeded');
});

test('a broken or refused connection makes the outcome unknown, and money moves at most once', async () => {
  const sent = intent('cut_done');
  expect(['unknown', 'succeeded']).toContain((await charge(sent)).is);
  expect(payments(sent.reference)).toHaveLength(1);
  expect((await stripeCharges(accessWith({ port: 1 })).charge(intent('ok'))).is).toBe('unknown');
});

test('the library does not retry after a 5xx', async () => {
  const before = callCount('POST /v1/payment_intents');
  await charge(intent('error_not_done'));
  expect(callCount('POST /v1/payment_intents')).toBe(before + 1);
});

test('declines what Stripe cannot accept without calling it', async () => {
  const before = callCount('POST /v1/payment_intents');
  expect(await charge(intent('ok', { amount: cents(100_000_000) }))).toMatchObject({ is: 'declined', code: 'amount_too_large' });
  expect(await charge(intent('ok', { instrument: 'pm_alone' }))).toMatchObject({ is: 'declined', code: 'no_such_instrument' });
  expect(callCount('POST /v1/payment_intents')).toBe(before);
});

test('finds a payment among hundreds of its customer, and prefers a success to declined attempts', async () => {
  const wanted = intent('ok', { instrument: 'cus_busy|pm_ok' });
  await charge(wanted);
  for (let other = 0; other < 230; other++) {
    const metadata = { reference: other < 3 ? wanted.reference : `other ${other}` };
    const status = 'requires_payment_method';
    standIn.book.add({ id: standIn.book.newId('pi'), object: 'payment_intent', customer: 'cus_busy', metadata, status });
  }
  standIn.pass(3_600_000);
  const before = callCount('GET /v1/payment_intents');
  expect((await stripeCharges(access).lookUpCharge(wanted)).is).toBe('succeeded');
  expect(callCount('GET /v1/payment_intents')).toBe(before + 3);
});

test('reports unknown, not absent, when a customer has more payments than a look-up reads', async () => {
  const customer = 'cus_crowd';
  const add = (reference: string, status: string) =>
    standIn.book.add({
      id: standIn.book.newId('pi'),
      object: 'payment_intent',
      customer,
      amount: 12_345,
      metadata: { reference },
      status,
      last_payment_error: null,
    });
  const [wanted, declined] = [intent('ok', { instrument: `${customer}|pm_ok` }), intent('ok', { instrument: `${customer}|pm_ok` })];
  add(wanted.reference, 'succeeded');
  add(declined.reference, 'succeeded');
  for (let other = 0; other < 2_000; other++) add(`other ${other}`, 'succeeded');
  add(declined.reference, 'canceled');
  standIn.pass(3_600_000);
  expect(await stripeCharges(access).lookUpCharge(wanted)).toMatchObject({ is: 'unknown', why: expect.stringContaining('more payments') });
  expect((await stripeCharges(access).lookUpCharge(declined)).is).toBe('unknown');
});

test('a failed look-up is unknown, never absent', async () => {
  const gone = accessWith({ port: 1 });
  expect((await stripeCharges(gone).lookUpCharge(intent('ok'))).is).toBe('unknown');
  expect((await stripePayouts(gone).lookUpPayout(intent('ok', { instrument: 'acct_ok' }))).is).toBe('unknown');
  expect((await stripeCharges(access).lookUpCharge(intent('ok', { providerId: 'pi_of_nobody' }))).is).toBe('unknown');
});

test.each([
  ['declined', 'insufficient_capabilities_for_transfer'],
  ['insufficient', 'balance_insufficient'],
])('a transfer that Stripe rejects (%s) is declined as %s', async (word, code) => {
  const sent = intent('', { instrument: `acct_${word}_1` });
  expect(await stripePayouts(access).pay(sent)).toMatchObject({ is: 'declined', code });
});

const eventOf = async (type: string, object: StripeObject, options = {}) => {
  const { body, headers } = standIn.webhook(type, object, options);
  const result = await read(body, headers, new Date());
  return result.is === 'read' ? result.event : result;
};
const payment = (change: Record<string, unknown>): StripeObject =>
  standIn.book.add({ id: standIn.book.newId('pi'), object: 'payment_intent', metadata: { reference: 'chg_news' }, ...change });

test.each([
  ['payment_intent.succeeded', { status: 'succeeded' }, { is: 'succeeded' }],
  ['payment_intent.processing', { status: 'processing' }, { is: 'pending' }],
  ['payment_intent.canceled', { status: 'canceled', last_payment_error: null }, { is: 'declined', code: 'canceled' }],
  [
    'payment_intent.payment_failed',
    { status: 'requires_payment_method', last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } },
    { is: 'declined', code: 'lost_card', message: 'The payment was declined. Ask the bank or Stripe for the reason.' },
  ],
])('%s reports the outcome of a charge', async (type, change, outcome) => {
  const object = payment(change);
  const event = await eventOf(type, object);
  expect(event).toMatchObject({ about: 'charge', reference: 'chg_news', outcome: { providerId: object.id, ...outcome } });
});

const dispute = (change: Record<string, unknown>): StripeObject => ({
  id: 'dp_1',
  object: 'dispute',
  status: 'lost',
  reason: 'fraudulent',
  ...change,
});

test('reports a lost dispute with the reference of its charge', async () => {
  const { id } = payment({ status: 'succeeded' });
  const event = await eventOf('charge.dispute.closed', dispute({ payment_intent: id }));
  expect(event).toMatchObject({
    about: 'dispute_lost',
    reference: 'chg_news',
    at: expect.any(Date),
    why: expect.stringContaining('fraudulent'),
  });
});

test.each<readonly [string, Record<string, unknown>, string, bigint | null]>([
  ['charge.dispute.created', dispute({ status: 'needs_response', amount: 1_200 }), 'dispute_opened', 1_200n],
  ['charge.dispute.created', dispute({ status: 'warning_needs_response' }), 'dispute_opened', null],
  ['charge.dispute.funds_withdrawn', dispute({ status: 'needs_response', amount: 1_200 }), 'dispute_opened', 1_200n],
  ['charge.dispute.closed', dispute({ status: 'won', amount: 1_200 }), 'dispute_won', 1_200n],
  ['charge.dispute.closed', dispute({ status: 'warning_closed' }), 'dispute_won', null],
  ['charge.dispute.funds_reinstated', dispute({ status: 'won' }), 'dispute_won', null],
  ['radar.early_fraud_warning.created', { id: 'issfr_1', fraud_type: 'made_with_stolen_card' }, 'fraud_warning', null],
  ['charge.refunded', { id: 'ch_1', object: 'charge', amount_refunded: 700 }, 'charge_refunded', 700n],
])('reports %s about our charge, %o, as %s', async (type, object, about, amount) => {
  const { id } = payment({ status: 'succeeded' });
  const event = await eventOf(type, { id: 'obj_1', object: 'object', ...object, payment_intent: id });
  expect(event).toMatchObject({ about, reference: 'chg_news', amount });
});

test('a dispute whose charge cannot be read is requested again, not ignored', async () => {
  const reader = readStripeEvent(accessWith({ port: 1 }), standIn.webhookSecret);
  const { body, headers } = standIn.webhook('charge.dispute.closed', dispute({ payment_intent: payment({}).id }));
  expect((await reader(body, headers, new Date())).is).toBe('not_now');
});

test.each<readonly [string, string, Record<string, unknown>]>([
  ['a dispute under review', 'charge.dispute.closed', dispute({ status: 'under_review', payment_intent: 'pi_1' })],
  ['a dispute without a payment', 'charge.dispute.created', dispute({ payment_intent: null })],
  [
    'a payment without our reference',
    'payment_intent.succeeded',
    { id: 'pi_x', object: 'payment_intent', status: 'succeeded', metadata: {} },
  ],
  [
    'a partly reversed transfer',
    'transfer.reversed',
    { id: 'tr_x', object: 'transfer', reversed: false, metadata: { reference: 'pay_1' } },
  ],
  ["a payout that the creator's bank rejected", 'payout.failed', { id: 'po_1', object: 'payout' }],
  ['an unknown event type', 'tea.served', { id: 'tea_1', object: 'tea' }],
])('ignores %s', async (_what, type, object) => {
  expect(await eventOf(type, object as StripeObject)).toMatchObject({ about: 'nothing', what: expect.stringContaining(type) });
});

test('ignores events of the other mode, even with a valid signature', async () => {
  const event = await eventOf('payment_intent.succeeded', payment({ status: 'succeeded' }), { livemode: true });
  expect(event).toMatchObject({ about: 'nothing', what: 'payment_intent.succeeded of the other mode' });
});

test('reports a reversed transfer as a returned payout', async () => {
  const transfer = { id: 'tr_9', object: 'transfer', reversed: true, metadata: { reference: 'pay_9' } };
  expect(await eventOf('transfer.reversed', transfer)).toMatchObject({ about: 'payout_returned', reference: 'pay_9' });
});

test('rejects a signed event that is not JSON', async () => {
  const { default: Stripe } = await import('stripe');
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: 'hello', secret: standIn.webhookSecret });
  expect((await read(Buffer.from('hello'), { 'stripe-signature': signature }, new Date())).is).toBe('malformed');
});

test('the stand-in signs like the library', async () => {
  const { default: Stripe } = await import('stripe');
  const { body, headers } = standIn.webhook('payment_intent.succeeded', payment({ status: 'succeeded' }));
  const timestamp = Number(/t=(\d+)/.exec(headers['stripe-signature'] ?? '')?.[1]);
  const theirs = Stripe.webhooks.generateTestHeaderString({ payload: body.toString('utf8'), secret: standIn.webhookSecret, timestamp });
  expect(headers['stripe-signature']).toBe(theirs);
});

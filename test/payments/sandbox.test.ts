import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { ChargeProvider, MoneyIntent, PayoutProvider, ProviderEvent } from '../../src/payments/provider.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { sandboxWebhookPath, sendSandboxEvents } from '../../src/payments/sandbox-webhooks.ts';
import { allMovements } from '../../src/payments/sandbox-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { barePlatform, type BarePlatform } from '../support/bare-platform.ts';
import { startWebhookEndpoint, type WebhookEndpoint } from '../support/payment-webhook-endpoint.ts';

let bare: BarePlatform;
let endpoint: WebhookEndpoint;
let charges: ChargeProvider;
let payouts: PayoutProvider;

beforeAll(async () => {
  bare = await barePlatform();
  const { chargeProvider, payoutProvider, readEvent } = openProviders(bare.platform);
  const [one, other] = [chargeProvider('sandbox'), payoutProvider('sandbox')];
  invariant(one !== null && other !== null && readEvent.sandbox !== null, 'the sandbox has providers');
  [charges, payouts] = [one, other];
  endpoint = await startWebhookEndpoint(sandboxWebhookPath, readEvent.sandbox);
  bare.platform.own.url = endpoint.url;
});
afterAll(async () => {
  await endpoint.close();
  await bare.close();
});
/** Delivers the pending events of the previous test. */
beforeEach(async () => {
  endpoint.status = 200;
  await later(10 * 60_000);
  endpoint.events.length = 0;
  endpoint.forged.length = 0;
});

let counted = 0;
const intent = (instrument: string): MoneyIntent => ({
  reference: `chg_${String(++counted).padStart(6, '0')}`,
  amount: cents(2_500),
  instrument,
  description: 'Invoice 7',
});

/** Advances the clock and sends the events that became due. */
async function later(ms: number): Promise<void> {
  await bare.pass(ms);
  await sendSandboxEvents(bare.platform, bare.platform.clock.now());
}

const words = (events: readonly ProviderEvent[]) => events.map((one) => ('outcome' in one ? `${one.about} ${one.outcome.is}` : one.about));

test('sends an event over HTTP once, when it is due', async () => {
  const sent = intent('ok');
  await charges.charge(sent);
  await sendSandboxEvents(bare.platform, bare.platform.clock.now());
  expect(endpoint.events).toEqual([]);
  await later(3_000);
  expect(endpoint.events).toMatchObject([{ about: 'charge', reference: sent.reference, outcome: { is: 'succeeded' } }]);
  await later(3_000);
  expect(endpoint.events).toHaveLength(1);
  expect(endpoint.forged).toEqual([]);
});

test('retries an event with increasing pauses until it is accepted', async () => {
  endpoint.status = 503;
  await charges.charge(intent('ok'));
  await later(3_000);
  await later(61_000);
  endpoint.status = 200;
  await later(60_000);
  expect(endpoint.events).toEqual([]);
  await later(61_000);
  expect(words(endpoint.events)).toEqual(['charge succeeded']);
});

/** Enough charges that sending their events takes a while. */
const chargeMany = () => Promise.all(Array.from({ length: 40 }, () => charges.charge(intent('ok'))));

test('keeps events while the receiver is down, and then sends all of them', async () => {
  bare.platform.own.url = 'http://127.0.0.1:1';
  await chargeMany();
  for (let minute = 0; minute < 30; minute++) await later(61_000);
  bare.platform.own.url = endpoint.url;
  await later(24 * 3_600_000);
  expect(new Set(endpoint.events.map(({ eventId }) => eventId)).size).toBe(40);
});

test('parallel senders send each due event once', async () => {
  await chargeMany();
  await bare.pass(3_000);
  const now = bare.platform.clock.now();
  await Promise.all(Array.from({ length: 8 }, () => sendSandboxEvents(bare.platform, now)));
  expect(endpoint.events).toHaveLength(40);
});

test('a sender skips an event that another one is taking, instead of waiting for it', async () => {
  await chargeMany();
  await bare.pass(3_000);
  const { database, clock } = bare.platform;
  await database.transaction(async (tx) => {
    await tx.all(sql`select 1 as one from sandbox_events where sent_at is null limit 1 for update`);
    await sendSandboxEvents(bare.platform, clock.now());
    expect(endpoint.events).toHaveLength(39);
  });
});

test('five_times: sends the same event five times with one ID', async () => {
  await charges.charge(intent('five_times'));
  await later(3_000);
  expect(words(endpoint.events)).toEqual(Array(5).fill('charge succeeded'));
  expect(new Set(endpoint.events.map(({ eventId }) => eventId)).size).toBe(1);
});

test('reordered: answers pending, then sends the final event before the pending one', async () => {
  const sent = intent('reordered');
  expect((await charges.charge(sent)).is).toBe('pending');
  await later(5_000);
  expect(words(endpoint.events)).toEqual(['charge succeeded', 'charge pending']);
});

test('webhook_first: delivers the event before the call is answered', async () => {
  const call = charges.charge(intent('webhook_first')).then((outcome) => [outcome.is, ...words(endpoint.events)]);
  expect(await call).toEqual(['succeeded', 'charge succeeded']);
  await later(3_000);
  expect(endpoint.events).toHaveLength(1);
});

test('webhook_first: the call succeeds and the event is retried if the receiver rejects it', async () => {
  endpoint.status = 500;
  expect((await charges.charge(intent('webhook_first'))).is).toBe('succeeded');
  endpoint.status = 200;
  await later(3_000);
  expect(words(endpoint.events)).toEqual(['charge succeeded']);
});

test('insufficient_then_ok: a new attempt succeeds, the same one stays declined, and another method starts over', async () => {
  const attempt = intent('insufficient_then_ok#pm_1');
  expect(await charges.charge(attempt)).toMatchObject({ is: 'declined', code: 'insufficient_funds' });
  expect((await charges.charge(intent('insufficient_then_ok#pm_1'))).is).toBe('succeeded');
  expect((await charges.charge(attempt)).is).toBe('declined');
  expect((await charges.charge(intent('insufficient_then_ok#pm_2'))).is).toBe('declined');
});

test('timeout_then_ok: the first call of each attempt times out', async () => {
  const attempt = intent('timeout_then_ok');
  expect((await charges.charge(attempt)).is).toBe('unknown');
  expect((await charges.charge(attempt)).is).toBe('succeeded');
  expect((await charges.charge(intent('timeout_then_ok'))).is).toBe('unknown');
});

test('disputed: the charge succeeds, a dispute opens after half a minute, and it is lost after a minute', async () => {
  const sent = intent('disputed');
  expect((await charges.charge(sent)).is).toBe('succeeded');
  await later(29_000);
  expect(words(endpoint.events)).toEqual(['charge succeeded']);
  await later(30_000);
  expect(words(endpoint.events)).toEqual(['charge succeeded', 'dispute_opened']);
  await later(2_000);
  expect(endpoint.events[2]).toEqual({
    about: 'dispute_lost',
    eventId: expect.any(String),
    reference: sent.reference,
    at: expect.any(Date),
    why: expect.any(String),
  });
  expect((await charges.lookUpCharge(sent)).is).toBe('succeeded');
});

test('returned: the payout succeeds and is returned a minute later', async () => {
  const sent = { ...intent('returned'), reference: 'pay_returned' };
  expect((await payouts.pay(sent)).is).toBe('succeeded');
  await later(61_000);
  expect(words(endpoint.events)).toEqual(['payout succeeded', 'payout_returned']);
});

test('never: stays pending without events until it is completed by hand', async () => {
  const sent = intent('never');
  expect((await charges.charge(sent)).is).toBe('pending');
  await later(40 * 24 * 3_600_000);
  expect(endpoint.events).toEqual([]);
  expect(await endInSandbox(bare.platform, sent.reference, 'declined')).toBe(true);
  expect(await endInSandbox(bare.platform, sent.reference, 'succeeded')).toBe(false);
  await later(0);
  expect(words(endpoint.events)).toEqual(['charge declined']);
  expect(await charges.lookUpCharge(sent)).toMatchObject({ is: 'declined', code: 'bank_declined' });
});

test('keeps a charge when the caller rolls back', async () => {
  const sent = intent('ok');
  const rolledBack = bare.platform.database.transaction(async () => {
    await charges.charge(sent);
    throw new Error('a crash');
  });
  await expect(rolledBack).rejects.toThrow('a crash');
  expect((await allMovements(bare.platform.database)).filter(({ reference }) => reference === sent.reference)).toHaveLength(1);
});

test('rejects a payout with the key of a charge', async () => {
  const sent = intent('ok');
  await charges.charge(sent);
  await expect(payouts.pay(sent)).rejects.toThrow('impossible');
});

test('deletes old keys and delivered events', async () => {
  await charges.charge(intent('ok'));
  await later(3_000);
  await later(31 * 24 * 3_600_000);
  const left = await bare.platform.database.all(sql`
    select key from sandbox_keys union all select news_id from sandbox_events where sent_at is not null`);
  expect(left).toEqual([]);
});

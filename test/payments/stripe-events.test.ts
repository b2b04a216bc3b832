import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { eventTypesThatAreRead, whyMalformed } from '../../src/payments/stripe-webhooks.ts';
import { startTestService } from '../support/service.ts';
import { isFull } from '../support/size.ts';
import { startFakeStripe } from '../support/stripe-server.ts';

/** Sends correctly signed events with fields of every wrong type to the service. */
const standIn = await startFakeStripe();
const { host, port, secretKey, webhookSecret } = standIn;
const service = await startTestService({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API: `${host}:${port}`,
});
afterAll(async () => {
  await service.stop();
  await standIn.close();
});

async function send(text: string): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const seconds = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', standIn.webhookSecret).update(`${seconds}.${text}`).digest('hex');
  const answer = await fetch(`${service.url}/api/v1/providers/stripe/news`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${seconds},v1=${signature}` },
    body: text,
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const sentTogether = 16;

type Event = { readonly [field: string]: unknown };
const eventOf = (type: string): Event => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: 1_790_000_000,
  livemode: false,
  type,
  data: {
    object: {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 1_000,
      status: type.startsWith('charge.dispute') ? 'lost' : 'requires_payment_method',
      reason: 'fraudulent',
      fraud_type: 'made_with_stolen_card',
      amount_refunded: 1_000,
      reversed: true,
      payment_intent: 'pi_1',
      metadata: { reference: 'chg_unknown' },
      last_payment_error: { code: 'card_declined', decline_code: 'lost_card' },
    },
  },
});

const wrong = [null, true, 0, -1, 1.5, 1e300, '', 'x', '../x', 'a\u0000b', '\ud800', 'x'.repeat(6_000), [], [null], {}, { id: 7 }];

/** Variants of the event: each field at every depth replaced by each value, or missing. */
function* variantsOf(value: unknown): Generator {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const { [name]: _left, ...others } = value as Event;
    yield others;
    for (const other of wrong) yield { ...others, [name]: other };
    for (const variant of variantsOf(inner)) yield { ...others, [name]: variant };
  }
}

/** `npm test` sends every third variant: of each field other values are wrong. */
const stride = isFull ? 1 : 3;

test.each(eventTypesThatAreRead)('a signed %s with any missing or wrongly typed field never causes an internal error', async (type) => {
  const statuses = new Map<number, number>();
  const texts = [...variantsOf(eventOf(type))].filter((_variant, place) => place % stride === 0).map((variant) => JSON.stringify(variant));
  for (let from = 0; from < texts.length; from += sentTogether) {
    const some = texts.slice(from, from + sentTogether);
    for (const [place, { status, json }] of (await Promise.all(some.map(send))).entries()) {
      // 503: the event contains a payment that cannot be read at the moment.
      expect([200, 400, 503], `${status} ${JSON.stringify(json)} for ${some[place]?.slice(0, 500)}`).toContain(status);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  expect(statuses.get(400)).toBeGreaterThan(50 / stride);
  expect(statuses.get(200)).toBeGreaterThan(5 / stride);
});

// Stripe's examples of its objects: openapi/fixtures3.json of github.com/stripe/openapi. The variable contains the path of the file.
const fixtures = env['STRIPE_FIXTURES'];

test.skipIf(fixtures === undefined)("reads events with Stripe's published fixtures", () => {
  const { resources } = JSON.parse(readFileSync(fixtures ?? '', 'utf8')) as { readonly resources: Record<string, unknown> };
  for (const type of eventTypesThatAreRead) {
    const kind = type.startsWith('charge.dispute.') ? 'dispute' : type.slice(0, type.lastIndexOf('.'));
    const event = { ...(resources['event'] as Event), type, data: { object: resources[kind] } };
    expect([type, whyMalformed(Buffer.from(JSON.stringify(event)))]).toEqual([type, null]);
  }
});

test.each(['null', '7', '"text"', '[]', '{}', '{"data":{}}', '{"object":"v2.core.event"}', '{', ''])(
  'rejects the signed body %s as malformed with a reason',
  async (text) => {
    expect(await send(text)).toEqual({
      status: 400,
      json: { ok: false, reason: 'invalid_request', message: expect.stringContaining('The event is signed, but cannot be read') },
    });
  },
);

test('rejects an event without data.object and names the field', async () => {
  const { data: _left, ...others } = eventOf('payment_intent.succeeded');
  const { status, json } = await send(JSON.stringify({ ...others, data: {} }));
  expect([status, json['message']]).toEqual([400, expect.stringContaining('data.object is required')]);
});

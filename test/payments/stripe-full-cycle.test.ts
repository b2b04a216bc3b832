import { afterAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { sandboxWebhookPath, sandboxSignatureHeader, signSandboxEvent } from '../../src/payments/sandbox-webhooks.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';
import { startFakeStripe, type SignedWebhook } from '../support/stripe-server.ts';

/** Tests the service with a Stripe test key: a card is saved, charged and disputed; a creator connects an account and is paid. */
const standIn = await startFakeStripe();
const { host, port, secretKey, webhookSecret } = standIn;
const merchant = await openMerchant(
  await startTestService({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API: `${host}:${port}` }),
);
afterAll(async () => {
  await merchant.service.stop();
  await standIn.close();
  invariant(standIn.problems.length === 0, `The Stripe stand-in rejected requests: ${standIn.problems.join('; ')}`);
});

const store = () => `/stores/${merchant.world.store.id}`;
const creator = () => `/creators/${merchant.world.creator.id}`;
const states = async (): Promise<Json> =>
  (await merchant.api('GET', `${store()}/commissions`)).json.data.map(({ state }: Json) => state).sort();
const invoices = async (): Promise<Json> => (await merchant.api('GET', `${store()}/invoices`)).json.data;
const tell = async ({ body, headers: signed }: SignedWebhook) => {
  const headers = { ...signed, 'content-type': 'application/json; charset=utf-8' };
  const answer = await fetch(`${merchant.service.url}/api/v1/providers/stripe/news`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  return { status: answer.status, json: (await answer.json()) as Json };
};

async function saveCard(word: string, which: 'payment-method' | 'backup-payment-method' = 'payment-method'): Promise<Json> {
  const path = `${store()}/${which}`;
  const { status, json } = await merchant.api('POST', `${path}/setup`);
  expect([status, json.url]).toEqual([201, expect.stringContaining(json.setup_id)]);
  const back = which === 'payment-method' ? 'card' : 'backup_card';
  const billing = new RegExp(`/stores/${merchant.world.store.id}/billing\\?${back}=\\{CHECKOUT_SESSION_ID\\}$`);
  expect(standIn.book.find(json.setup_id)?.['success_url']).toMatch(billing);
  expect((await merchant.api('PUT', path, { stripe: { setup_id: json.setup_id } })).status).toBe(422);
  entered(json.setup_id, word);
  return merchant.api('PUT', path, { stripe: { setup_id: json.setup_id } });
}

/** Simulates a card entered on Stripe's page. */
const entered = (setupId: string, word: string) =>
  standIn.book.change(String(standIn.book.find(setupId)?.['setup_intent']), { status: 'succeeded', payment_method: `pm_${word}` });

async function owing(subtotal: number): Promise<void> {
  await merchant.convert(await merchant.order({ order_subtotal_cents: subtotal }));
  await merchant.api('POST', `${store()}/commissions/approve`, { filter: { state: 'pending' } });
  await merchant.moveClock('31d');
}

test('charges a card that was saved at Stripe, and shows no details of it', async () => {
  const saved = await saveCard('ok');
  expect(saved.json).toMatchObject({ payment_method: { provider: 'stripe', sandbox: null }, takes_cards: true });
  expect((await saveCard('ok_2', 'backup-payment-method')).json).toMatchObject({ backup_payment_method: { provider: 'stripe' } });
  expect((await merchant.api('DELETE', `${store()}/backup-payment-method`)).json).toMatchObject({ backup_payment_method: null });
  expect(saved.text).not.toMatch(/pm_|cus_|seti_|cs_/);
  await owing(40_000);
  const { json } = await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  expect(json.invoices).toMatchObject([{ total_cents: 4_000, state: 'paid' }]);
  expect(standIn.book.all('payment_intent')).toMatchObject([{ amount: 4_000, currency: 'usd', status: 'succeeded' }]);
  expect(await states()).toEqual(['collected']);
});

test('rejects the card setup of another store', async () => {
  const { json } = await merchant.api('POST', `${store()}/payment-method/setup`);
  entered(json.setup_id, 'ok');
  const other = `/stores/${merchant.world.other_store.id}/payment-method`;
  expect((await merchant.api('PUT', other, { stripe: { setup_id: json.setup_id } })).status).toBe(422);
  expect((await merchant.api('PUT', other, { stripe: { setup_id: 'cs_nobody' } })).status).toBe(422);
  expect((await merchant.api('PUT', other, {})).status).toBe(400);
});

test('pays a creator by one transfer after the cool-down of a connected account, despite a duplicate event', async () => {
  const path = `${creator()}/payout-method/connect`;
  expect((await merchant.api('GET', path)).json).toMatchObject({
    countries: expect.arrayContaining(['DE', 'US']),
    country: null,
    begun: false,
  });
  for (const [body, message] of [
    [{}, 'is required the first time'],
    [{ country: 'KP' }, 'is not a country that Stripe can pay to from this installation; see the list of countries'],
  ] as const) {
    expect(await merchant.api('POST', path, body)).toMatchObject({ status: 400, json: { errors: [{ field: 'country', message }] } });
  }
  expect((await merchant.api('POST', path, { country: 'Germany' })).status).toBe(400);
  expect((await merchant.api('POST', path, { country: 'US' })).status).toBe(201);
  // The creator corrects the country before entering details at Stripe.
  const begun = await merchant.api('POST', path, { country: 'DE' });
  expect(begun.status).toBe(201);
  expect((await merchant.api('POST', path, {})).json).toEqual(begun.json);
  expect((await merchant.api('GET', path)).json).toMatchObject({ country: 'DE', begun: true });
  expect((await merchant.api('PUT', `${creator()}/payout-method/connect`)).status).toBe(422);
  const account = standIn.book.all('account').find(({ country }) => country === 'DE');
  invariant(account, 'the account exists');
  standIn.book.change(account['id'], { capabilities: { transfers: 'active' } });
  const connected = await merchant.api('PUT', `${creator()}/payout-method/connect`);
  expect(connected.json).toMatchObject({ payout_method: { provider: 'stripe' } });
  expect(connected.text).not.toContain('acct_');

  const run = () => merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id });
  expect((await run()).json.payouts).toEqual([]);
  await merchant.moveClock('73h');
  expect((await run()).json.payouts).toMatchObject([{ amount_cents: 4_000, state: 'paid' }]);
  expect((await run()).json.payouts).toEqual([]);
  expect(standIn.book.all('transfer')).toMatchObject([{ amount: 4_000, destination: account['id'] }]);
  expect(await states()).toEqual(['paid']);
});

test('rejects events without a recent Stripe signature, and ignores those of another installation', async () => {
  const [intent] = standIn.book.all('payment_intent');
  invariant(intent, 'the charge exists');
  const good = standIn.webhook('payment_intent.succeeded', intent);
  expect((await tell({ ...good, body: Buffer.from(good.body.toString().replace('4000', '1')) })).status).toBe(400);
  expect((await tell(standIn.webhook('payment_intent.succeeded', intent, { secret: 'whsec_other' }))).status).toBe(400);
  expect((await tell(standIn.webhook('payment_intent.succeeded', intent, { signedAt: new Date(Date.now() - 3_600_000) }))).status).toBe(
    400,
  );
  expect((await tell(good)).status).toBe(200);
  const foreign = standIn.webhook('payment_intent.succeeded', {
    ...intent,
    id: 'pi_foreign',
    metadata: { reference: 'chg_of_somebody_else' },
  });
  expect((await tell(foreign)).status).toBe(200);
  // A signed sandbox event does not apply to a charge made by Stripe.
  const { reference } = intent['metadata'] as { readonly reference: string };
  const lost = JSON.stringify({ newsId: 'sevt_1', reference, about: 'dispute_lost', at: new Date().toISOString(), why: 'It was lost.' });
  const answer = await fetch(`${merchant.service.url}${sandboxWebhookPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [sandboxSignatureHeader]: signSandboxEvent(merchant.service.platform.secrets, lost, new Date()),
    },
    body: lost,
  });
  expect(answer.status).toBe(200);
  expect((await invoices())[0].state).toBe('paid');
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});

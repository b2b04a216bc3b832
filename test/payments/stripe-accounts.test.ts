import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import type { ReadProviderEvent } from '../../src/payments/provider.ts';
import { stripeAccounts, type StripeAccounts } from '../../src/payments/stripe-accounts.ts';
import { openStripe } from '../../src/payments/stripe-client.ts';
import { readStripeEvent } from '../../src/payments/stripe-webhooks.ts';
import { startFakeStripe, type FakeStripe } from '../support/stripe-server.ts';

let standIn: FakeStripe;
let accounts: StripeAccounts;
let read: ReadProviderEvent;

beforeAll(async () => {
  standIn = await startFakeStripe();
  const { host, port, secretKey, webhookSecret } = standIn;
  const access = openStripe({ secretKey, webhookSecret, isLive: false, api: { host, port } });
  accounts = stripeAccounts(access);
  read = readStripeEvent(access, webhookSecret);
});
afterAll(async () => {
  await standIn.close();
  invariant(standIn.problems.length === 0, `The Stripe stand-in rejected requests: ${standIn.problems.join('; ')}`);
});

const pages = { successUrl: 'https://t.example/billing?card={CHECKOUT_SESSION_ID}', cancelUrl: 'https://t.example/billing' };
const begin = async (reference: string, customer: string | null = null) => {
  const begun = await accounts.beginSetup({ reference, email: 'finance@shop.example', customer, ...pages });
  invariant(begun.is === 'begun', 'the stand-in starts every setup');
  return begun;
};

test('a card becomes an instrument only when Stripe reports that its owner has entered it', async () => {
  const { setupId, url, customer } = await begin('store_1');
  expect(url).toMatch(/^https:\/\/checkout\./);
  const page = standIn.book.find(setupId);
  expect(page).toMatchObject({ success_url: pages.successUrl, cancel_url: pages.cancelUrl, customer });
  expect(await accounts.readSetup(setupId)).toEqual({ is: 'not_yet', status: 'open' });
  const setup = standIn.book.change(String(page?.['setup_intent']), { status: 'succeeded', payment_method: 'pm_ok_1' });
  const instrument = `${customer}|pm_ok_1`;
  expect(await accounts.readSetup(setupId)).toEqual({ is: 'ready', reference: 'store_1', instrument, cardFingerprint: 'card_of_1' });

  const { body, headers } = standIn.webhook('setup_intent.succeeded', setup);
  const came = await read(body, headers, new Date());
  expect(came).toMatchObject({ is: 'read', event: { about: 'nothing', what: 'setup_intent.succeeded' } });
});

test('reuses the Stripe customer of a store for further setups', async () => {
  const first = await begin('store_2');
  expect((await begin('store_2')).customer).toBe(first.customer);
  expect((await begin('store_2', first.customer)).customer).toBe(first.customer);
  expect((await begin('store_3')).customer).not.toBe(first.customer);
});

test('reports an unknown setup without throwing', async () => {
  expect(await accounts.readSetup('cs_of_nobody')).toMatchObject({ is: 'declined', code: 'resource_missing' });
});

test('a creator connects one account and can be paid once Stripe has the required details', async () => {
  const account = { reference: 'crt_1', email: 'creator@example.com', returnUrl: 'https://t.example/a', refreshUrl: 'https://t.example/b' };
  const begun = await accounts.beginConnect({ ...account, account: { country: 'US' } });
  invariant(begun.is === 'begun', 'the stand-in connects every creator');
  expect(begun.url).toContain(begun.account);
  expect(await accounts.beginConnect({ ...account, account: { id: begun.account } })).toEqual(begun);
  expect(await accounts.beginConnect({ ...account, account: { country: 'US' } })).toEqual(begun);
  expect(standIn.book.all('account')).toHaveLength(1);

  expect(await accounts.readConnect(begun.account)).toEqual({ is: 'not_yet', missing: 1 });
  standIn.book.change(begun.account, { capabilities: { transfers: 'active' } });
  expect(await accounts.readConnect(begun.account)).toEqual({ is: 'ready' });
});

test('creates an account in the country of the creator under the matching agreement', async () => {
  const account = { email: 'creator@example.com', returnUrl: 'https://t.example/a', refreshUrl: 'https://t.example/b' };
  const made = async (country: string) => {
    const begun = await accounts.beginConnect({ ...account, reference: `crt_${country}`, account: { country } });
    return begun.is === 'begun' ? standIn.book.find(begun.account) : begun;
  };
  const express = { 'controller[fees][payer]': 'application', 'controller[stripe_dashboard][type]': 'express' };
  expect(await made('US')).toMatchObject({ country: 'US', tos_acceptance: { service_agreement: 'full' }, ...express });
  expect(await made('DE')).toMatchObject({ country: 'DE', tos_acceptance: { service_agreement: 'full' }, ...express });
  expect(await made('IN')).toMatchObject({ country: 'IN', tos_acceptance: { service_agreement: 'recipient' }, ...express });
  expect(await made('KP')).toEqual({ is: 'unpayable_country' });
});

test('derives the payable countries from the platform’s country, which it requests from Stripe once', async () => {
  const [first, second] = [await accounts.countries(), await accounts.countries()];
  expect(first).toEqual({ is: 'known', countries: expect.arrayContaining(['DE', 'IN', 'US']) });
  expect(second).toEqual(first);
  expect(standIn.callCounts.get('GET /v1/account')).toBe(1);
});

import { expect, test } from 'vitest';
import { cents } from '../../src/platform/money.ts';
import type { MoneyIntent } from '../../src/providers/provider.ts';
import { keepMoneyApart } from '../../src/providers/keep-apart.ts';
import { openProviders } from '../../src/providers/providers.ts';
import { barePlatform, barePlatformOn } from '../support/bare-platform.ts';
import { startTestServiceOn } from '../support/service.ts';
import { startStripeStandIn } from '../support/stripe-stand-in.ts';

const live = { MODE: 'live', BASE_URL: 'https://partners.example', SECRET_KEY: Buffer.alloc(32).toString('base64') };
const liveKey = { ...live, STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
const testKey = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };

const intent: MoneyIntent = { reference: 'chg_1', amount: cents(500), instrument: 'ok', description: 'Invoice 1' };

test.each([
  ['a sandbox', {}, { standard: 'sandbox', charge: ['sandbox'], pay: ['sandbox', 'manual'], news: ['sandbox'] }],
  [
    'a sandbox with a test key',
    testKey,
    { standard: 'sandbox', charge: ['sandbox', 'stripe'], pay: ['sandbox', 'stripe', 'manual'], news: ['sandbox', 'stripe'] },
  ],
  [
    'a sandbox with a test key and no secret of the news',
    { STRIPE_SECRET_KEY: 'sk_test_abc' },
    { standard: 'sandbox', charge: ['sandbox', 'stripe'], pay: ['sandbox', 'stripe', 'manual'], news: ['sandbox'] },
  ],
  ['a live service', liveKey, { standard: 'stripe', charge: ['stripe'], pay: ['stripe', 'manual'], news: ['stripe'] }],
  ['a live service without a key', live, { standard: 'stripe', charge: [], pay: ['manual'], news: [] }],
])('%s has exactly the providers that its settings allow', async (_what, environment, expected) => {
  const { platform, close } = await barePlatform(environment);
  const { standard, chargeProvider, payoutProvider, readNews, accounts } = openProviders(platform);
  const names = ['sandbox', 'stripe'] as const;
  expect({
    standard,
    charge: names.filter((name) => chargeProvider(name)?.name === name),
    pay: ([...names, 'manual'] as const).filter((name) => payoutProvider(name)?.name === name),
    news: names.filter((name) => readNews[name] !== null),
  }).toEqual(expected);
  expect(accounts !== null).toBe('STRIPE_SECRET_KEY' in environment);
  await close();
});

test('a database that a live key was used on does not start as a sandbox again', async () => {
  const first = await barePlatform(liveKey);
  await keepMoneyApart(first.platform);
  await keepMoneyApart(first.platform);
  const second = await barePlatformOn(first.databaseUrl);
  await expect(keepMoneyApart(second.platform)).rejects.toThrow('a live key was used on this database');
  await expect(startTestServiceOn(first.databaseUrl)).rejects.toThrow('a live key was used on this database');
  const without = await barePlatformOn(first.databaseUrl, live);
  await keepMoneyApart(without.platform);
  for (const { close } of [first, second, without]) await close();
});

test('a sandbox that still runs when its database goes live moves nothing more', async () => {
  const sandbox = await barePlatform();
  await keepMoneyApart(sandbox.platform);
  const service = await barePlatformOn(sandbox.databaseUrl, liveKey);
  await keepMoneyApart(service.platform);
  await expect(openProviders(sandbox.platform).chargeProvider('sandbox')?.charge(intent)).rejects.toThrow('impossible');
  for (const { close } of [sandbox, service]) await close();
});

test('a database with pretended money does not go live; one where nothing moved does', async () => {
  const sandbox = await barePlatform();
  await keepMoneyApart(sandbox.platform);
  const service = await barePlatformOn(sandbox.databaseUrl, live);
  await keepMoneyApart(service.platform);
  await openProviders(sandbox.platform).chargeProvider('sandbox')?.charge(intent);
  await expect(keepMoneyApart(service.platform)).rejects.toThrow('pretended money was moved in this database');
  await keepMoneyApart(sandbox.platform);
  for (const { close } of [sandbox, service]) await close();
});

test('money of a test key is pretended, too', async () => {
  const standIn = await startStripeStandIn();
  const { host, port, secretKey } = standIn;
  const sandbox = await barePlatform({ STRIPE_SECRET_KEY: secretKey, STRIPE_API: `${host}:${port}` });
  const outcome = await openProviders(sandbox.platform)
    .payoutProvider('stripe')
    ?.pay({ ...intent, instrument: 'acct_ok' });
  expect(outcome?.is).toBe('succeeded');
  const service = await barePlatformOn(sandbox.databaseUrl, live);
  await expect(keepMoneyApart(service.platform)).rejects.toThrow('pretended money was moved in this database');
  for (const { close } of [sandbox, service, standIn]) await close();
});

test('by hand: what is handed to a person is pending until they say otherwise', async () => {
  const { platform, close } = await barePlatform();
  const manual = openProviders(platform).payoutProvider('manual');
  expect(await manual?.pay(intent)).toEqual({ is: 'pending', providerId: 'chg_1' });
  expect(await manual?.lookUpPayout(intent)).toEqual({ is: 'pending', providerId: 'chg_1' });
  await close();
});

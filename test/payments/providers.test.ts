import { expect, test } from 'vitest';
import { cents } from '../../src/core/money.ts';
import type { MoneyIntent } from '../../src/payments/provider.ts';
import { refuseMixedMoney } from '../../src/payments/separate-real-money.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { barePlatform, barePlatformOn } from '../support/bare-platform.ts';
import { startTestServiceOn } from '../support/service.ts';
import { startFakeStripe } from '../support/stripe-server.ts';

const live = { MODE: 'live', BASE_URL: 'https://partners.example', SECRET_KEY: Buffer.alloc(32).toString('base64') };
const liveKey = { ...live, STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
const testKey = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };

const intent: MoneyIntent = { reference: 'chg_1', amount: cents(500), instrument: 'ok', description: 'Invoice 1' };

test.each([
  ['a sandbox', {}, { standard: 'sandbox', charge: ['sandbox'], pay: ['sandbox', 'manual'], webhooks: ['sandbox'] }],
  [
    'a sandbox with a test key',
    testKey,
    { standard: 'sandbox', charge: ['sandbox', 'stripe'], pay: ['sandbox', 'stripe', 'manual'], webhooks: ['sandbox', 'stripe'] },
  ],
  [
    'a sandbox with a test key and no webhook secret',
    { STRIPE_SECRET_KEY: 'sk_test_abc' },
    { standard: 'sandbox', charge: ['sandbox', 'stripe'], pay: ['sandbox', 'stripe', 'manual'], webhooks: ['sandbox'] },
  ],
  ['a live service', liveKey, { standard: 'stripe', charge: ['stripe'], pay: ['stripe', 'manual'], webhooks: ['stripe'] }],
  ['a live service without a key', live, { standard: 'stripe', charge: [], pay: ['manual'], webhooks: [] }],
])('%s has only the providers that its settings allow', async (_what, environment, expected) => {
  const { platform, close } = await barePlatform(environment);
  const { standard, chargeProvider, payoutProvider, readEvent, accounts } = openProviders(platform);
  const names = ['sandbox', 'stripe'] as const;
  expect({
    standard,
    charge: names.filter((name) => chargeProvider(name)?.name === name),
    pay: ([...names, 'manual'] as const).filter((name) => payoutProvider(name)?.name === name),
    webhooks: names.filter((name) => readEvent[name] !== null),
  }).toEqual(expected);
  expect(accounts !== null).toBe('STRIPE_SECRET_KEY' in environment);
  await close();
});

test('rejects sandbox mode for a database that was used with a live key', async () => {
  const first = await barePlatform(liveKey);
  await refuseMixedMoney(first.platform);
  await refuseMixedMoney(first.platform);
  const second = await barePlatformOn(first.databaseUrl);
  await expect(refuseMixedMoney(second.platform)).rejects.toThrow('a live key was used on this database');
  await expect(startTestServiceOn(first.databaseUrl)).rejects.toThrow('a live key was used on this database');
  const without = await barePlatformOn(first.databaseUrl, live);
  await refuseMixedMoney(without.platform);
  for (const { close } of [first, second, without]) await close();
});

test('a running sandbox moves nothing more once its database is live', async () => {
  const sandbox = await barePlatform();
  await refuseMixedMoney(sandbox.platform);
  const service = await barePlatformOn(sandbox.databaseUrl, liveKey);
  await refuseMixedMoney(service.platform);
  await expect(openProviders(sandbox.platform).chargeProvider('sandbox')?.charge(intent)).rejects.toThrow('impossible');
  for (const { close } of [sandbox, service]) await close();
});

test('rejects live mode for a database with sandbox money, but not for an unused one', async () => {
  const sandbox = await barePlatform();
  await refuseMixedMoney(sandbox.platform);
  const service = await barePlatformOn(sandbox.databaseUrl, live);
  await refuseMixedMoney(service.platform);
  await openProviders(sandbox.platform).chargeProvider('sandbox')?.charge(intent);
  await expect(refuseMixedMoney(service.platform)).rejects.toThrow('pretended money was moved in this database');
  await refuseMixedMoney(sandbox.platform);
  for (const { close } of [sandbox, service]) await close();
});

test('treats money moved with a test key as sandbox money', async () => {
  const standIn = await startFakeStripe();
  const { host, port, secretKey } = standIn;
  const sandbox = await barePlatform({ STRIPE_SECRET_KEY: secretKey, STRIPE_API: `${host}:${port}` });
  const outcome = await openProviders(sandbox.platform)
    .payoutProvider('stripe')
    ?.pay({ ...intent, instrument: 'acct_ok' });
  expect(outcome?.is).toBe('succeeded');
  const service = await barePlatformOn(sandbox.databaseUrl, live);
  await expect(refuseMixedMoney(service.platform)).rejects.toThrow('pretended money was moved in this database');
  for (const { close } of [sandbox, service, standIn]) await close();
});

test('a manual payout is pending until a person marks it', async () => {
  const { platform, close } = await barePlatform();
  const manual = openProviders(platform).payoutProvider('manual');
  expect(await manual?.pay(intent)).toEqual({ is: 'pending', providerId: 'chg_1' });
  expect(await manual?.lookUpPayout(intent)).toEqual({ is: 'pending', providerId: 'chg_1' });
  await close();
});

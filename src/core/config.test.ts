import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { configFrom, readConfig, settings, type Config } from './config.ts';

const folder = '/srv/tributary';
const key = Buffer.alloc(32, 7);

function good(environment: Readonly<Record<string, string | undefined>>): Config {
  const result = readConfig(environment, folder);
  if (result.is === 'wrong') throw new Error(result.errors.join('\n'));
  return result.config;
}

function errors(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const result = readConfig(environment, folder);
  return result.is === 'wrong' ? result.errors : [];
}

test('defaults to a local sandbox with its own database and key', () => {
  expect(good({})).toEqual({
    mode: 'sandbox',
    port: 3_000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    dataDir: '/srv/tributary/.data',
    databaseUrl: null,
    secretKey: null,
    previousSecretKey: null,
    smtpUrl: null,
    smtpTls: 'required',
    mailFrom: 'Tributary <no-reply@localhost>',
    logLevel: 'info',
    role: 'all',
    workers: 1,
    drainMs: 0,
    trustedProxies: [],
    outgoingAllow: [],
    stripe: null,
    stripeApi: null,
    shopify: null,
    shopifyApi: null,
    dieAt: null,
  });
});

test('accepts a list of database hosts, and takes the role and the number of processes from arguments as well', () => {
  const list = 'postgres://user:p%40ss@one:5432,two:6432/tributary?target_session_attrs=read-write';
  expect(good({ DATABASE_URL: list }).databaseUrl).toBe(list);
  const read = configFrom({ ROLE: 'web', WORKERS: '2' }, ['--role', 'jobs', '--workers=3'], folder);
  expect(read.is === 'good' && [read.config.role, read.config.workers]).toEqual(['jobs', 3]);
  for (const args of [['--role', 'judge'], ['--workers', '0'], ['--workers', 'many'], ['--rolle', 'web'], ['web']]) {
    const wrong = configFrom({}, args, folder);
    expect(wrong.is === 'wrong' && wrong.errors.join()).toMatch(/ROLE must be|WORKERS must be|rolle|web/);
  }
});

test('reads every setting and trims white space', () => {
  const environment = {
    MODE: 'live',
    PORT: ' 8080 ',
    HOST: '10.0.0.7',
    BASE_URL: 'https://partners.example/',
    DATA_DIR: '/var/lib/tributary',
    DATABASE_URL: 'postgres://user:pass@db.example:5432/tributary',
    SECRET_KEY: key.toString('base64'),
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
    SMTP_URL: 'smtps://user:pass@mail.example',
    SMTP_TLS: 'optional',
    MAIL_FROM: 'Partners <hello@partners.example>',
    LOG_LEVEL: 'warn',
    ROLE: 'web',
    WORKERS: '4',
    DRAIN_MS: '2500',
    TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,::1',
    STRIPE_SECRET_KEY: 'sk_live_abc',
    STRIPE_WEBHOOK_SECRET: 'whsec_abc',
    SHOPIFY_CLIENT_ID: 'client-of-the-tests',
    SHOPIFY_CLIENT_SECRET: 'shpss_ofTheTests',
  };
  expect([...Object.keys(environment), ...Object.keys(sandboxOnly)].toSorted()).toEqual(Object.keys(settings).toSorted());
  expect(good(environment)).toEqual({
    mode: 'live',
    port: 8_080,
    host: '10.0.0.7',
    baseUrl: 'https://partners.example',
    dataDir: '/var/lib/tributary',
    databaseUrl: 'postgres://user:pass@db.example:5432/tributary',
    secretKey: key,
    previousSecretKey: Buffer.alloc(32, 8),
    smtpUrl: 'smtps://user:pass@mail.example',
    smtpTls: 'optional',
    mailFrom: 'Partners <hello@partners.example>',
    logLevel: 'warn',
    role: 'web',
    workers: 4,
    drainMs: 2_500,
    trustedProxies: ['10.0.0.1', '10.1.0.0/16', '::1'],
    outgoingAllow: [],
    stripe: { secretKey: 'sk_live_abc', isLive: true, webhookSecret: 'whsec_abc', api: null },
    stripeApi: null,
    shopify: { clientId: 'client-of-the-tests', clientSecret: 'shpss_ofTheTests' },
    shopifyApi: null,
    dieAt: null,
  });
});

/** Settings that are not allowed together with a live key. */
const sandboxOnly = {
  OUTGOING_ALLOW: 'shop.internal:8080, stripe.internal:80',
  STRIPE_API: 'stripe.internal:80',
  SHOPIFY_API: '127.0.0.1:81',
  DIE_AT: 'billing: answered:2',
};

test('accepts a Stripe test key and the test settings in the sandbox', () => {
  const { outgoingAllow, stripe, dieAt } = good({ STRIPE_SECRET_KEY: 'sk_test_abc', ...sandboxOnly });
  expect(outgoingAllow).toEqual(['shop.internal:8080', 'stripe.internal:80']);
  expect(stripe).toEqual({ secretKey: 'sk_test_abc', isLive: false, webhookSecret: null, api: { host: 'stripe.internal', port: 80 } });
  expect(dieAt).toEqual({ point: 'billing: answered', time: 2 });
});

const live = { MODE: 'live', BASE_URL: 'https://partners.example' };
const liveKey = { STRIPE_SECRET_KEY: 'sk_live_hunter2', STRIPE_WEBHOOK_SECRET: 'whsec_hunter2' };
const testKey = { STRIPE_SECRET_KEY: 'rk_test_hunter2' };

test.each([
  ['a live key in the sandbox', liveKey, 'STRIPE_SECRET_KEY is a live key, and MODE is "sandbox"'],
  ['a restricted live key in the sandbox', { ...liveKey, STRIPE_SECRET_KEY: 'rk_live_hunter2' }, 'STRIPE_SECRET_KEY is a live key'],
  ['a test key live', { ...live, ...testKey }, 'STRIPE_SECRET_KEY is a test key, which moves no money'],
  ['a publishable key', { STRIPE_SECRET_KEY: 'pk_test_hunter2' }, 'STRIPE_SECRET_KEY must be a secret key'],
  ['a live key without the webhook secret', { ...live, STRIPE_SECRET_KEY: 'sk_live_hunter2' }, 'STRIPE_WEBHOOK_SECRET is required'],
  ['a malformed webhook secret', { ...testKey, STRIPE_WEBHOOK_SECRET: 'hunter2' }, 'STRIPE_WEBHOOK_SECRET must begin with'],
  [
    'a live key that would be sent to another host',
    { ...live, ...liveKey, STRIPE_API: '127.0.0.1:80' },
    'STRIPE_API can be set with a test key',
  ],
  ['a test key that would be sent to any host', { ...testKey, STRIPE_API: 'evil.example:80' }, 'STRIPE_API must be on this machine'],
  [
    'a port that is not the allowed one',
    { ...testKey, STRIPE_API: 'a.example:80', OUTGOING_ALLOW: 'a.example:81' },
    'STRIPE_API must be on',
  ],
  ['a Shopify app without its secret', { SHOPIFY_CLIENT_ID: 'client-of-the-tests' }, 'SHOPIFY_CLIENT_SECRET must be'],
  ['a secret without its Shopify app', { SHOPIFY_CLIENT_SECRET: 'shpss_ofTheTests' }, 'SHOPIFY_CLIENT_ID must be'],
  ['a Shopify stand-in for a live service', { ...live, SHOPIFY_API: '127.0.0.1:80' }, 'SHOPIFY_API can be set in the sandbox'],
  ['a Shopify stand-in that is no host', { SHOPIFY_API: 'shopify' }, 'SHOPIFY_API must be host:port'],
  ['a Stripe stand-in for a live service', { ...live, STRIPE_API: '127.0.0.1:80' }, 'STRIPE_API can be set with a test key only'],
  ['private addresses with a live key', { ...live, ...liveKey, OUTGOING_ALLOW: 'a.example:80' }, 'OUTGOING_ALLOW must be empty'],
  ['a crash point in live mode', { ...live, DIE_AT: 'charge answered:1' }, 'DIE_AT is for tests'],
  ['a crash point that is reached zero times', { DIE_AT: 'charge answered:0' }, 'DIE_AT must be name:n'],
])('reports %s as one error that does not contain the key', (_what, environment, start) => {
  const [error, ...others] = errors(environment);
  expect(others).toEqual([]);
  expect(error).toContain(start);
  expect(error).not.toContain('hunter2');
});

test('treats an empty variable as not set', () => {
  const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, ' ']));
  expect(good(empty)).toEqual(good({}));
});

test('derives the settings that depend on another one', () => {
  expect(good({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
  expect(good({ BASE_URL: 'https://partners.example' }).mailFrom).toBe('Tributary <no-reply@partners.example>');
  expect(good({ MODE: 'live', BASE_URL: 'https://partners.example' }).host).toBe('0.0.0.0');
  expect(good({ DATA_DIR: 'elsewhere' }).dataDir).toBe('/srv/tributary/elsewhere');
});

test('reports every invalid setting together, each by its variable', () => {
  const environment = {
    MODE: 'prod',
    PORT: '65536',
    BASE_URL: 'partners.example',
    DATABASE_URL: 'mysql://db.example/tributary',
    SECRET_KEY: 'too short',
    SMTP_URL: 'https://mail.example',
    LOG_LEVEL: 'loud',
    TRUSTED_PROXIES: 'proxy.example',
    OUTGOING_ALLOW: 'shop.internal',
  };
  expect(errors(environment).map((error) => error.split(' ')[0])).toEqual(Object.keys(environment));
});

test('lists the accepted values of an invalid setting', () => {
  expect(errors({ MODE: 'prod' })).toEqual(['MODE must be one of sandbox, live; it is "prod"']);
  expect(errors({ PORT: '3e3' })).toEqual(['PORT must be a whole number from 0 to 65535; it is "3e3"']);
});

test.each(['/tributary', '/?a=b', '/#top'])(
  'rejects a base URL with anything after the host (%s), because links would not resolve',
  (behind) => {
    expect(errors({ BASE_URL: `https://partners.example${behind}` })).toEqual([expect.stringContaining('BASE_URL must be the beginning')]);
  },
);

test.each([
  ['BASE_URL', 'https//user:hunter2@partners.example'],
  ['BASE_URL', 'https://user:hunter2@partners.example'],
  ['DATABASE_URL', 'mysql://user:hunter2@db.example/tributary'],
  ['DATABASE_URL', 'postgres://user:hunter2@db.example:port/tributary'],
  ['DATABASE_URL', 'postgres://user:hunter2@one:5432,two:port/tributary'],
  ['DATABASE_URL', 'postgres://user:hunter2@one,two/tributary?target_session_attrs=standby'],
  ['SMTP_URL', 'http://user:hunter2@mail.example'],
  ['SMTP_URL', 'smtps://user:hunter2@mail.example?tls.rejectUnauthorized=false'],
  ['SMTP_URL', 'smtp://user:hunter2@mail.example?ignoreTLS=true'],
  ['SECRET_KEY', 'hunter2'],
  ['SECRET_KEY_PREVIOUS', 'hunter2'],
])('reports an invalid %s without the password', (name, value) => {
  const [error, ...others] = errors({ [name]: value });
  expect(others).toEqual([]);
  expect(error).toContain(name);
  expect(error).not.toContain('hunter2');
});

test('requires a base URL in live mode, and a secret key with an external database', () => {
  expect(errors({ MODE: 'live' })).toEqual(['BASE_URL is required when MODE is "live"']);
  expect(errors({ MODE: 'live', BASE_URL: 'https://partners.example' })).toEqual([]);
  expect(errors({ MODE: 'live', BASE_URL: 'https://partners.example', DATABASE_URL: 'postgres://db.example/a' })).toEqual([
    'SECRET_KEY is required when MODE is "live" and DATABASE_URL is set; make one with: openssl rand -base64 32',
  ]);
  expect(errors({ DATABASE_URL: 'postgres://db.example/a' })).toEqual([]);
});

test('rejects a base URL without https in live mode, on every host', () => {
  for (const BASE_URL of ['http://partners.example', 'http://localhost:3000', 'http://127.0.0.1:3000']) {
    expect(errors({ MODE: 'live', BASE_URL })).toEqual([expect.stringContaining('BASE_URL must begin with https://')]);
    expect(errors({ BASE_URL })).toEqual([]);
  }
});

test.each([
  ['31 bytes', Buffer.alloc(31).toString('base64')],
  ['33 bytes', Buffer.alloc(33).toString('base64')],
  ['characters that are not base64', `${key.toString('base64').slice(0, -2)}!=`],
])('rejects a secret key of %s', (_what, value) => {
  expect(errors({ SECRET_KEY: value })).toHaveLength(1);
});

test('requires a previous secret key that differs from the secret key', () => {
  const SECRET_KEY = key.toString('base64');
  expect(errors({ SECRET_KEY, SECRET_KEY_PREVIOUS: SECRET_KEY })).toEqual([expect.stringContaining('SECRET_KEY_PREVIOUS must be another')]);
  expect(good({ SECRET_KEY_PREVIOUS: SECRET_KEY }).previousSecretKey).toEqual(key);
});

test('reads a secret key in base64 and in base64url', () => {
  const bytes = Buffer.alloc(32, 0xfb);
  expect(good({ SECRET_KEY: bytes.toString('base64') }).secretKey).toEqual(bytes);
  expect(good({ SECRET_KEY: bytes.toString('base64url') }).secretKey).toEqual(bytes);
});

const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const shown = parseEnv(example.replace(/^#(?=[A-Z_]+=)/gm, ''));

test('.env.example documents every setting and nothing else', () => {
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(settings).toSorted());
  expect(parseEnv(example)).toEqual({});
});

test('every value in .env.example is accepted', () => {
  expect(errors(shown)).toEqual([]);
});

test('the defaults in .env.example are the real defaults', () => {
  const { DATABASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS, SMTP_URL, TRUSTED_PROXIES, OUTGOING_ALLOW, ...others } = shown;
  const {
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API,
    SHOPIFY_CLIENT_ID,
    SHOPIFY_CLIENT_SECRET,
    SHOPIFY_API,
    DIE_AT,
    ...defaults
  } = others;
  expect([DATABASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS, SMTP_URL, TRUSTED_PROXIES, OUTGOING_ALLOW]).not.toContain(undefined);
  expect([STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API, DIE_AT]).not.toContain(undefined);
  expect([SHOPIFY_CLIENT_ID, SHOPIFY_CLIENT_SECRET, SHOPIFY_API]).not.toContain(undefined);
  expect(good(defaults)).toEqual(good({}));
});

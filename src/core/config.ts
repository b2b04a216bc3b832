import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readHosts } from './database-hosts.ts';
import type { DieAt } from './crash-points.ts';
import { readSecretFiles } from './secret-files.ts';

/**
 * All settings, read once and validated together, so that every invalid setting is reported in one run. No other file reads the
 * environment. A test compares this list with `.env.example`.
 */
export type Config = {
  readonly mode: 'sandbox' | 'live';
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  /** Null: a key is created in the data folder. */
  readonly secretKey: Buffer | null;
  /** Set while the secret key is being rotated: decrypts values that are not encrypted with the new key yet, and encrypts nothing. */
  readonly previousSecretKey: Buffer | null;
  readonly smtpUrl: string | null;
  /** Whether email may be sent unencrypted if the mail server offers no TLS. */
  readonly smtpTls: 'required' | 'optional';
  readonly mailFrom: string;
  readonly logLevel: LogLevel;
  readonly role: Role;
  /** Processes on this machine that share the port. With more than one, a supervisor process restarts them. */
  readonly workers: number;
  /** How long the process keeps serving after SIGTERM while `/readyz` already fails. */
  readonly drainMs: number;
  readonly trustedProxies: readonly string[];
  readonly outgoingAllow: readonly string[];
  /** Null: Stripe cards and accounts cannot be used. */
  readonly stripe: StripeConfig | null;
  /** The stand-in for Stripe in tests, for the accounts of stores too; null: Stripe itself. */
  readonly stripeApi: StripeApi | null;
  /** The Shopify app of the installation. Null: stores connect apps of their own. */
  readonly shopify: ShopifyConfig | null;
  /** The stand-in for all Shopify shops in tests; null: Shopify itself. */
  readonly shopifyApi: StripeApi | null;
  /** Null except in crash tests. */
  readonly dieAt: DieAt | null;
};

export type StripeConfig = {
  readonly secretKey: string;
  /** A live key moves real money. */
  readonly isLive: boolean;
  /** Null only with a test key: webhook events are then not received, and look-ups settle open charges. */
  readonly webhookSecret: string | null;
  readonly api: StripeApi | null;
};

export type ShopifyConfig = { readonly clientId: string; readonly clientSecret: string };

export type StripeApi = { readonly host: string; readonly port: number };

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** What a process does: answer requests, run jobs, or both. */
const roles = ['web', 'jobs', 'all'] as const;
export type Role = (typeof roles)[number];
const workersMax = 64;
const drainMsMax = 300_000;
const drainMsLive = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult = { readonly is: 'good'; readonly config: Config } | { readonly is: 'wrong'; readonly errors: readonly string[] };

/** Every variable and its description. A test compares the names with `.env.example`. */
export const settings = {
  MODE: '"sandbox" (the default: built-in payment provider, a clock that can be moved forward) or "live"',
  PORT: 'the port to listen on; 3000',
  HOST: 'the address to listen on; 127.0.0.1 in the sandbox, 0.0.0.0 live',
  BASE_URL: 'the public URL of the service; http://localhost:PORT in the sandbox, required live',
  DATA_DIR: 'the folder of the embedded PostgreSQL and the secret key; .data',
  DATABASE_URL:
    'an external PostgreSQL 15 to 18 instead of the embedded one: postgres://user:password@host:5432/name; with several hosts, the primary is used',
  SECRET_KEY: '32 random bytes in base64 that encrypt secrets at rest; created in DATA_DIR unless it is required (live with DATABASE_URL)',
  SECRET_KEY_PREVIOUS: 'the former SECRET_KEY during a key rotation: decrypts values that are not encrypted with the new key yet; none',
  SMTP_URL: 'the email server: smtps://user:password@host; without it no email is sent (in the sandbox operators pass links on)',
  SMTP_TLS: '"required" (the default: no email is sent unencrypted, except to an email server on this machine) or "optional"',
  MAIL_FROM: 'the sender of email; Tributary <no-reply@host of BASE_URL>',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent; info',
  ROLE: '"all" (the default), "web" (requests only) or "jobs" (background jobs only); also --role',
  WORKERS: 'how many processes share the port, from 1 to 64; 1; also --workers',
  DRAIN_MS: 'milliseconds that the process keeps serving after SIGTERM while /readyz fails; 0 in the sandbox, 5000 live',
  TRUSTED_PROXIES: 'addresses or networks of your reverse proxies, separated by commas, whose X-Forwarded-For is trusted; none',
  OUTGOING_ALLOW:
    'host:port pairs, separated by commas, that outgoing requests may reach although they are not public; none, and none with a live key',
  STRIPE_SECRET_KEY: "Stripe's secret key: sk_live_… when MODE is live, sk_test_… in the sandbox; without it Stripe is not used",
  STRIPE_WEBHOOK_SECRET: 'the signing secret of Stripe webhooks: whsec_…; required with a live key',
  STRIPE_API: 'host:port of a stand-in for Stripe, in the sandbox only: on this machine, or listed in OUTGOING_ALLOW; none',
  SHOPIFY_CLIENT_ID: 'the client ID of the Shopify app that stores install; without it they connect apps of their own',
  SHOPIFY_CLIENT_SECRET: 'the client secret of the Shopify app; required with SHOPIFY_CLIENT_ID',
  SHOPIFY_API: 'host:port of a stand-in for Shopify, in the sandbox only: on this machine, or listed in OUTGOING_ALLOW; none',
  DIE_AT: 'name:n, in the sandbox only: the process kills itself when it reaches the crash point of that name the n-th time; none',
} as const;
export type Setting = keyof typeof settings;

/** The only code that reads the environment. */
export const configFromEnvironment = (args: readonly string[] = []): ConfigResult => configFrom(process.env, args, process.cwd());

/** Arguments override the environment, because processes that share one environment may need different values. */
export function configFrom(environment: Environment, args: readonly string[], workingFolder: string): ConfigResult {
  try {
    const { values } = parseArgs({ args: [...args], options: { role: { type: 'string' }, workers: { type: 'string' } } });
    const { role = environment['ROLE'], workers = environment['WORKERS'] } = values;
    const withSecrets = readSecretFiles(environment);
    const read = readConfig({ ...withSecrets.environment, ROLE: role, WORKERS: workers }, workingFolder);
    const errors = [...withSecrets.errors, ...(read.is === 'wrong' ? read.errors : [])];
    return errors.length === 0 ? read : { is: 'wrong', errors };
  } catch (error) {
    return { is: 'wrong', errors: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Settings of the merchant's command line. They are not arguments, because every user of a machine can read those. */
export const merchantSettings = [
  'TRIBUTARY_URL',
  'TRIBUTARY_TRACKING_KEY',
  'TRIBUTARY_POSTBACK_KEY',
  'TRIBUTARY_STORE',
  'TRIBUTARY_API_KEY',
] as const;
export type MerchantSetting = (typeof merchantSettings)[number];
export type MerchantSettings = Readonly<Record<MerchantSetting, string | undefined>>;

export const merchantFromEnvironment = (): MerchantSettings => ({
  TRIBUTARY_URL: process.env['TRIBUTARY_URL'],
  TRIBUTARY_TRACKING_KEY: process.env['TRIBUTARY_TRACKING_KEY'],
  TRIBUTARY_POSTBACK_KEY: process.env['TRIBUTARY_POSTBACK_KEY'],
  TRIBUTARY_STORE: process.env['TRIBUTARY_STORE'],
  TRIBUTARY_API_KEY: process.env['TRIBUTARY_API_KEY'],
});

export function readConfig(environment: Environment, workingFolder: string): ConfigResult {
  const errors: string[] = [];
  const reader = createReader(environment, errors);
  const mode = reader.oneOf('MODE', ['sandbox', 'live'], 'sandbox');
  const port = reader.wholeNumber('PORT', { min: 0, max: 65_535, fallback: 3_000 });
  const baseUrl = reader.url('BASE_URL', ['http:', 'https:']);
  const databaseUrl = readDatabaseUrl(reader, errors);
  const secretKey = reader.secretKey('SECRET_KEY');
  const previousSecretKey = reader.secretKey('SECRET_KEY_PREVIOUS');
  if (secretKey !== null && previousSecretKey?.equals(secretKey) === true) {
    errors.push('SECRET_KEY_PREVIOUS must be another key than SECRET_KEY; remove it after the key rotation');
  }
  if (baseUrl !== null && baseUrl.href !== `${baseUrl.origin}/`) {
    errors.push(
      'BASE_URL must be the beginning of an address and nothing more, such as https://partners.example: paths are appended to it',
    );
  }
  if (mode === 'live' && baseUrl === null && !reader.has('BASE_URL')) errors.push('BASE_URL is required when MODE is "live"');
  if (mode === 'live' && baseUrl?.protocol === 'http:') {
    errors.push('BASE_URL must begin with https:// when MODE is "live": session cookies and keys would travel unencrypted');
  }
  if (mode === 'live' && databaseUrl !== null && !reader.has('SECRET_KEY')) {
    errors.push('SECRET_KEY is required when MODE is "live" and DATABASE_URL is set; make one with: openssl rand -base64 32');
  }
  const dataDir = reader.text('DATA_DIR') ?? '.data';
  const base = baseUrl?.origin ?? `http://localhost:${port}`;
  const config: Config = {
    mode,
    port,
    host: reader.text('HOST') ?? (mode === 'live' ? '0.0.0.0' : '127.0.0.1'),
    baseUrl: base,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(workingFolder, dataDir),
    databaseUrl,
    secretKey,
    previousSecretKey,
    smtpUrl: readSmtpUrl(reader, errors),
    smtpTls: reader.oneOf('SMTP_TLS', ['required', 'optional'], 'required'),
    mailFrom: reader.text('MAIL_FROM') ?? `Tributary <no-reply@${new URL(base).hostname}>`,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    role: reader.oneOf('ROLE', roles, 'all'),
    workers: reader.wholeNumber('WORKERS', { min: 1, max: workersMax, fallback: 1 }),
    drainMs: reader.wholeNumber('DRAIN_MS', { min: 0, max: drainMsMax, fallback: mode === 'live' ? drainMsLive : 0 }),
    trustedProxies: reader.list(
      'TRUSTED_PROXIES',
      /^[0-9a-f.:]+(\/\d{1,3})?$/i,
      'addresses such as 10.0.0.1 or networks such as 10.0.0.0/8',
    ),
    outgoingAllow: reader.list('OUTGOING_ALLOW', /^[^\s/:]+:\d{1,5}$/, 'pairs such as shop.internal:8080'),
    stripe: null,
    stripeApi: null,
    shopify: readShopify(reader, errors),
    shopifyApi: null,
    dieAt: readDieAt(reader, mode, errors),
  };
  const stripeApi = readStandIn(reader, { name: 'STRIPE_API', config, errors });
  const shopifyApi = readStandIn(reader, { name: 'SHOPIFY_API', config, errors });
  const stripe = readStripe(reader, { ...config, stripeApi }, errors);
  return errors.length > 0 ? { is: 'wrong', errors } : { is: 'good', config: { ...config, stripe, stripeApi, shopifyApi } };
}

type Reader = ReturnType<typeof createReader>;

/** The mail library reads options from the URL's query, including ones that disable TLS or certificate checks. */
function readSmtpUrl(reader: Reader, errors: string[]): string | null {
  const url = reader.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (url !== null && url.search !== '') errors.push('SMTP_URL must not have options after a "?"; set SMTP_TLS instead');
  return url?.href ?? null;
}

function readDatabaseUrl(reader: Reader, errors: string[]): string | null {
  const value = reader.text('DATABASE_URL');
  if (value === null || readHosts(value) !== null) return value;
  errors.push(
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/name, with commas between several hosts; ' +
      'target_session_attrs, if set, must be read-write or primary',
  );
  return null;
}

/** A live key is rejected in the sandbox and a test key in live mode. Errors do not contain the key. */
function readStripe(reader: Reader, { mode, outgoingAllow, stripeApi: api }: Config, errors: string[]): StripeConfig | null {
  const addError = (text: string) => void errors.push(text);
  const secretKey = reader.text('STRIPE_SECRET_KEY');
  const webhookSecret = reader.text('STRIPE_WEBHOOK_SECRET');
  if (webhookSecret !== null && !/^whsec_\w+$/.test(webhookSecret)) addError('STRIPE_WEBHOOK_SECRET must begin with whsec_');
  if (secretKey === null) return null;
  const kind = /^[sr]k_(test|live)_\w+$/.exec(secretKey)?.[1];
  if (kind === undefined) addError('STRIPE_SECRET_KEY must be a secret key of Stripe: sk_test_… or sk_live_…');
  const isLive = kind === 'live';
  if (isLive && mode === 'sandbox') {
    addError('STRIPE_SECRET_KEY is a live key, and MODE is "sandbox"; set MODE to "live", or use a test key (sk_test_…)');
  }
  if (kind === 'test' && mode === 'live') addError('STRIPE_SECRET_KEY is a test key, which moves no money, and MODE is "live"');
  if (isLive && webhookSecret === null)
    addError('STRIPE_WEBHOOK_SECRET is required with a live key: disputes are reported by webhook only');
  if (isLive && outgoingAllow.length > 0) addError('OUTGOING_ALLOW must be empty with a live key');
  return { secretKey, isLive, webhookSecret, api };
}

/** Errors do not contain the secret. */
function readShopify(reader: Reader, errors: string[]): ShopifyConfig | null {
  const [clientId, clientSecret] = [reader.text('SHOPIFY_CLIENT_ID'), reader.text('SHOPIFY_CLIENT_SECRET')];
  if (clientId === null && clientSecret === null) return null;
  if (clientId === null || !/^[\w-]{8,200}$/.test(clientId)) errors.push('SHOPIFY_CLIENT_ID must be the client ID of a Shopify app');
  if (clientSecret === null || !/^[\w-]{8,200}$/.test(clientSecret)) {
    errors.push('SHOPIFY_CLIENT_SECRET must be the client secret of the Shopify app of SHOPIFY_CLIENT_ID');
  }
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
}

type StandIn = { readonly name: 'STRIPE_API' | 'SHOPIFY_API'; readonly config: Config; readonly errors: string[] };

/** Keys are sent only to the provider itself, to this machine, or to a host that the operator allowed. */
function readStandIn(reader: Reader, { name, config: { mode, outgoingAllow }, errors }: StandIn): StripeApi | null {
  const value = reader.text(name);
  if (value === null) return null;
  const condition = name === 'STRIPE_API' ? 'with a test key only' : 'in the sandbox only';
  if (mode === 'live') errors.push(`${name} can be set ${condition}, and MODE is "live"`);
  const [, host = '', port = ''] = /^([^\s/:]+):(\d{1,5})$/.exec(value) ?? [];
  if (host === '') errors.push(`${name} must be host:port, such as 127.0.0.1:12111`);
  else if (!['127.0.0.1', 'localhost'].includes(host) && !outgoingAllow.includes(value)) {
    errors.push(`${name} must be on this machine (127.0.0.1 or localhost), or listed in OUTGOING_ALLOW`);
  }
  return { host, port: Number(port) };
}

function readDieAt(reader: Reader, mode: Config['mode'], errors: string[]): DieAt | null {
  const value = reader.text('DIE_AT');
  if (value === null) return null;
  if (mode === 'live') errors.push('DIE_AT is for tests, and MODE is "live"');
  const [, point = '', time = ''] = /^(\S.*):([1-9]\d{0,6})$/.exec(value) ?? [];
  if (point === '') errors.push(`DIE_AT must be name:n, such as "billing: answered:2"; it is "${value}"`);
  return { point, time: Number(time) };
}

function createReader(environment: Environment, errors: string[]) {
  const text = (name: Setting): string | null => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  return {
    has: (name: Setting) => text(name) !== null,
    text,
    oneOf<const Value extends string>(name: Setting, values: readonly Value[], fallback: Value): Value {
      const value = text(name);
      if (value === null) return fallback;
      const match = values.find((candidate) => candidate === value);
      if (match === undefined) errors.push(`${name} must be one of ${values.join(', ')}; it is "${value}"`);
      return match ?? fallback;
    },
    wholeNumber(name: Setting, { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number }): number {
      const value = text(name);
      if (value === null) return fallback;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      errors.push(`${name} must be a whole number from ${min} to ${max}; it is "${value}"`);
      return fallback;
    },
    /** The error does not contain the URL, because it may contain a password. */
    url(name: Setting, protocols: readonly string[]): URL | null {
      const value = text(name);
      if (value === null) return null;
      const url = URL.canParse(value) ? new URL(value) : null;
      if (url !== null && protocols.includes(url.protocol)) return url;
      errors.push(`${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
      return null;
    },
    secretKey(name: 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'): Buffer | null {
      const value = text(name);
      if (value === null) return null;
      const bytes = /^[A-Za-z0-9+/_-]+=*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
      if (bytes.length === 32) return bytes;
      errors.push(`${name} must be 32 bytes in base64; make one with: openssl rand -base64 32`);
      return null;
    },
    list(name: Setting, shape: RegExp, description: string): readonly string[] {
      const values = (text(name) ?? '')
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== '');
      if (!values.every((value) => shape.test(value))) errors.push(`${name} must be ${description}, separated by commas`);
      return values;
    },
  };
}

import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readHosts } from './database/hosts.ts';
import type { DieAt } from './fault-points.ts';
import { readSecretFiles } from './secret-files.ts';

/**
 * Everything that can be set from outside, read once and checked together: whoever starts the service hears of every
 * mistake at once. No other file reads the environment; `.env.example` documents the same list, and a test compares.
 */
export type Config = {
  readonly mode: 'sandbox' | 'live';
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  /** Null: made into the data folder. */
  readonly secretKey: Buffer | null;
  /** Set while the secret key is being changed: opens what is not sealed anew yet, and seals nothing. */
  readonly previousSecretKey: Buffer | null;
  readonly smtpUrl: string | null;
  /** Whether a mail may leave unencrypted where the mail server offers no TLS. */
  readonly smtpTls: 'required' | 'optional';
  readonly mailFrom: string;
  readonly logLevel: LogLevel;
  readonly role: Role;
  /** Processes on this machine that share the port; with more than one, a process above them keeps them running. */
  readonly workers: number;
  /** How long it goes on serving after it was told to stop, while `/readyz` already says no. */
  readonly drainMs: number;
  readonly trustedProxies: readonly string[];
  readonly outgoingAllow: readonly string[];
  /** Null: no card or account of Stripe can be used. */
  readonly stripe: StripeConfig | null;
  /** Null but in a test of deaths. */
  readonly dieAt: DieAt | null;
};

export type StripeConfig = {
  readonly secretKey: string;
  /** A live key moves real money. */
  readonly isLive: boolean;
  /** Null only with a test key: then nobody hears Stripe's news, and look-ups settle what is open. */
  readonly webhookSecret: string | null;
  /** What stands in for Stripe in tests; null is Stripe. */
  readonly api: { readonly host: string; readonly port: number } | null;
};

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** What a process is there for: to answer requests, to do the work of the queue and the night, or both. */
const roles = ['web', 'jobs', 'all'] as const;
export type Role = (typeof roles)[number];
const workersMax = 64;
const drainMsMax = 300_000;
const drainMsLive = 5_000;

type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult = { readonly is: 'good'; readonly config: Config } | { readonly is: 'wrong'; readonly faults: readonly string[] };

/** Every variable that is read, with what it is for: the text of `.env.example` is held against this by a test. */
export const settings = {
  MODE: '"sandbox" (the default: built-in payment provider, a clock that can be moved) or "live"',
  PORT: 'the port to listen on; 3000',
  HOST: 'the address to listen on; 127.0.0.1 in the sandbox, 0.0.0.0 live',
  BASE_URL: 'how people and merchants reach the service from outside; http://localhost:PORT in the sandbox, required live',
  DATA_DIR: 'the folder of the embedded PostgreSQL and the secret key; .data',
  DATABASE_URL:
    'a PostgreSQL 15 to 18 of your own instead of the embedded one: postgres://user:password@host:5432/name; a list of hosts is tried for the primary',
  SECRET_KEY:
    '32 random bytes in base64, encrypts what must be read back; made into DATA_DIR where it is not required (live with DATABASE_URL)',
  SECRET_KEY_PREVIOUS: 'the former SECRET_KEY while it is being changed: opens what is not sealed anew yet; none',
  SMTP_URL: 'where mails are sent: smtps://user:password@host; without it nothing is sent (in the sandbox operators hand links on)',
  SMTP_TLS: '"required" (the default: no mail leaves unencrypted, except to a mail server on this machine) or "optional"',
  MAIL_FROM: 'the sender of mails; Tributary <no-reply@host of BASE_URL>',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent; info',
  ROLE: '"all" (the default), "web" (requests only) or "jobs" (the queue and the night only); also --role',
  WORKERS: 'how many processes share the port, from 1 to 64; 1; also --workers',
  DRAIN_MS: 'milliseconds that it goes on serving after SIGTERM while /readyz says no; 0 in the sandbox, 5000 live',
  TRUSTED_PROXIES: 'addresses or networks of your reverse proxies, separated by commas, whose X-Forwarded-For is believed; none',
  OUTGOING_ALLOW:
    'host:port pairs, separated by commas, that outgoing calls may reach although they are not public; none, and none with a live key',
  STRIPE_SECRET_KEY: "Stripe's secret key: sk_live_… when MODE is live, sk_test_… in the sandbox; without it Stripe is not used",
  STRIPE_WEBHOOK_SECRET: 'what signs the news of Stripe: whsec_…; required with a live key',
  STRIPE_API: 'host:port that stands in for Stripe, with a test key only: on this machine, or named in OUTGOING_ALLOW; none',
  DIE_AT: 'name:n, in the sandbox only: the process kills itself when it reaches the fault point of that name the n-th time; none',
} as const;
export type Setting = keyof typeof settings;

/** The one place where the environment is read. */
export const configFromEnvironment = (given: readonly string[] = []): ConfigResult => configFrom(process.env, given, process.cwd());

/** What differs between processes that share one environment may be given as arguments, which come first. */
export function configFrom(environment: Environment, given: readonly string[], workingFolder: string): ConfigResult {
  try {
    const { values } = parseArgs({ args: [...given], options: { role: { type: 'string' }, workers: { type: 'string' } } });
    const { role = environment['ROLE'], workers = environment['WORKERS'] } = values;
    const withSecrets = readSecretFiles(environment);
    const read = readConfig({ ...withSecrets.environment, ROLE: role, WORKERS: workers }, workingFolder);
    const faults = [...withSecrets.faults, ...(read.is === 'wrong' ? read.faults : [])];
    return faults.length === 0 ? read : { is: 'wrong', faults };
  } catch (error) {
    return { is: 'wrong', faults: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What a merchant's command line is told. Not as arguments: those every user of a machine can read. */
export const merchantSettings = {
  TRIBUTARY_URL: 'where the service is; http://localhost:3000',
  TRIBUTARY_TRACKING_KEY: "the store's public tracking key",
  TRIBUTARY_POSTBACK_KEY: "the store's secret postback key",
  TRIBUTARY_STORE: "the store's id, store_…",
  TRIBUTARY_API_KEY: 'a key of the management API',
} as const;
export type MerchantSettings = Readonly<Record<keyof typeof merchantSettings, string | undefined>>;

export const merchantFromEnvironment = (): MerchantSettings => ({
  TRIBUTARY_URL: process.env['TRIBUTARY_URL'],
  TRIBUTARY_TRACKING_KEY: process.env['TRIBUTARY_TRACKING_KEY'],
  TRIBUTARY_POSTBACK_KEY: process.env['TRIBUTARY_POSTBACK_KEY'],
  TRIBUTARY_STORE: process.env['TRIBUTARY_STORE'],
  TRIBUTARY_API_KEY: process.env['TRIBUTARY_API_KEY'],
});

export function readConfig(environment: Environment, workingFolder: string): ConfigResult {
  const faults: string[] = [];
  const reader = readerOf(environment, faults);
  const mode = reader.oneOf('MODE', ['sandbox', 'live'], 'sandbox');
  const port = reader.wholeNumber('PORT', { least: 0, most: 65_535, otherwise: 3_000 });
  const baseUrl = reader.url('BASE_URL', ['http:', 'https:']);
  const databaseUrl = readDatabaseUrl(reader, faults);
  const secretKey = reader.secretKey('SECRET_KEY');
  const previousSecretKey = reader.secretKey('SECRET_KEY_PREVIOUS');
  if (secretKey !== null && previousSecretKey?.equals(secretKey) === true) {
    faults.push('SECRET_KEY_PREVIOUS must be another key than SECRET_KEY; remove it where the key is not being changed');
  }
  if (baseUrl !== null && baseUrl.href !== `${baseUrl.origin}/`) {
    faults.push(
      'BASE_URL must be the beginning of an address and nothing more, such as https://partners.example: links begin right behind it',
    );
  }
  if (mode === 'live' && baseUrl === null && !reader.has('BASE_URL')) faults.push('BASE_URL is required when MODE is "live"');
  if (mode === 'live' && baseUrl?.protocol === 'http:') {
    faults.push('BASE_URL must begin with https:// when MODE is "live": session cookies and keys would travel unencrypted');
  }
  if (mode === 'live' && databaseUrl !== null && !reader.has('SECRET_KEY')) {
    faults.push('SECRET_KEY is required when MODE is "live" and DATABASE_URL is set; make one with: openssl rand -base64 32');
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
    smtpUrl: readSmtpUrl(reader, faults),
    smtpTls: reader.oneOf('SMTP_TLS', ['required', 'optional'], 'required'),
    mailFrom: reader.text('MAIL_FROM') ?? `Tributary <no-reply@${new URL(base).hostname}>`,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    role: reader.oneOf('ROLE', roles, 'all'),
    workers: reader.wholeNumber('WORKERS', { least: 1, most: workersMax, otherwise: 1 }),
    drainMs: reader.wholeNumber('DRAIN_MS', { least: 0, most: drainMsMax, otherwise: mode === 'live' ? drainMsLive : 0 }),
    trustedProxies: reader.list(
      'TRUSTED_PROXIES',
      /^[0-9a-f.:]+(\/\d{1,3})?$/i,
      'addresses such as 10.0.0.1 or networks such as 10.0.0.0/8',
    ),
    outgoingAllow: reader.list('OUTGOING_ALLOW', /^[^\s/:]+:\d{1,5}$/, 'pairs such as shop.internal:8080'),
    stripe: null,
    dieAt: readDieAt(reader, mode, faults),
  };
  const stripe = readStripe(reader, config, faults);
  return faults.length > 0 ? { is: 'wrong', faults } : { is: 'good', config: { ...config, stripe } };
}

type Reader = ReturnType<typeof readerOf>;

/** The mail library reads options from the query of the address, among them ones that switch TLS or certificate checks off. */
function readSmtpUrl(reader: Reader, faults: string[]): string | null {
  const url = reader.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (url !== null && url.search !== '') faults.push('SMTP_URL must not have options after a "?"; set SMTP_TLS instead');
  return url?.href ?? null;
}

function readDatabaseUrl(reader: Reader, faults: string[]): string | null {
  const value = reader.text('DATABASE_URL');
  if (value === null || readHosts(value) !== null) return value;
  faults.push(
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/name, with commas between several hosts; ' +
      'target_session_attrs, where it is given, must be read-write or primary',
  );
  return null;
}

/** Real money and pretended money never meet in one installation. A fault is told without the key. */
function readStripe(reader: Reader, { mode, outgoingAllow }: Config, faults: string[]): StripeConfig | null {
  const fault = (text: string) => void faults.push(text);
  const secretKey = reader.text('STRIPE_SECRET_KEY');
  const webhookSecret = reader.text('STRIPE_WEBHOOK_SECRET');
  if (webhookSecret !== null && !/^whsec_\w+$/.test(webhookSecret)) fault('STRIPE_WEBHOOK_SECRET must begin with whsec_');
  const api = readStripeApi(reader, outgoingAllow, faults);
  if (secretKey === null) {
    if (api !== null) fault('STRIPE_API needs a STRIPE_SECRET_KEY that begins with sk_test_');
    return null;
  }
  const kind = /^[sr]k_(test|live)_\w+$/.exec(secretKey)?.[1];
  if (kind === undefined) fault('STRIPE_SECRET_KEY must be a secret key of Stripe: sk_test_… or sk_live_…');
  const isLive = kind === 'live';
  if (isLive && mode === 'sandbox') {
    fault('STRIPE_SECRET_KEY is a live key, and MODE is "sandbox"; set MODE to "live", or take a test key (sk_test_…)');
  }
  if (kind === 'test' && mode === 'live') fault('STRIPE_SECRET_KEY is a test key, which moves no money, and MODE is "live"');
  if (isLive && webhookSecret === null) fault('STRIPE_WEBHOOK_SECRET is required with a live key: disputes are heard of in no other way');
  if (isLive && api !== null) fault('STRIPE_API can be set with a test key only');
  if (isLive && outgoingAllow.length > 0) fault('OUTGOING_ALLOW must be empty with a live key');
  return { secretKey, isLive, webhookSecret, api };
}

/** A key is sent to Stripe, to this machine, or where the operator allowed it, and nowhere else. */
function readStripeApi(reader: Reader, outgoingAllow: readonly string[], faults: string[]): StripeConfig['api'] {
  const value = reader.text('STRIPE_API');
  if (value === null) return null;
  const [, host = '', port = ''] = /^([^\s/:]+):(\d{1,5})$/.exec(value) ?? [];
  if (host === '') faults.push('STRIPE_API must be host:port, such as 127.0.0.1:12111');
  else if (!['127.0.0.1', 'localhost'].includes(host) && !outgoingAllow.includes(value)) {
    faults.push('STRIPE_API must be on this machine (127.0.0.1 or localhost), or stand in OUTGOING_ALLOW');
  }
  return { host, port: Number(port) };
}

function readDieAt(reader: Reader, mode: Config['mode'], faults: string[]): DieAt | null {
  const value = reader.text('DIE_AT');
  if (value === null) return null;
  if (mode === 'live') faults.push('DIE_AT is for tests, and MODE is "live"');
  const [, point = '', time = ''] = /^(\S.*):([1-9]\d{0,6})$/.exec(value) ?? [];
  if (point === '') faults.push(`DIE_AT must be name:n, such as "billing: a charge was answered:2"; it is "${value}"`);
  return { point, time: Number(time) };
}

function readerOf(environment: Environment, faults: string[]) {
  const text = (name: Setting): string | null => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  return {
    has: (name: Setting) => text(name) !== null,
    text,
    oneOf<const Word extends string>(name: Setting, words: readonly Word[], otherwise: Word): Word {
      const value = text(name);
      if (value === null) return otherwise;
      const word = words.find((candidate) => candidate === value);
      if (word === undefined) faults.push(`${name} must be one of ${words.join(', ')}; it is "${value}"`);
      return word ?? otherwise;
    },
    wholeNumber(
      name: Setting,
      { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
    ): number {
      const value = text(name);
      if (value === null) return otherwise;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= least && number <= most) return number;
      faults.push(`${name} must be a whole number from ${least} to ${most}; it is "${value}"`);
      return otherwise;
    },
    /** What is wrong with an address is said without the address: it may hold a password. */
    url(name: Setting, protocols: readonly string[]): URL | null {
      const value = text(name);
      if (value === null) return null;
      const url = URL.canParse(value) ? new URL(value) : null;
      if (url !== null && protocols.includes(url.protocol)) return url;
      faults.push(`${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
      return null;
    },
    secretKey(name: 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'): Buffer | null {
      const value = text(name);
      if (value === null) return null;
      const bytes = /^[A-Za-z0-9+/_-]+=*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
      if (bytes.length === 32) return bytes;
      faults.push(`${name} must be 32 bytes in base64; make one with: openssl rand -base64 32`);
      return null;
    },
    list(name: Setting, shape: RegExp, wanted: string): readonly string[] {
      const values = (text(name) ?? '')
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== '');
      if (!values.every((value) => shape.test(value))) faults.push(`${name} must be ${wanted}, separated by commas`);
      return values;
    },
  };
}

import { isAbsolute, resolve } from 'node:path';

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
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly logLevel: LogLevel;
  readonly trustedProxies: readonly string[];
  readonly outgoingAllow: readonly string[];
};

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult = { readonly is: 'good'; readonly config: Config } | { readonly is: 'wrong'; readonly faults: readonly string[] };

/** Every variable that is read, with what it is for: the text of `.env.example` is held against this by a test. */
export const settings = {
  MODE: '"sandbox" (the default: built-in payment provider, a clock that can be moved) or "live"',
  PORT: 'the port to listen on; 3000',
  HOST: 'the address to listen on; 127.0.0.1 in the sandbox, 0.0.0.0 live',
  BASE_URL: 'how people and merchants reach the service from outside; http://localhost:PORT in the sandbox, required live',
  DATA_DIR: 'the folder of the embedded PostgreSQL and the secret key; .data',
  DATABASE_URL: 'a PostgreSQL 15 to 18 of your own instead of the embedded one: postgres://user:password@host:5432/name',
  SECRET_KEY:
    '32 random bytes in base64, encrypts what must be read back; made into DATA_DIR where it is not required (live with DATABASE_URL)',
  SMTP_URL: 'where mails are sent: smtps://user:password@host; without it they stand in the outbox of the dashboard',
  MAIL_FROM: 'the sender of mails; Tributary <no-reply@host of BASE_URL>',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent; info',
  TRUSTED_PROXIES: 'addresses or networks of your reverse proxies, separated by commas, whose X-Forwarded-For is believed; none',
  OUTGOING_ALLOW: 'host:port pairs, separated by commas, that outgoing calls may reach although they are not public; none',
} as const;
export type Setting = keyof typeof settings;

/** The one place where the environment is read. */
export const configFromEnvironment = (): ConfigResult => readConfig(process.env, process.cwd());

export function readConfig(environment: Environment, workingFolder: string): ConfigResult {
  const faults: string[] = [];
  const reader = readerOf(environment, faults);
  const mode = reader.oneOf('MODE', ['sandbox', 'live'], 'sandbox');
  const port = reader.wholeNumber('PORT', { least: 0, most: 65_535, otherwise: 3_000 });
  const baseUrl = reader.url('BASE_URL', ['http:', 'https:']);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const secretKey = reader.secretKey();
  if (mode === 'live' && baseUrl === null && !reader.has('BASE_URL')) faults.push('BASE_URL is required when MODE is "live"');
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
    databaseUrl: databaseUrl?.href ?? null,
    secretKey,
    smtpUrl: reader.url('SMTP_URL', ['smtp:', 'smtps:'])?.href ?? null,
    mailFrom: reader.text('MAIL_FROM') ?? `Tributary <no-reply@${new URL(base).hostname}>`,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    trustedProxies: reader.list(
      'TRUSTED_PROXIES',
      /^[0-9a-f.:]+(\/\d{1,3})?$/i,
      'addresses such as 10.0.0.1 or networks such as 10.0.0.0/8',
    ),
    outgoingAllow: reader.list('OUTGOING_ALLOW', /^[^\s/:]+:\d{1,5}$/, 'pairs such as shop.internal:8080'),
  };
  return faults.length > 0 ? { is: 'wrong', faults } : { is: 'good', config };
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
    secretKey(): Buffer | null {
      const value = text('SECRET_KEY');
      if (value === null) return null;
      const bytes = /^[A-Za-z0-9+/_-]+=*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
      if (bytes.length === 32) return bytes;
      faults.push('SECRET_KEY must be 32 bytes in base64; make one with: openssl rand -base64 32');
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

import { generate, generateSecret } from 'otplib';
import { randomBytes } from 'node:crypto';
import { openPageInspector } from '../../src/capture/page-inspector.ts';
import { readEmail } from '../../src/notify/stored-email.ts';
import { listEmails } from '../../src/notify/emails-sql.ts';
import { creatorExists } from '../../src/creators/creators-sql.ts';
import { createCreator } from '../../src/creators/create-creator.ts';
import { storeExists } from '../../src/merchants/stores-sql.ts';
import { createStore } from '../../src/merchants/stores.ts';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { createIdentify } from '../../src/people/identify.ts';
import { mountApi, type Method } from '../../src/people/request-pipeline.ts';
import { confirmTotp, startTotp } from '../../src/people/second-factor-sql.ts';
import { createRequestLimiter } from '../../src/people/request-limits.ts';
import type { Role } from '../../src/people/permissions.ts';
import { insertRole } from '../../src/people/team-sql.ts';
import { insertUser, updateCreator } from '../../src/people/users-sql.ts';
import { readConfig } from '../../src/core/config.ts';
import type { Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { createCrashPoints } from '../../src/core/crash-points.ts';
import { isRefusal } from '../../src/http/responses.ts';
import { createServer } from '../../src/http/server.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { createLog, type Log } from '../../src/core/log.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { invariant } from '../../src/core/invariant.ts';
import { ownAddressOf } from '../../src/http/own-address.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { apiRoutes } from '../../src/app/routes/routes.ts';
import { realClock, realNow } from '../../src/core/time.ts';
import { freshDatabase, testDatabase } from './database.ts';
import { hashWeakly } from './weak-password-hash.ts';
import { tenantsOf } from './tenants.ts';

// Untyped JSON responses, which only tests read.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export type ApiResponse = { readonly status: number; readonly json: Json; readonly text: string; readonly headers: Headers };
export type Sent = Readonly<Record<string, string>>;
export type Call = (method: Method, path: string, body?: unknown, headers?: Sent) => Promise<ApiResponse>;

/** A program, or a browser that stores its cookies. Each has a separate address, so that rate limits are independent. */
export type Client = {
  readonly call: Call;
  /** The session's cookie. */
  readonly cookie: () => string;
  /** All cookies, as a Cookie header. */
  readonly cookies: () => string;
  readonly address: string;
};

export const testPassword = 'a long and good password';

export type Account = {
  readonly userId: Id<'user'>;
  readonly email: string;
  /** Of the authenticator app; null without one. */ readonly totpSecret: string | null;
};
export type AccountOptions = {
  readonly isOperator?: boolean;
  readonly creatorId?: Id<'crt'>;
  readonly name?: string;
  readonly hasSecondFactor?: boolean;
};

export type TestStore = { readonly storeId: Id<'store'>; readonly id: string };

export type PeopleApp = {
  readonly platform: Platform;
  readonly url: string;
  readonly browser: (address?: string) => Client;
  readonly program: (key: string) => Client;
  readonly account: (options?: AccountOptions) => Promise<Account>;
  readonly signedIn: (account: Account) => Promise<Client>;
  readonly store: (owner: Account | null) => Promise<TestStore>;
  /** A store with a signed-in owner. */
  readonly storeWithOwner: () => Promise<{ readonly owner: Account; readonly store: TestStore; readonly client: Client }>;
  readonly join: (storeId: Id<'store'>, account: Account, role: Role) => Promise<unknown>;
  readonly creator: () => Promise<{ readonly creatorId: Id<'crt'>; readonly id: string }>;
  readonly close: () => Promise<void>;
};

export type PeopleAppOptions = {
  /** By default a fresh database. */
  readonly databaseUrl?: string;
  readonly mode?: 'sandbox' | 'live';
  readonly baseUrl?: string;
  readonly secretKey?: Buffer;
  readonly smtpUrl?: string;
  readonly log?: Log;
  /** Fewer than the service allows for a test that must exceed the limit on a machine of any speed, or more for one that must not. */
  readonly requestsPerSecond?: number;
};

let lastAddress = 0;
const newAddress = (): string => {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
};

/** The management API behind a real server and a real database, without jobs. Two of them on one database act as two processes. */
export async function peopleApp(options: PeopleAppOptions = {}): Promise<PeopleApp> {
  const platform = platformOf(options, options.databaseUrl ?? (await freshDatabase()).url);
  const { config, database } = platform;
  const errors: unknown[] = [];
  const app = createServer({
    trustedProxies: config.trustedProxies,
    problemFormats: [],
    isTemporary: () => false,
    onError: (error) => void errors.push(error),
  });
  const ring = await openKeyRing(platform);
  mountApi(app, platform, apiRoutes({ ring, providers: openProviders(platform), inspector: openPageInspector() }), {
    identify: createIdentify(platform),
    limitRequests: createRequestLimiter(config, options.requestsPerSecond),
    storeExists,
    creatorExists,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const lastError = () => String(errors.at(-1));
  const browser = (address = newAddress()) => {
    const fixed = { 'sec-fetch-site': 'same-origin', origin: config.baseUrl, 'user-agent': 'A browser' };
    return clientOf({ url, fixed, address, lastError });
  };
  const signedIn: PeopleApp['signedIn'] = async ({ email, totpSecret }) => {
    const client = browser();
    const code = totpSecret === null ? {} : { code: await freshCode(platform, totpSecret) };
    const response = await client.call('POST', '/session', { email, password: testPassword, ...code });
    invariant(response.status === 200, `the sign-in of the test succeeds: ${response.text}`);
    return client;
  };
  return {
    platform,
    url,
    browser,
    program: (key) => clientOf({ url, fixed: { authorization: `Bearer ${key}` }, address: newAddress(), lastError }),
    account: (of) => makeAccount(platform, of),
    signedIn,
    store: (owner) => makeStore(database, owner),
    async storeWithOwner() {
      const owner = await makeAccount(platform, { name: 'Olga Owner' });
      return { owner, store: await makeStore(database, owner), client: await signedIn(owner) };
    },
    join: (storeId, { userId }, role) => insertRole(database, { userId, storeId, role, now: realNow() }),
    creator: () => makeCreator(database),
    async close() {
      await app.close();
      ring.close();
      await database.end();
    },
  };
}

function platformOf(
  { mode = 'sandbox', baseUrl = 'https://tributary.example', ...options }: PeopleAppOptions,
  databaseUrl: string,
): Platform {
  const read = readConfig({ MODE: mode, BASE_URL: baseUrl, PORT: '0', TRUSTED_PROXIES: '127.0.0.1' }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const database = testDatabase(databaseUrl);
  const log = options.log ?? createLog('silent');
  return {
    config: { ...read.config, smtpUrl: options.smtpUrl ?? null },
    database,
    clock: realClock,
    log,
    metrics: createMetrics(),
    secrets: createSecrets(options.secretKey ?? randomBytes(32)),
    tenants: tenantsOf(database),
    jobsDatabase: database,
    own: ownAddressOf(read.config),
    ...createCrashPoints(null),
  };
}

type ClientOptions = { readonly url: string; readonly fixed: Sent; readonly address: string; readonly lastError: () => string };

function clientOf({ url, fixed, address, lastError }: ClientOptions): Client {
  let cookie = '';
  const jar = new Map<string, string>();
  const call: Call = async (method, path, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const own = {
      ...(jar.size === 0 ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
      'x-forwarded-for': address,
    };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: { ...own, ...type, ...fixed, ...headers }, ...sent });
    const text = await response.text();
    invariant(response.status !== 500, `the request causes no internal error: ${lastError()}`);
    for (const [place, set] of response.headers.getSetCookie().entries()) {
      const [pair = ''] = set.split(';');
      if (place === 0) cookie = pair;
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return { status: response.status, json: text === '' ? null : JSON.parse(text), text, headers: response.headers };
  };
  return { call, cookie: () => cookie, cookies: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '), address };
}

async function makeAccount(
  { database: db, secrets }: Platform,
  { isOperator = false, creatorId, name = 'A person', hasSecondFactor = false }: AccountOptions = {},
): Promise<Account> {
  const now = realNow();
  const made = { userId: newId<'user'>(now), email: `${randomBytes(6).toString('hex')}@people.example` };
  const account = { ...made, totpSecret: hasSecondFactor ? generateSecret() : null };
  await insertUser(db, { ...account, name, passwordHash: await hashWeakly(testPassword), isOperator, now });
  if (creatorId !== undefined) await updateCreator(db, { userId: account.userId, creatorId });
  if (account.totpSecret !== null) {
    const totpSealed = secrets.seal(Buffer.from(account.totpSecret), `second factor ${account.userId}`);
    await startTotp(db, { userId: account.userId, totpSealed });
    await confirmTotp(db, { userId: account.userId, now });
  }
  return account;
}

/** A code that was not used before: tests sign in more than once within a time step. */
async function freshCode({ database }: Platform, secret: string): Promise<string> {
  await database.run(sql`update users set totp_last_step = null`);
  return generate({ secret });
}

async function makeStore(db: Queryable, owner: Account | null) {
  const made = { name: 'A store', siteUrl: 'https://shop.example', ownerId: owner?.userId ?? null, at: realNow() };
  const store = await createStore(db, made);
  invariant(!isRefusal(store), 'the store of the test is valid');
  return { storeId: store.storeId, id: publicId('store', store.storeId) };
}

async function makeCreator(db: Queryable) {
  const made = { name: 'A creator', email: 'creator@people.example', sandboxMethod: null, at: realNow() };
  const { creatorId } = await createCreator(db, made);
  return { creatorId, id: publicId('crt', creatorId) };
}

/** Whether a dump of the database contains a secret, as text or as the bytes of that text. */
export const holds = (dump: string, secret: string): boolean => dump.includes(secret) || dump.includes(Buffer.from(secret).toString('hex'));

/** The token in the latest email to a person, from its link. */
export async function emailedLinkToken(app: PeopleApp, email: string): Promise<string> {
  const mail = await latestEmail(app, email);
  const token = /\/link#([A-Za-z0-9_-]+)/.exec(mail.text)?.[1];
  invariant(token, `the email "${mail.subject}" has a link`);
  return token;
}

export async function latestEmail(app: PeopleApp, email: string): Promise<{ readonly subject: string; readonly text: string }> {
  const { platform } = app;
  const all = await listEmails(platform.database, null, { after: null, limit: 200 });
  const row = all.find(({ toAddress, subject }) => toAddress === email && !subject.startsWith('New sign-in'));
  invariant(row, `there is an email to ${email}`);
  const mail = await readEmail(platform.database, platform.secrets, row.mailId);
  invariant(mail, 'an email that is listed can be read');
  return mail;
}

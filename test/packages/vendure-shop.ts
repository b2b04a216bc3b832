import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { emptyDatabase } from '../support/database.ts';
import { childEnvironment, freePort } from '../support/main-process.ts';
import type { Json } from '../support/merchant.ts';

/** Where scripts/test-vendure.ts installed Vendure with the plugin; empty in `npm test`. */
export const shopFolder = env['VENDURE_SHOP'] === '1' ? (env['VENDURE_FOLDER'] ?? '') : '';

export type Bought = {
  readonly orderId: string;
  readonly code: string;
  readonly lineId: string;
  readonly paymentId: string;
  readonly totalCents: number;
};
type Purchase = { readonly quantity?: number; readonly code?: string; readonly click?: string; readonly shopper?: Shopper };
type Variables = Readonly<Record<string, unknown>>;
/** One session of the storefront. */
export type Shopper = {
  readonly query: (query: string, variables?: Variables) => Promise<Json>;
  /** Of the session, after the first query. */
  readonly token: () => string;
};

export const login = { username: 'admin', password: 'only-for-the-test-shop' };
const commandMsMax = 120_000;
const startMsMax = 120_000;

/** A Vendure server and its worker, with their own database, an administrator, and shoppers. */
export type Shop = {
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  readonly close: () => Promise<void>;
  /** Runs a program of the test shop. */
  readonly command: (words: readonly string[], settings?: Readonly<Record<string, string>>) => Promise<string>;
  readonly admin: (query: string, variables?: Variables) => Promise<Json>;
  readonly shopper: () => Shopper;
  readonly buy: (purchase: Purchase) => Promise<Bought>;
  readonly settle: (bought: Bought) => Promise<void>;
  readonly refund: (bought: Bought, amount: number, given?: { readonly units?: number; readonly reason?: string }) => Promise<string>;
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly Json[]>;
  readonly database: () => Promise<pg.Client>;
};

export async function openShop(service: { readonly url: string; readonly apiKey: string }): Promise<Shop> {
  const databaseUrl = await emptyDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const migrations = await mkdtemp(join(tmpdir(), 'tributary-vendure-'));
  const settings = {
    ...databaseSettings(databaseUrl),
    PORT: String(port),
    MIGRATIONS: migrations,
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: service.apiKey,
  };
  const { command, start, stop } = programOf(url, settings);
  await command(['migrate.js', 'vendure'], { PLUGIN: 'none' });
  const seeded = /SEEDED (.*)/.exec(await command(['seed.js'], { PLUGIN: 'none' }))?.[1];
  invariant(seeded !== undefined, 'the script seeds the shop');
  await command(['migrate.js', 'plugin']);
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return client;
  };
  const client = await connected();
  const calls = callsOf(url);
  return {
    url,
    start,
    stop,
    command,
    ...calls,
    ...purchasesOf(calls, (JSON.parse(seeded) as { readonly apron: string }).apron),
    sql: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    database: connected,
    close: async () => {
      await stop('SIGTERM');
      await client.end();
      await rm(migrations, { recursive: true });
    },
  };
}

/** The embedded PostgreSQL has a socket in a folder. */
function databaseSettings(databaseUrl: string): Readonly<Record<string, string>> {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  return {
    DATABASE_HOST: searchParams.get('host') ?? hostname,
    DATABASE_PORT: searchParams.get('port') ?? (port || '5432'),
    DATABASE_NAME: pathname.slice(1),
    DATABASE_USER: decodeURIComponent(username),
    DATABASE_PASSWORD: decodeURIComponent(password),
  };
}

function programOf(url: string, settings: Readonly<Record<string, string>>): Pick<Shop, 'command' | 'start' | 'stop'> {
  const options = { cwd: shopFolder, env: { ...childEnvironment, NODE_ENV: 'production', ...settings } };
  let processes: readonly ChildProcess[] = [];
  return {
    command: async (words, changed = {}) => {
      const limits = { timeout: commandMsMax, maxBuffer: 64 * 1024 * 1024, env: { ...options.env, ...changed } };
      const { stdout, stderr } = await promisify(execFile)(execPath, [...words], { ...options, ...limits });
      return stdout + stderr;
    },
    start: async () => {
      const stdio = env['VENDURE_LOG'] === '1' ? ('inherit' as const) : ('ignore' as const);
      processes = [['server.js'], ['server.js', 'worker']].map((words) => spawn(execPath, words, { ...options, stdio }));
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' };
      await vi.waitFor(async () => expect((await fetch(`${url}/shop-api`, request)).status).toBe(200), {
        timeout: startMsMax,
        interval: 200,
      });
    },
    stop: async (signal) => {
      const running = processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ended = running.map((child) => once(child, 'exit'));
      for (const child of running) child.kill(signal);
      await Promise.all(ended);
    },
  };
}

type Calls = Pick<Shop, 'admin' | 'shopper'>;

function callsOf(url: string): Calls {
  const session = (path: string): Shopper => {
    let token: string | null = null;
    return {
      token: () => token ?? '',
      query: async (query, variables = {}) => {
        const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
        const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
        token = response.headers.get('vendure-auth-token') ?? token;
        const { data, errors }: Json = await response.json();
        const failed: Json = errors?.[0] ?? Object.values<Json>(data).find((one) => one?.errorCode !== undefined);
        if (failed !== undefined) throw new Error(`${query.trim().slice(0, 200)}: ${failed.message}`);
        return data;
      },
    };
  };
  const administrator = session('admin-api');
  let isSignedIn = false;
  return {
    shopper: () => session('shop-api'),
    admin: async (query, variables) => {
      if (!isSignedIn) {
        const signIn =
          'mutation ($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }';
        await administrator.query(signIn, login);
      }
      isSignedIn = true;
      return administrator.query(query, variables);
    },
  };
}

const failure = '... on ErrorResult { errorCode message }';
const checkout = `mutation ($method: [ID!]!) {
  setOrderShippingMethod(shippingMethodId: $method) { __typename ${failure} }
  transitionOrderToState(state: "ArrangingPayment") { __typename ${failure} }
  addPaymentToOrder(input: { method: "test-payment", metadata: {} }) {
    ... on Order { id code totalWithTax lines { id } payments { id } } ${failure}
  }
}`;
const address = '{ fullName: "Ada Lee", streetLine1: "1 Main St", city: "Portland", postalCode: "97201", countryCode: "US" }';
const personal = `mutation {
  setCustomerForOrder(input: { firstName: "Ada", lastName: "Lee", emailAddress: "ada@example.com" }) { __typename ${failure} }
  setOrderShippingAddress(input: ${address}) { __typename ${failure} }
}`;

function purchasesOf({ shopper: newShopper, admin }: Calls, apron: string): Pick<Shop, 'buy' | 'settle' | 'refund'> {
  return {
    /** Buys aprons of 48.00 USD, plus 8% tax and shipping of 10.00 USD. The payment is authorized, and not settled. */
    buy: async ({ quantity = 1, code, click, shopper = newShopper() }) => {
      const item = `mutation ($id: ID!, $quantity: Int!) {
        addItemToOrder(productVariantId: $id, quantity: $quantity) { __typename ${failure} } }`;
      if (quantity > 0) await shopper.query(item, { id: apron, quantity });
      if (click !== undefined) await shopper.query('mutation ($click: String) { setTributaryClick(clickId: $click) }', { click });
      const coupon = `mutation ($code: String!) { applyCouponCode(couponCode: $code) { __typename ${failure} } }`;
      if (code !== undefined) await shopper.query(coupon, { code });
      await shopper.query(personal);
      const { eligibleShippingMethods: methods } = await shopper.query('{ eligibleShippingMethods { id } }');
      const { addPaymentToOrder: order } = await shopper.query(checkout, { method: [methods[0].id] });
      const { id: orderId, totalWithTax: totalCents, lines, payments } = order;
      return { orderId, code: order.code, lineId: lines[0].id, paymentId: payments[0].id, totalCents };
    },
    settle: async ({ paymentId }) =>
      void (await admin(`mutation ($id: ID!) { settlePayment(id: $id) { __typename ${failure} } }`, { id: paymentId })),
    refund: async ({ paymentId, lineId }, amount, { units = 0, reason = '' } = {}) => {
      const lines = units > 0 ? [{ orderLineId: lineId, quantity: units }] : [];
      const query = `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id state } ${failure} } }`;
      const { refundOrder } = await admin(query, { input: { lines, shipping: 0, adjustment: 0, amount, paymentId, reason } });
      return refundOrder.id;
    },
  };
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { emptyDatabase } from '../support/database.ts';
import { childEnvironment, freePort } from '../support/main-process.ts';
import type { Json } from '../support/merchant.ts';

/** Where scripts/test-medusa.ts installed Medusa with the plugin; empty in `npm test`. */
export const shopFolder = env['MEDUSA_SHOP'] === '1' ? (env['MEDUSA_FOLDER'] ?? '') : '';

export type Bought = { readonly orderId: string; readonly paymentId: string; readonly total: number };
type Purchase = { readonly quantity?: number; readonly code?: string; readonly click?: string | null; readonly cart?: string };

const admin = { email: 'admin@shop.example', password: 'only-for-the-test-shop' };
const commandMsMax = 180_000;
const startMsMax = 240_000;

/** A Medusa server with its own database, its administrator, and its shoppers. */
export type Shop = {
  readonly url: string;
  readonly publishableKey: string;
  readonly region: string;
  readonly start: () => Promise<void>;
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  readonly close: () => Promise<void>;
  /** Runs Medusa's command. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  readonly admin: (method: string, path: string, body?: object) => Promise<Json>;
  readonly store: (method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Json>;
  readonly buy: (purchase: Purchase) => Promise<Bought>;
  readonly capture: (bought: Bought) => Promise<void>;
  readonly refund: (bought: Bought, amount?: number) => Promise<void>;
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly Json[]>;
  readonly database: () => Promise<pg.Client>;
  readonly login: typeof admin;
};

export async function openShop(service: { readonly url: string; readonly apiKey: string }): Promise<Shop> {
  const database = await tcpDatabase(await emptyDatabase());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { command, start, stop } = programOf(port, {
    DATABASE_URL: database.url,
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: service.apiKey,
  });
  await command('db:migrate');
  const seeded = /SEEDED (.*)/.exec(await command('exec', './src/scripts/seed.js'))?.[1];
  invariant(seeded !== undefined, 'the script seeds the shop');
  const { publishableKey, region } = JSON.parse(seeded) as { readonly publishableKey: string; readonly region: string };
  await command('user', '-e', admin.email, '-p', admin.password);
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const client = await connected();
  const call = callsOf(url, publishableKey);
  return {
    url,
    publishableKey,
    region,
    start,
    stop,
    command,
    ...call,
    ...purchasesOf(call, region),
    sql: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    database: connected,
    login: admin,
    close: async () => {
      await stop('SIGTERM');
      await client.end();
      database.close();
    },
  };
}

/** Medusa's command and server as processes. */
function programOf(port: number, settings: Readonly<Record<string, string>>): Pick<Shop, 'command' | 'start' | 'stop'> {
  const cli = join(shopFolder, 'node_modules', '@medusajs', 'cli', 'cli.js');
  const own = { NODE_ENV: 'production', LOG_LEVEL: 'warn', MEDUSA_DISABLE_TELEMETRY: 'true' };
  const options = { cwd: shopFolder, env: { ...childEnvironment, ...own, ...settings } };
  let server: ChildProcess | null = null;
  return {
    command: async (...words) => {
      const limits = { timeout: commandMsMax, maxBuffer: 64 * 1024 * 1024 };
      const { stdout, stderr } = await promisify(execFile)(execPath, [cli, ...words], { ...options, ...limits });
      return stdout + stderr;
    },
    start: async () => {
      server = spawn(execPath, [cli, 'start', '-H', '127.0.0.1', '-p', String(port)], { ...options, stdio: 'ignore' });
      const health = `http://127.0.0.1:${port}/health`;
      await vi.waitFor(async () => expect((await fetch(health)).status).toBe(200), { timeout: startMsMax, interval: 300 });
    },
    stop: async (signal) => {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill(signal);
      await ended;
    },
  };
}

/** Medusa connects over TCP only; the embedded PostgreSQL has a socket in a folder. */
async function tcpDatabase(socketUrl: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const folder = new URL(socketUrl).searchParams.get('host');
  if (folder === null) return { url: socketUrl, close: () => {} };
  const bridge: Server = createServer((socket) => {
    const database = connect(join(folder, `.s.PGSQL.${new URL(socketUrl).searchParams.get('port') ?? '5432'}`));
    socket.pipe(database).pipe(socket);
    socket.on('error', () => database.destroy());
    database.on('error', () => socket.destroy());
  });
  await once(bridge.listen(0, '127.0.0.1'), 'listening');
  const address = bridge.address();
  invariant(typeof address === 'object' && address !== null, 'the bridge listens on a port');
  const url = new URL(socketUrl);
  url.search = '';
  url.host = `127.0.0.1:${address.port}`;
  return { url: url.href, close: () => bridge.close() };
}

type Calls = Pick<Shop, 'admin' | 'store'>;

function callsOf(url: string, publishableKey: string): Calls {
  const call = async (method: string, path: string, body: object | undefined, headers: Readonly<Record<string, string>>): Promise<Json> => {
    const type: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1_000)}`);
    return JSON.parse(text);
  };
  let token: string | null = null;
  return {
    store: (method, path, body, headers = {}) =>
      call(method, `/store${path}`, body, { 'x-publishable-api-key': publishableKey, ...headers }),
    admin: async (method, path, body) => {
      token ??= (await call('POST', '/auth/user/emailpass', admin, {})).token;
      return call(method, `/admin${path}`, body, { authorization: `Bearer ${token}` });
    },
  };
}

const address = {
  first_name: 'Ada',
  last_name: 'Lee',
  address_1: '1 Main St',
  city: 'Portland',
  province: 'OR',
  postal_code: '97201',
  country_code: 'us',
};

function purchasesOf({ store, admin: call }: Calls, region: string): Pick<Shop, 'buy' | 'capture' | 'refund'> {
  return {
    /** Buys aprons of 48.00 USD, plus 8% tax and shipping of 10.00 USD. The payment is authorized, and not captured. */
    buy: async ({ quantity = 1, code, click = null, cart: given }) => {
      const cart = given ?? (await store('POST', '/carts', { region_id: region })).cart.id;
      if (given === undefined) {
        const { products } = await store('GET', `/products?region_id=${region}&handle=apron`);
        await store('POST', `/carts/${cart}/line-items`, { variant_id: products[0].variants[0].id, quantity });
      }
      const headers: Readonly<Record<string, string>> = click === null ? {} : { 'x-rm-click': click };
      const person = { email: 'ada@example.com', shipping_address: address, billing_address: address };
      await store('POST', `/carts/${cart}`, { ...person, ...(code !== undefined && { promo_codes: [code] }) });
      const { shipping_options: options } = await store('GET', `/shipping-options?cart_id=${cart}`);
      await store('POST', `/carts/${cart}/shipping-methods`, { option_id: options[0].id });
      const { payment_collection: collection } = await store('POST', '/payment-collections', { cart_id: cart });
      await store('POST', `/payment-collections/${collection.id}/payment-sessions`, { provider_id: 'pp_system_default' });
      const { order } = await store('POST', `/carts/${cart}/complete`, {}, headers);
      const detail = await call('GET', `/orders/${order.id}?fields=total,*payment_collections.payments`);
      return { orderId: order.id, paymentId: detail.order.payment_collections[0].payments[0].id, total: detail.order.total };
    },
    capture: async ({ paymentId }) => void (await call('POST', `/payments/${paymentId}/capture`, {})),
    refund: async ({ paymentId }, amount) =>
      void (await call('POST', `/payments/${paymentId}/refund`, amount === undefined ? {} : { amount })),
  };
}

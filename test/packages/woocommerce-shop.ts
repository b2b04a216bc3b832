import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { freePort } from '../support/main-process.ts';
import type { Json } from '../support/merchant.ts';

/** A folder with an installed WordPress and WooCommerce, whose plugins folder contains packages/woocommerce (its README says how). */
const wordpress = env['WORDPRESS_FOLDER'] ?? '';
export const isInstalled = wordpress !== '';
/** The library that WooCommerce Subscriptions consists of, except for its switches of plans, its gifts, and its settings. */
export const hasSubscriptions = existsSync(join(wordpress, 'wp-content', 'plugins', 'woocommerce-subscriptions-core'));

const stepMsMax = 100_000;
const serverWorkers = '4';
const run = promisify(execFile);

/** WooCommerce keeps orders in its own tables, or as posts. */
export type Storage = 'order tables' | 'posts';

export type Shop = {
  readonly url: string;
  /** Runs a step of wordpress.php in a process of its own. */
  readonly step: (name: string, ...words: readonly unknown[]) => Promise<Json>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly store: (storage: Storage) => Promise<void>;
  readonly reportsOf: (order: number) => Promise<Json>;
  /** Buys two aprons in the block checkout, whose requests go through the Store API. */
  readonly buy: (by: Buyer) => Promise<number>;
  /** Buys two aprons, and pays for them. */
  readonly sell: (by: Buyer) => Promise<number>;
};

const address = {
  first_name: 'Ada',
  last_name: 'Lee',
  address_1: '1 Main St',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};
export const shopper = { ...address, email: 'ada@example.com', phone: '5035550100' };

type Buyer = { readonly click?: string; readonly coupons?: readonly string[]; readonly cookies?: string };

async function runStep(url: string, name: string, words: readonly unknown[]): Promise<Json> {
  const { stdout } = await run('php', ['test/packages/wordpress.php', wordpress, name, JSON.stringify(words)], {
    env: { ...env, WORDPRESS_URL: url },
    timeout: stepMsMax,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

async function startServer(url: string): Promise<ChildProcess> {
  // The pages of an administrator send several requests at a time. A step may replace a file, which PHP would notice after two seconds.
  const server = spawn('php', ['-d', 'opcache.revalidate_freq=0', '-S', new URL(url).host, '-t', wordpress], {
    stdio: env['WORDPRESS_LOG'] === '1' ? 'inherit' : 'ignore',
    // Its workers are processes that end with its group.
    detached: true,
    env: { ...env, PHP_CLI_SERVER_WORKERS: serverWorkers },
  });
  await vi.waitFor(async () => expect((await fetch(`${url}/?rest_route=/`)).status).toBe(200), { timeout: 60_000, interval: 300 });
  return server;
}

/** Rejects while another process listens on the port. */
async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await new Promise((closed) => server.close(closed));
}

/** A browser's session with the Store API: its cookies, and the nonce of the last response. */
function sessionOf(url: string, cookies: readonly string[]): (operation: string, body?: object) => Promise<Json> {
  const jar = new Map(cookies.map((cookie) => [cookie.split('=')[0] ?? '', cookie]));
  let nonce = '';
  return async (operation, body) => {
    const headers = { 'content-type': 'application/json', nonce, cookie: [...jar.values()].join('; ') };
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/?rest_route=/wc/store/v1/${operation}`, request);
    nonce = response.headers.get('nonce') ?? nonce;
    for (const set of response.headers.getSetCookie()) jar.set(set.split('=')[0] ?? '', set.split(';')[0] ?? '');
    const json: Json = await response.json();
    if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(json)}`);
    return json;
  };
}

async function buy(url: string, { click, coupons = [], cookies = '' }: Buyer): Promise<number> {
  const call = sessionOf(
    url,
    [click === undefined ? '' : `_service_click=${click}`, cookies].filter((one) => one !== ''),
  );
  await call('cart');
  const [product]: Json = await call('products&sku=apron');
  await call('cart/add-item', { id: product.id, quantity: 2 });
  for (const code of coupons) await call('cart/apply-coupon', { code });
  const order = await call('checkout', { billing_address: shopper, shipping_address: address, payment_method: 'bacs' });
  return order.order_id;
}

export async function openShop(): Promise<Shop> {
  const url = `http://127.0.0.1:${await freePort()}`;
  let server: ChildProcess | null = null;
  let stored: Storage | null = null;
  const step: Shop['step'] = (name, ...words) => runStep(url, name, words);
  return {
    url,
    step,
    async start() {
      server = await startServer(url);
    },
    async stop() {
      const running = server;
      if (running === null || running.exitCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      if (running.pid !== undefined) process.kill(-running.pid);
      await ended;
      // Its workers end later than it does, and hold the port until then.
      await vi.waitFor(() => listenOnce(Number(new URL(url).port)), { timeout: 60_000, interval: 100 });
    },
    async store(storage) {
      if (stored !== storage) await step('storage', storage === 'order tables' ? 'yes' : 'no');
      stored = storage;
    },
    reportsOf: async (order) => (await step('order', order)).reports,
    buy: (by) => buy(url, by),
    async sell(by) {
      const order = await buy(url, by);
      await step('pay', order);
      return order;
    },
  };
}

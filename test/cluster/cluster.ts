import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import { newId, type Id } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { testDatabase } from '../support/database.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A running Citus cluster of which tests may create databases, and kill and start nodes. */
const settings = {
  CITUS_URL: 'the coordinator, as a superuser',
  CITUS_WORKERS: 'at least two workers, with commas between their URLs',
  CITUS_SPARE: 'a server with Citus that is not a worker yet',
  CITUS_CONTROL: 'a command that is called with `kill` or `start` and host:port of a node',
} as const;
const missing = Object.entries(settings).filter(([name]) => (env[name] ?? '') === '');
export const isConfigured = missing.length === 0;
export const howToRun = `needs a Citus cluster: set ${missing.map(([name, what]) => `${name} (${what})`).join(', ')}`;

const spareUrl = new URL(env['CITUS_SPARE'] ?? 'postgres://none');
export const spare = `${spareUrl.hostname}:${spareUrl.port}`;
const coordinatorUrl = new URL(env['CITUS_URL'] ?? 'postgres://none');
export const coordinator = `${coordinatorUrl.hostname}:${coordinatorUrl.port}`;

/** Kills a node, which is named host:port, and starts it again, also if the test ends meanwhile. */
export async function killedFor(ms: number, node: string): Promise<void> {
  await control('kill', node);
  try {
    await pause(ms);
  } finally {
    await control('start', node);
  }
}

const control = (what: 'kill' | 'start', node: string): Promise<unknown> =>
  promisify(execFile)('sh', ['-c', `${env['CITUS_CONTROL']} ${what} ${node}`]);

export type Cluster = {
  readonly service: TestService;
  /** Stores on each worker. */
  readonly merchants: readonly Merchant[];
  readonly nodeOf: (merchant: Merchant) => string;
  readonly admin: (text: string, values?: readonly unknown[]) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
};

const storesPerNode = 2;

export async function openCluster(): Promise<Cluster> {
  const service = await startTestService({ ROLE: 'web' });
  const { tenants } = service.platform;
  const nodeOf = ({ storeId }: Merchant) => tenants.nodeOf(storeId).name;
  const merchants: Merchant[] = [];
  const workers = (env['CITUS_WORKERS'] ?? '').split(',').length;
  const isCovered = () => {
    const counts = [...Map.groupBy(merchants, nodeOf).values()].map(({ length }) => length);
    return counts.length === workers && counts.every((count) => count >= storesPerNode);
  };
  while (!isCovered()) merchants.push(merchantIn(service, await service.seed()));
  const url = new URL(coordinatorUrl);
  url.pathname = new URL(service.databaseUrl).pathname;
  return {
    service,
    merchants,
    nodeOf,
    async admin(text, values = []) {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      try {
        const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
        return rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      for (const { database } of merchants) await database.end();
      await service.stop();
    },
  };
}

/** Adds the spare server to the cluster of this database. */
export async function addSpare({ service, admin }: Cluster): Promise<void> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const server = new pg.Client({ connectionString: spareUrl.href });
  await server.connect();
  await server.query(`create database ${name}`);
  await server.end();
  const url = new URL(spareUrl);
  url.pathname = `/${name}`;
  const database = new pg.Client({ connectionString: url.href });
  await database.connect();
  await database.query('create extension citus');
  await database.end();
  // The test's database is a renamed copy, whose former name the new node would look for.
  await admin(`delete from pg_dist_object where classid = 'pg_database'::regclass`);
  await admin('select citus_add_node($1, $2)', [spareUrl.hostname, Number(spareUrl.port)]);
  // The rebalancer does this before it moves shards.
  await admin(`select replicate_reference_tables('force_logical')`);
}

/** Moves a store with all stores of its shard, as a rebalance does. Nodes are named host:port. */
export async function moveStore({ admin, nodeOf }: Cluster, merchant: Merchant, to: string): Promise<void> {
  const [fromHost, fromPort] = nodeOf(merchant).split(':');
  const [toHost, toPort] = to.split(':');
  await admin(`select citus_move_shard_placement(get_shard_id_for_distribution_column('stores', $1::uuid), $2, $3, $4, $5)`, [
    merchant.storeId,
    fromHost,
    Number(fromPort),
    toHost,
    Number(toPort),
  ]);
}

type Sent = {
  readonly merchant: Merchant;
  readonly orderId: string;
  readonly status: number;
  readonly startedAt: number;
  readonly tookMs: number;
};

/** How long orders are sent before and after the work. */
const calmMs = 5_000;

/**
 * While the work runs, each store sends a click and an order, one after another, and repeats what is not answered, as merchants' queues
 * do. Returns what was sent.
 */
export async function underLoad({ merchants }: Cluster, work: () => Promise<void>): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const state = { isStopped: false };
  const send = async (merchant: Merchant): Promise<void> => {
    while (!state.isStopped) {
      const click_id = await clickOf(merchant);
      const orderId = newId<'ord'>(new Date());
      const order = await merchant.order({ order_id: orderId, click_id });
      for (let status = 0; status !== 200;) {
        const startedAt = performance.now();
        status = (await merchant.convert(order)).status;
        sent.push({ merchant, orderId, status, startedAt, tookMs: performance.now() - startedAt });
        if (status !== 200 && state.isStopped) break;
        if (status !== 200) await pause(200);
      }
    }
  };
  const clickOf = async (merchant: Merchant): Promise<string | null> => {
    for (;;) {
      const startedAt = performance.now();
      const click = await merchant.click().catch(() => null);
      if (click !== null || state.isStopped) return click;
      sent.push({ merchant, orderId: 'a click', status: 503, startedAt, tookMs: performance.now() - startedAt });
      await pause(200);
    }
  };
  const senders = merchants.map(send);
  try {
    await pause(calmMs);
    await work();
    await pause(calmMs);
  } finally {
    state.isStopped = true;
    await Promise.all(senders);
  }
  return sent;
}

/** What the verification of the whole installation finds. */
export async function verificationDifferences({ service }: Cluster): Promise<readonly string[]> {
  const results = await verify(service.platform);
  return results.flatMap(({ what, differences }) => differences.map(({ detail }) => `${what}: ${detail}`));
}

/** Acknowledged orders that are not in the database, or not exactly once with their commission. */
export async function lostOrders(cluster: Cluster, sent: readonly Sent[]): Promise<readonly string[]> {
  const database = testDatabase(cluster.service.databaseUrl);
  const lost: string[] = [];
  for (const [merchant, ofMerchant] of Map.groupBy(sent, (one) => one.merchant)) {
    const rows = await database.all<{ orderId: string; commissionId: Id<'com'> }>(sql`
      select o.order_id, c.commission_id from orders o
      join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
      where o.store_id = ${merchant.storeId}`);
    const counts = Map.groupBy(rows, ({ orderId }) => orderId);
    for (const { status, orderId } of ofMerchant) if (status === 200 && counts.get(orderId)?.length !== 1) lost.push(orderId);
  }
  await database.end();
  return lost;
}

export const failuresOf = (sent: readonly Sent[]): readonly string[] =>
  sent.filter(({ status }) => status !== 200).map(({ status, tookMs }) => `${status} after ${Math.round(tookMs)} ms`);

/** The time that 99 of 100 answers did not exceed. */
export function p99Of(sent: readonly Sent[]): number {
  const sorted = sent.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)];
  invariant(p99 !== undefined, 'orders were sent');
  return p99;
}

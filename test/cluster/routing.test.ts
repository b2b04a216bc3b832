import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { sql } from '../../src/db/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { Merchant } from '../support/merchant.ts';
import { reportMeasurement } from '../support/size.ts';
import {
  addSpare,
  killedFor,
  coordinator,
  failuresOf,
  howToRun,
  isConfigured,
  lostOrders,
  moveStore,
  openCluster,
  p99Of,
  spare,
  underLoad,
  verificationDifferences,
  type Cluster,
} from './cluster.ts';

// In the order in which they run: each outage leaves the cluster whole.
const outageMs = 12_000;
const killsMax = 5;
const learnedWithinMs = 7_000;

let cluster: Cluster;
beforeAll(async () => {
  if (isConfigured) cluster = await openCluster();
}, 600_000);
afterEach(async () => {
  if (isConfigured) expect(await verificationDifferences(cluster)).toEqual([]);
});
afterAll(async () => {
  if (isConfigured) await cluster.close();
});

test.skipIf(isConfigured)(`routing on a cluster is not tested: it ${howToRun}`, () => {
  expect(isConfigured).toBe(false);
});

test.skipIf(!isConfigured)('postbacks, clicks, and the look-ups of links run on the node that holds the store', async () => {
  const { merchants, nodeOf } = cluster;
  expect(new Set(merchants.map(nodeOf)).size).toBeGreaterThanOrEqual(2);
  for (const merchant of merchants) {
    const { status } = await merchant.convert(await merchant.order());
    expect(status).toBe(200);
    const { database } = cluster.service.platform.tenants.nodeOf(merchant.storeId);
    // EXPLAIN names the node of the task; a query on the node itself needs no connection to another one.
    const plan = await database.all<{ 'QUERY PLAN': string }>(sql`explain select 1 from orders where store_id = ${merchant.storeId}`);
    const { port } = await database.one<{ port: string }>(sql`select current_setting('port') as port`);
    expect(JSON.stringify(plan)).toContain(`port=${port}`);
  }
});

test.skipIf(!isConfigured)('the management API reads a store on the node that holds it', async () => {
  for (const merchant of cluster.merchants) {
    const { pool } = cluster.service.platform.tenants.nodeOf(merchant.storeId).database;
    let reads = 0;
    const count = () => void (reads += 1);
    pool.on('acquire', count);
    const { status } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions`);
    pool.off('acquire', count);
    expect(status).toBe(200);
    expect(reads).toBeGreaterThan(0);
  }
});

test.skipIf(!isConfigured)('a change and its audit entry are prepared on both nodes; a postback is not prepared', async () => {
  const prepared: string[] = [];
  const client = await cluster.service.platform.database.connect('unbounded');
  client.on('notice', ({ message }) => void (message?.startsWith('issuing PREPARE') === true && prepared.push(message)));
  await client.query(`set citus.log_remote_commands = on; set client_min_messages = notice`);
  const [merchant] = cluster.merchants;
  invariant(merchant, 'there is a store');
  const change = `update stores set name = name where store_id = '${merchant.storeId}'`;
  await client.query(`begin; ${change}; update installation set since = since; commit`);
  expect(prepared).toHaveLength(1);
  await client.query(`begin; ${change}; commit`);
  expect(prepared).toHaveLength(1);
  await client.end();
});

test.skipIf(!isConfigured)('a shard that moves under load causes no error, and the new node is learned', async () => {
  const { merchants, nodeOf } = cluster;
  const [merchant] = merchants;
  const to = merchants.map(nodeOf).find((node) => merchant && node !== nodeOf(merchant));
  invariant(merchant && to, 'there are stores on two nodes');
  const sent = await underLoad(cluster, async () => {
    await moveStore(cluster, merchant, to);
    await expect.poll(() => nodeOf(merchant), { timeout: learnedWithinMs }).toBe(to);
  });
  expect(failuresOf(sent)).toEqual([]);
  expect(await lostOrders(cluster, sent)).toEqual([]);
});

test.skipIf(!isConfigured)(
  'a worker that is killed for 12 s loses no acknowledged order, delays no store of another worker, and serves again within 5 s',
  async () => {
    const { merchants, nodeOf } = cluster;
    const [one] = merchants;
    invariant(one, 'there is a store');
    const node = nodeOf(one);
    let killedAt = 0;
    let startedAt = 0;
    const sent = await underLoad(cluster, async () => {
      killedAt = performance.now();
      await killedFor(outageMs, node);
      startedAt = performance.now();
    });
    const others = sent.filter(({ merchant }) => nodeOf(merchant) !== node);
    const before = others.filter((order) => order.startedAt < killedAt);
    const during = others.filter((order) => order.startedAt >= killedAt && order.startedAt < startedAt);
    const failed = during.filter(({ status }) => status !== 200);
    const servedAgainMs = merchants
      .filter((merchant) => nodeOf(merchant) === node)
      .map((merchant) => {
        const first = sent.find(
          (order) => order.merchant === merchant && order.status === 200 && order.startedAt + order.tookMs > startedAt,
        );
        return first === undefined ? Infinity : first.startedAt + first.tookMs - startedAt;
      });
    reportMeasurement({
      what: 'orders of stores on other workers while a worker was killed for 12 s',
      measured:
        `${during.length} orders, ${failed.length} not answered with 200, p99 ${Math.round(p99Of(during))} ms ` +
        `(before ${Math.round(p99Of(before))} ms); its own stores were served ${Math.round(Math.max(...servedAgainMs))} ms after its start`,
      limit: 'none, and 5 s',
    });
    expect(failed).toEqual([]);
    expect(Math.max(...servedAgainMs)).toBeLessThan(5_000);
    expect(await lostOrders(cluster, sent)).toEqual([]);
  },
);

test.skipIf(!isConfigured)('while the coordinator is dead, clicks and postbacks of all stores are answered', async () => {
  const sent = await underLoad(cluster, () => killedFor(outageMs, coordinator));
  expect(failuresOf(sent)).toEqual([]);
  expect(await lostOrders(cluster, sent)).toEqual([]);
});

test.skipIf(!isConfigured)('a coordinator that is killed during changes leaves no change without its audit entry', async () => {
  const { merchants, admin } = cluster;
  const state = { isStopped: false };
  let changes = 0;
  const rename = async ({ api, world }: Merchant): Promise<void> => {
    for (let count = 0; !state.isStopped; count += 1) {
      const name = `Store ${count}`;
      const { status } = await api('PATCH', `/stores/${world.store.id}`, { name });
      if (status === 200) changes += 1;
      else await pause(50);
    }
  };
  const renaming = merchants.map(rename);
  for (let kills = 0; kills < killsMax; kills += 1) {
    await pause(1_000);
    await killedFor(500, coordinator);
  }
  await pause(2_000);
  state.isStopped = true;
  await Promise.all(renaming);
  await admin('select recover_prepared_transactions()');
  const database = testDatabase(cluster.service.databaseUrl);
  for (const { storeId } of merchants) {
    const { name } = await database.one<{ name: string }>(sql`select name from stores where store_id = ${storeId}`);
    const entry = await database.one<{ name: string }>(sql`
      select details ->> 'name' as name from audit_log where store_id = ${storeId} order by audit_entry_id desc limit 1`);
    expect(name).toBe(entry.name);
  }
  await database.end();
  reportMeasurement({
    what: `changes of stores while the coordinator was killed ${killsMax} times`,
    measured: `${changes} committed, each with its audit entry`,
    limit: 'none without',
  });
});

test.skipIf(!isConfigured)('a third worker that is added and filled under load causes no error, and gets its stores', async () => {
  const { merchants, nodeOf } = cluster;
  const [merchant] = merchants;
  invariant(merchant, 'there is a store');
  const sent = await underLoad(cluster, async () => {
    await addSpare(cluster);
    await moveStore(cluster, merchant, spare);
    await expect.poll(() => nodeOf(merchant), { timeout: learnedWithinMs }).toBe(spare);
  });
  expect(failuresOf(sent)).toEqual([]);
  expect(await lostOrders(cluster, sent)).toEqual([]);
});

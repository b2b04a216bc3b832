import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { sql } from '../../src/db/sql.ts';
import { reportMeasurement } from '../support/size.ts';
import {
  addSpare,
  killedFor,
  coordinator,
  failuresOf,
  howToRun,
  isConfigured,
  lostOrders,
  openCluster,
  p99Of,
  spare,
  startLoad,
  type Cluster,
} from './cluster.ts';

// In the order in which they run: each fault leaves the cluster whole.
const clusterTest = test.skipIf(!isConfigured);
const outageMs = 12_000;
const learnedWithinMs = 7_000;

let cluster: Cluster;
beforeAll(async () => {
  if (isConfigured) cluster = await openCluster();
}, 600_000);
afterAll(async () => {
  if (isConfigured) await cluster.close();
});

test.runIf(!isConfigured)(`routing on a cluster is skipped: ${howToRun}`, () => {});

clusterTest('postbacks, clicks, and the look-ups of links run on the node that holds the store', async () => {
  const { merchants, nodeOf } = cluster;
  expect(new Set(merchants.map(nodeOf))).toHaveLength(2);
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

clusterTest('a shard that moves under load causes no error, and the new node is learned', async () => {
  const { merchants, nodeOf, admin } = cluster;
  const [merchant] = merchants;
  invariant(merchant, 'there is a store');
  const from = nodeOf(merchant);
  const to = merchants.map(nodeOf).find((node) => node !== from);
  invariant(to, 'there is another node');
  const load = startLoad(merchants);
  await pause(2_000);
  const [fromHost, fromPort] = from.split(':');
  const [toHost, toPort] = to.split(':');
  await admin(`select citus_move_shard_placement(get_shard_id_for_distribution_column('stores', $1::uuid), $2, $3, $4, $5)`, [
    merchant.storeId,
    fromHost,
    Number(fromPort),
    toHost,
    Number(toPort),
  ]);
  await expect.poll(() => nodeOf(merchant), { timeout: learnedWithinMs }).toBe(to);
  await pause(2_000);
  await load.stop();
  expect(failuresOf(load)).toEqual([]);
  expect(await lostOrders(cluster, load)).toEqual([]);
});

clusterTest(
  'a worker that is killed for 12 s loses no acknowledged order, delays no store of another worker, and serves again within 5 s',
  async () => {
    const { merchants, nodeOf } = cluster;
    const [merchant] = merchants;
    invariant(merchant, 'there is a store');
    const node = nodeOf(merchant);
    const isThere = ({ merchant }: { readonly merchant: (typeof merchants)[number] }) => nodeOf(merchant) === node;
    const load = startLoad(merchants);
    await pause(6_000);
    const before = load.sent.filter((one) => !isThere(one));
    const killedAt = performance.now();
    await killedFor(outageMs, node);
    const startedAt = performance.now();
    await pause(8_000);
    await load.stop();
    const others = load.sent.filter((one) => !isThere(one) && one.startedAt > killedAt);
    const dead = load.sent.filter(isThere);
    const backAfterMs = merchants
      .filter((merchant) => nodeOf(merchant) === node)
      .map((merchant) => {
        const first = dead.find((one) => one.merchant === merchant && one.status === 200 && one.startedAt + one.tookMs > startedAt);
        return (first?.startedAt ?? Infinity) + (first?.tookMs ?? 0) - startedAt;
      });
    reportMeasurement({
      what: 'orders of stores on other workers while a worker was killed for 12 s',
      measured:
        `${others.length} orders, ${others.filter(({ status }) => status !== 200).length} not answered with 200, ` +
        `p99 ${Math.round(p99Of(others))} ms (before ${Math.round(p99Of(before))} ms); its own stores were served again ` +
        `${Math.round(Math.max(...backAfterMs))} ms after its start`,
      limit: 'none, and 5 s',
    });
    expect(others.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...backAfterMs)).toBeLessThan(5_000);
    expect(await lostOrders(cluster, load)).toEqual([]);
  },
);

clusterTest('while the coordinator is dead, postbacks and clicks go on', async () => {
  const { merchants } = cluster;
  const load = startLoad(merchants);
  await pause(2_000);
  await killedFor(outageMs, coordinator);
  await load.stop();
  expect(failuresOf(load)).toEqual([]);
  expect(await lostOrders(cluster, load)).toEqual([]);
});

clusterTest('a third worker that is added and filled under load causes no error, and gets its stores', async () => {
  const { merchants, nodeOf, admin } = cluster;
  const load = startLoad(merchants);
  await addSpare(cluster);
  const [merchant] = merchants;
  invariant(merchant, 'there is a store');
  const [fromHost, fromPort] = nodeOf(merchant).split(':');
  const [toHost, toPort] = spare.split(':');
  await admin(`select citus_move_shard_placement(get_shard_id_for_distribution_column('stores', $1::uuid), $2, $3, $4, $5)`, [
    merchant.storeId,
    fromHost,
    Number(fromPort),
    toHost,
    Number(toPort),
  ]);
  await expect.poll(() => nodeOf(merchant), { timeout: learnedWithinMs }).toBe(spare);
  await pause(2_000);
  await load.stop();
  expect(failuresOf(load)).toEqual([]);
  expect(await lostOrders(cluster, load)).toEqual([]);
});

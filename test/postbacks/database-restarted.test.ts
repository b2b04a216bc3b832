import { afterEach, expect, onTestFinished, test } from 'vitest';
import { signal } from '../../src/embedded-postgres/processes.ts';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import {
  answerMsMax,
  loadedMsMax,
  newWaits,
  recoveryMsMax,
  reportWaits,
  timed,
  untilAccepted,
  type Waits,
} from '../support/database-troubles.ts';
import { freshDatabase, isCluster } from '../support/database.ts';
import { newDataDir, start } from '../support/embedded.ts';
import { startDatabaseProxy, type DatabaseProxy } from '../support/network-proxy.ts';
import { clickIn, merchantIn, visitLink, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { startTestServiceOn } from '../support/service.ts';
import { sizeOf } from '../support/size.ts';

const rounds = sizeOf('databaseOutages');
/** A start of PostgreSQL is more than a broken line: among all other tests it may take its time. */
const testMsMax = rounds * 120_000;
const merchantServers = 6;

let proxy: DatabaseProxy | null = null;
afterEach(async () => {
  await proxy?.close();
  proxy = null;
});

async function merchantOn(databaseUrl: string, throughUrl = databaseUrl): Promise<Merchant> {
  const service = await startTestServiceOn(throughUrl);
  onTestFinished(async () => {
    await proxy?.pass();
    await service.stop();
  });
  return merchantIn({ ...service, databaseUrl }, await service.seed());
}

/** Orders are reported all the while; each answer is 200, or 503 in time. Gives what was not recorded yet. */
async function reportDuring(
  merchant: Merchant,
  trouble: () => Promise<void>,
  { answers }: Waits,
): Promise<readonly (() => Promise<ApiResponse>)[]> {
  const left: (() => Promise<ApiResponse>)[] = [];
  const over = { isSo: false };
  const merchantServer = async (): Promise<void> => {
    while (!over.isSo) {
      const order = await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())).catch(() => 'rmc_none') });
      if (order['click_id'] === 'rmc_none') continue;
      const { result, ms } = await timed(() => merchant.convert(order));
      answers.push(ms);
      expect([200, 503]).toContain(result.status);
      expect(ms).toBeLessThan(answerMsMax);
      if (result.status === 503) expect([result.json.reason, result.headers.get('retry-after')]).toEqual(['temporarily_unavailable', '2']);
      if (result.status === 503) left.push(() => merchant.convert(order));
    }
  };
  await Promise.all([...Array.from({ length: merchantServers }, merchantServer), trouble().finally(() => (over.isSo = true))]);
  return left;
}

async function visits({ service, world }: Merchant, count: number, { redirects }: Waits): Promise<readonly string[]> {
  const clicks: string[] = [];
  for (let visit = 0; visit < count; visit += 1) {
    const { result, ms } = await timed(() => visitLink(service.url, world.link.code));
    expect(result.status).toBe(302);
    expect(ms).toBeLessThan(loadedMsMax);
    redirects.push(ms);
    clicks.push(clickIn(result.headers.get('location')));
  }
  return clicks;
}

async function recovered(merchant: Merchant, left: readonly (() => Promise<ApiResponse>)[], { recoveries }: Waits): Promise<void> {
  const fresh = await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())) });
  const sends = [...left, () => merchant.convert(fresh)];
  const { ms } = await timed(() => Promise.all(sends.map((send) => untilAccepted(send))));
  expect(ms).toBeLessThan(recoveryMsMax);
  recoveries.push(ms);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
}

test(
  'a database that is restarted: only 503 with Retry-After meanwhile, links lead on, and all that was refused is taken after',
  async () => {
    const dataDir = newDataDir();
    const database = await start(dataDir);
    const merchant = await merchantOn(database.url);
    await visitLink(merchant.service.url, merchant.world.link.code);
    const waited = newWaits();
    for (let round = 0; round < rounds; round += 1) {
      const left = await reportDuring(
        merchant,
        async () => {
          const former = database.postmasterPid;
          // As `pg_ctl restart` does: closes all connections.
          signal(former, 'SIGINT');
          await visits(merchant, 5, waited);
          await expect.poll(() => database.postmasterPid, { timeout: 60_000, interval: 20 }).not.toBe(former);
        },
        waited,
      );
      await recovered(merchant, left, waited);
    }
    reportWaits('restarted', rounds, waited);
    await merchant.database.end();
  },
  testMsMax,
);

// In a cluster, postbacks are written on the node of their store, which this proxy is not in front of.
test.skipIf(isCluster)(
  'a database that is full: only 503 with Retry-After for what would be written, links lead on, and their clicks are kept after',
  async () => {
    const { url, database } = await freshDatabase();
    await database.end();
    const full = await startDatabaseProxy(url);
    proxy = full;
    const merchant = await merchantOn(url, full.url);
    await visitLink(merchant.service.url, merchant.world.link.code);
    const waited = newWaits();
    for (let round = 0; round < rounds; round += 1) {
      const clicks: string[] = [];
      await full.fill();
      const left = await reportDuring(merchant, async () => void clicks.push(...(await visits(merchant, 5, waited))), waited);
      invariant(left.length > 0, 'the full disk was met');
      expect((await merchant.convert(await merchant.order({ click_id: clicks[0] }), { authorization: 'Bearer wrong' })).status).toBe(401);
      await full.pass();
      const orders = await Promise.all(clicks.map((click_id) => merchant.order({ click_id })));
      await recovered(merchant, [...left, ...orders.map((order) => () => merchant.convert(order))], waited);
    }
    reportWaits('full', rounds, waited);
  },
  testMsMax,
);

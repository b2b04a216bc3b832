import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { findEmbedded } from '../../src/embedded-postgres/start.ts';
import { processesIn, signal } from '../../src/embedded-postgres/processes.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import { freshDatabase } from '../support/database.ts';
import { newDataDir } from '../support/embedded.ts';
import { besideMain, freePort, startMain, type MainProcess } from '../support/main-process.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { randomFrom, formatSpread, isHard, seed, sizeOf, spreadOf, reportMeasurement } from '../support/size.ts';
import { lostAndDoubled, openLoad, type Load } from './load.ts';

/** The limit on an otherwise idle machine; with other tests running, it may take longer. */
const servingMsMax = { service: isHard ? 2_000 : 25_000, database: isHard ? 5_000 : 20_000 };
const loadMsLeast = 150;
const loadMsMost = 700;
/** A commit that was sent in the last moment may still be running in the server. */
const lastCommitsMs = 500;
const prng = randomFrom(seed);
const aMoment = () => pause(loadMsLeast + prng.below(loadMsMost - loadMsLeast));

async function loadOn(databaseUrl: string, url: string): Promise<{ readonly merchant: Merchant; readonly load: Load }> {
  const service = besideMain(databaseUrl, url);
  const merchant = merchantIn(service, await service.seed());
  const ring = await openKeyRing(service.platform);
  const { code } = merchant.world.link;
  const { linkNumber } = await merchant.database.one<{ linkNumber: bigint }>(sql`select link_number from link_codes where code = ${code}`);
  onTestFinished(async () => {
    ring.close();
    await merchant.database.end();
    await service.stop();
  });
  return { merchant, load: openLoad(merchant, ring, linkNumber) };
}

/** Checks that everything acknowledged exists once and that the books balance. Reports the result. */
async function expectAllKept(merchant: Merchant, load: Load, { kills, of, served, limit }: Judged): Promise<void> {
  await load.sendRest();
  await pause(lastCommitsMs);
  const counts = load.counts();
  const found = await lostAndDoubled(merchant, counts);
  expect({ lost: found.lost, doubled: found.doubled, wrong: counts.wrong }).toEqual({ lost: [], doubled: [], wrong: [] });
  expect([counts.orders.length >= kills, counts.reversals.length > 0, counts.clicks.length > kills]).toEqual([true, true, true]);
  expect(found.countedClicks).toBe(found.clicks);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
  const spread = spreadOf(served);
  reportMeasurement({
    what: `kill -9 of ${of} under load`,
    measured:
      `${kills} kills; acknowledged ${counts.orders.length} orders, ${counts.reversals.length} refunds, ` +
      `${counts.clicks.length} clicks (${counts.lateClicks} more were redirected before their commit): ` +
      `0 lost, 0 doubled, verify clean; serving again ${formatSpread(spread)}`,
    limit: `0 lost, 0 doubled, serving again in ${limit / 1_000} s`,
  });
  expect(spread.max, 'it serves again in time').toBeLessThan(limit);
}
type Judged = { readonly kills: number; readonly of: string; readonly served: readonly number[]; readonly limit: number };

test(
  'kill -9 of the service under load: acknowledged requests are stored once, the rest can be retried, and it serves again in time',
  async () => {
    const { url: databaseUrl, database } = await freshDatabase();
    await database.end();
    const port = await freePort();
    const start = () => startMain(port, { DATABASE_URL: databaseUrl });
    let main: MainProcess = await start();
    onTestFinished(() => main.kill());
    const { merchant, load } = await loadOn(databaseUrl, main.url);
    const kills = sizeOf('killsOfTheService');
    const served: number[] = [];
    for (let count = 0; count < kills; count += 1) {
      await load.during(async () => {
        await aMoment();
        await main.kill();
        const startedAt = performance.now();
        main = await start();
        await load.untilServed();
        served.push(performance.now() - startedAt);
      });
    }
    await expectAllKept(merchant, load, { kills, of: 'the service', served, limit: servingMsMax.service });
  },
  sizeOf('killsOfTheService') * 15_000 + 60_000,
);

test(
  'kill -9 of PostgreSQL and all its children under load: nothing acknowledged is lost or duplicated, and it serves again in time',
  async () => {
    const dataDir = newDataDir();
    const main = await startMain(await freePort(), { DATA_DIR: dataDir });
    onTestFinished(() => main.kill());
    const database = await findEmbedded(dataDir);
    invariant(database !== null, 'the service has started its database');
    const { merchant, load } = await loadOn(database.url, main.url);
    const kills = sizeOf('killsOfTheDatabase');
    const served: number[] = [];
    for (let count = 0; count < kills; count += 1) {
      await load.during(async () => {
        await aMoment();
        for (const id of processesIn(dataDir)) signal(id, 'SIGKILL');
        served.push(await load.untilServed());
      });
    }
    await expectAllKept(merchant, load, { kills, of: 'PostgreSQL and all its children', served, limit: servingMsMax.database });
  },
  sizeOf('killsOfTheDatabase') * 30_000 + 90_000,
);

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readClickId } from '../../src/contract/click-id.ts';
import { clickPartitions } from '../../src/clicks/partitions-sql.ts';
import { insertClicks } from '../../src/clicks/clicks-sql.ts';
import { createNextSigningKey, openKeyRing } from '../../src/clicks/signing-keys.ts';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { barePlatform } from '../support/bare-platform.ts';
import { merchantIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { startTestServiceOn, type TestService } from '../support/service.ts';
import { within } from '../support/size.ts';
import { visit } from '../support/link-visitor.ts';

let merchant: Merchant;
/** Another process on the same database, which receives no notifications. */
let beside: TestService;
beforeAll(async () => {
  merchant = await openMerchant();
  beside = await startTestServiceOn(merchant.service.databaseUrl);
});
afterAll(async () => {
  await beside.stop();
  await merchant.service.stop();
});

const monthOf = (plusMonths: number): string => {
  const now = new Date(merchant.at());
  return `clicks_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + plusMonths, 1)).toISOString().slice(0, 7).replace('-', '_')}`;
};
const inDefault = () => merchant.database.one<{ count: bigint }>(sql`select count(*) as count from only clicks_default`);
const keysMade = () => merchant.database.all<{ signsFrom: Date }>(sql`select signs_from from signing_keys order by signs_from`);

test('the partitions of this month and the next two exist from the start, and after each month', async () => {
  const expected = () => [monthOf(0), monthOf(1), monthOf(2)];
  expect(await clickPartitions(merchant.database)).toEqual(expect.arrayContaining(expected()));
  await merchant.moveClock('40d');
  expect(await clickPartitions(merchant.database)).toEqual(expect.arrayContaining(expected()));
  await merchant.click();
  expect((await inDefault()).count).toBe(0n);
}, 120_000);

test('a click minted by any process right after the clock moved by months is valid in all processes, immediately and later', async () => {
  const elsewhere = merchantIn(beside, merchant.world);
  await merchant.moveClock('70d');
  const here = await merchant.click();
  // The other process receives each step; wait until it has received the last one.
  await expect
    .poll(() => beside.platform.clock.now().getTime())
    .toBeGreaterThan(merchant.service.platform.clock.now().getTime() - minuteMs);
  const there = await elsewhere.click();
  const later = await openKeyRing(merchant.service.platform);
  later.close();
  expect(later.keys().length).toBeGreaterThan(2);
  expect([here, there].map((click) => readClickId(click, later.keys()).is)).toEqual(['genuine', 'genuine']);
  for (const [seller, click_id] of [
    [merchant, there],
    [elsewhere, here],
  ] as const) {
    const { status, json } = await seller.convert(await seller.order({ order_id: `order of ${click_id}`, click_id }));
    expect([status, json.reason]).toEqual([200, 'recorded']);
  }
}, 120_000);

test('while the keys of a new month cannot be read, the redirect adds no click ID, because no store could verify it', async () => {
  const late = await startTestServiceOn(merchant.service.databaseUrl);
  const other = await merchant.database.connect('unbounded');
  const go = () => visit(late.url, `/r/${merchant.world.link.code}`);
  try {
    // Known before, so that nothing but the keys is missing.
    expect((await go()).location).toContain('rm_click=rmc_');
    await merchant.moveClock('40d');
    await expect.poll(() => late.platform.clock.now().getTime()).toBeGreaterThan(Date.parse(merchant.at(-minuteMs)));
    await other.query('begin; lock table signing_keys in access exclusive mode');
    const { status, location, tookMs } = await go();
    expect([status, location?.startsWith(merchant.world.store.site_url), location?.includes('rm_click')]).toEqual([302, true, false]);
    // The sandbox waits for its keys; live it is 40 ms, as with them.
    expect(tookMs).toBeLessThan(within(1_250));
    await other.query('rollback');
    await expect.poll(async () => (await go()).location).toContain('rm_click=rmc_');
    const click_id = await merchantIn(late, merchant.world).click();
    expect((await merchant.convert(await merchant.order({ click_id }))).json.reason).toBe('recorded');
  } finally {
    await other.end();
    await late.stop();
  }
}, 120_000);

test('the keys of a month without a new one are all known, however long the database was away', async () => {
  const { platform, pass, close } = await barePlatform();
  const ring = await openKeyRing(platform);
  const other = await platform.database.connect('unbounded');
  try {
    const now = platform.clock.now();
    await pass(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2) - now.getTime());
    await ring.refresh();
    await other.query('begin; lock table signing_keys in access exclusive mode');
    await pass(20 * dayMs);
    expect(await ring.keysAt(platform.clock.now())).toHaveLength(1);
    await pass(20 * dayMs);
    expect(await ring.keysAt(platform.clock.now())).toBeNull();
    await other.query('rollback');
    await expect.poll(() => ring.keysAt(platform.clock.now())).toHaveLength(1);
  } finally {
    ring.close();
    await other.end();
    await close();
  }
});

test.each([
  ['sandbox', 1],
  ['live', null],
] as const)('keys that are read after a third of a second are waited for in the sandbox alone: %s', async (mode, known) => {
  const { platform, pass, close } = await barePlatform();
  const ring = await openKeyRing({ ...platform, config: { ...platform.config, mode } });
  const other = await platform.database.connect('unbounded');
  try {
    await pass(40 * dayMs);
    await other.query('begin; lock table signing_keys in access exclusive mode');
    const loading = ring.keysAt(platform.clock.now());
    await pause(330);
    await other.query('rollback');
    expect((await loading)?.length ?? null).toBe(known);
  } finally {
    ring.close();
    await other.end();
    await close();
  }
});

test('accepts a click signed by an older key', async () => {
  // From the 20th a new month, and with it a new key, lies within the 29 days.
  const now = new Date(merchant.at());
  const the20th = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 20, 12);
  await merchant.moveClock(`${Math.ceil((the20th - now.getTime()) / minuteMs)}m`);
  const clickedAt = new Date(merchant.at());
  const click_id = await merchant.click();
  await merchant.moveClock('29d');
  const ring = await openKeyRing(merchant.service.platform);
  ring.close();
  const old = ring.keys().filter(({ signsFrom }) => signsFrom <= clickedAt);
  expect([click_id, await merchant.click()].map((click) => readClickId(click, old).is)).toEqual(['genuine', 'forged']);
  const { status, json } = await merchant.convert(await merchant.order({ click_id }));
  expect([status, json.reason]).toEqual([200, 'recorded']);
}, 120_000);

test('a late run of the daily job creates no key that signs for a past day', async () => {
  const before = await keysMade();
  const twoMonthsAgo = new Date(merchant.service.platform.clock.now().getTime() - 62 * dayMs);
  await merchant.database.run(sql`delete from signing_keys where signs_from > ${twoMonthsAgo}`);
  await createNextSigningKey(merchant.service.platform, twoMonthsAgo);
  expect((await keysMade()).every(({ signsFrom }) => signsFrom <= twoMonthsAgo)).toBe(true);
  expect((await keysMade()).length).toBeLessThan(before.length);
});

test('clicks that no rule can need any more go, in their partition or in the one that catches the rest; younger ones stay', async () => {
  const { storeId, database } = merchant;
  const now = new Date(merchant.at());
  const clickAt = (days: number) => ({
    storeId,
    clickId: newId<'click'>(new Date(now.getTime() - days * dayMs)),
    linkNumber: 1n,
    programId: newId<'prog'>(now),
    creatorId: newId<'crt'>(now),
    subId: null,
    referrerHost: null,
    addressHash: Buffer.alloc(16),
  });
  const [old, younger] = [clickAt(800), clickAt(700)];
  await insertClicks(database, [old, younger]);
  const partition = 'clicks_2001_01';
  await database.run(sql`
    create table clicks_2001_01 partition of clicks
    for values from ('00e3f9c7-2c00-0000-0000-000000000000') to ('00e49968-9c00-0000-0000-000000000000')`);
  await merchant.moveClock('1d');
  const kept = await database.all<{ clickId: string }>(sql`
    select click_id from clicks where store_id = ${storeId} and click_id in (${old.clickId}, ${younger.clickId})`);
  expect(kept).toEqual([{ clickId: younger.clickId }]);
  expect(await clickPartitions(database)).not.toContain(partition);
}, 120_000);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readClickId } from '../../../src/contract/click-id.ts';
import { clickPartitions } from '../../../src/clicks/partitions-sql.ts';
import { insertClicks } from '../../../src/clicks/sql.ts';
import { makeNextSigningKey, openKeyRing } from '../../../src/clicks/signing-keys.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { newId } from '../../../src/platform/ids.ts';
import { dayMs, minuteMs } from '../../../src/platform/time.ts';
import { merchantIn, openMerchant, type Merchant } from '../../support/merchant.ts';
import { startTestServiceOn, type TestService } from '../../support/service.ts';

let merchant: Merchant;
/** Another process on the same database, which is told of nothing. */
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

test('the partitions of this month and the next two are there from the start, and after each month that passes', async () => {
  const expected = () => [monthOf(0), monthOf(1), monthOf(2)];
  expect(await clickPartitions(merchant.database)).toEqual(expect.arrayContaining(expected()));
  await merchant.moveClock('40d');
  expect(await clickPartitions(merchant.database)).toEqual(expect.arrayContaining(expected()));
  await merchant.click();
  expect((await inDefault()).count).toBe(0n);
}, 120_000);

test('a click minted by any process right after the clock was moved over months is genuine for all, at once and later', async () => {
  const elsewhere = merchantIn(beside, merchant.world);
  await merchant.moveClock('70d');
  const here = await merchant.click();
  // The other process hears of each step on the way: it must have heard of the last one.
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

test('a click signed by an old key still counts when newer keys sign', async () => {
  const click_id = await merchant.click();
  const before = (await keysMade()).length;
  await merchant.moveClock('29d');
  expect((await keysMade()).length).toBeGreaterThanOrEqual(before);
  const { status, json } = await merchant.convert(await merchant.order({ click_id }));
  expect([status, json.reason]).toEqual([200, 'recorded']);
}, 120_000);

test('a night that is caught up on late makes no key that signs from a day in the past', async () => {
  const before = await keysMade();
  const twoMonthsAgo = new Date(merchant.service.platform.clock.now().getTime() - 62 * dayMs);
  await merchant.database.run(sql`delete from signing_keys where signs_from > ${twoMonthsAgo}`);
  await makeNextSigningKey(merchant.service.platform, twoMonthsAgo);
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

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { storeParty } from '../../src/people/party.ts';
import { insertRole } from '../../src/people/team-sql.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import type { Clock } from '../../src/core/time.ts';
import { followLog } from '../../src/tracking/follow-log.ts';
import { feedsPerStoreMax } from '../../src/tracking/log-api.ts';
import { merchantIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { sessionHeaders, createPerson } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const operator = ({ world }: Merchant) => ({ authorization: `Bearer ${world.operator_key}` });
const openFeed = ({ service, world }: Merchant, headers: Readonly<Record<string, string>>, signal: AbortSignal | null = null) =>
  fetch(`${service.url}/api/v1/stores/${world.store.id}/tracking-log/stream`, { headers, signal });
const refused = async (own: Merchant, order_id: string): Promise<string> => {
  await own.convert(await own.order({ order_id, click_id: null }));
  return order_id;
};

type Followed = { readonly next: () => Promise<string>; readonly end: () => Promise<unknown> };

type Parts = { readonly mayContinue: () => Promise<boolean>; readonly database: Database; readonly clock: Clock };

/** The subjects of its entries, in order. Reads the next entry only on demand, as a slow browser does. */
function followed({ service, storeId }: Merchant, parts: Partial<Parts> = {}): Followed {
  const { mayContinue = async () => true, database = service.platform.database, clock = service.platform.clock } = parts;
  const lines = followLog({ platform: { database, clock }, storeId, mayContinue, disconnected: new AbortController().signal });
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) return feedEnded;
    return value === 'heartbeat' ? next() : (value.subject ?? '');
  };
  return { next, end: () => lines.return(null) };
}
const feedEnded = 'the feed has ended';

/** Entries with one time, as from a store that reports all orders of a day at once. */
async function manyLines({ database, storeId }: Merchant, count: number): Promise<void> {
  await database.run(sql`
    insert into postback_log
    select (jsonb_populate_record(line, jsonb_build_object('subject', 'many ' || place,
      'postback_id', (left(postback_id::text, 19) || '8fff-' || lpad(to_hex(place), 12, '0'))::uuid))).*
    from (select line, postback_id from postback_log line where store_id = ${storeId} order by postback_id desc limit 1) as newest,
      generate_series(1, ${count}::int) as place`);
}

/** As a process would leave it whose clock shows that time. */
async function lineAt({ database, storeId }: Merchant, at: Date, subject: string): Promise<void> {
  await database.run(sql`
    insert into postback_log
    select (jsonb_populate_record(line, jsonb_build_object('subject', ${subject}::text, 'postback_id', ${newId(at)}::uuid))).*
    from postback_log line where store_id = ${storeId} order by postback_id desc limit 1`);
}

test('a feed that paused, or whose clock was moved, sends every entry once', async () => {
  const own = await fresh();
  const { next, end } = followed(own);
  const first = next();
  // It follows from now on: what comes must come after it began.
  await pause(50);
  const expected = [await refused(own, 'A-1')];
  const received = [await first];
  for (const order_id of ['A-2', 'A-3']) expected.push(await refused(own, order_id));
  await pause(6_000);
  for (const order_id of ['A-4', 'A-5']) expected.push(await refused(own, order_id));
  await own.moveClock('1h');
  expected.push(await refused(own, 'A-6'));
  while (received.length < expected.length) received.push(await next());
  await refused(own, 'last');
  received.push(await next());
  expect(received).toEqual([...expected, 'last']);
  await end();
}, 60_000);

test('sends a thousand entries of the same time, each once', async () => {
  const own = await fresh();
  const { next, end } = followed(own);
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await manyLines(own, 1_000);
  const received = [await first];
  while (received.length < 1_001) received.push(await next());
  await refused(own, 'last');
  expect([...received.toSorted(), await next()]).toEqual([
    ...['first', ...Array.from({ length: 1_000 }, (_, place) => `many ${place + 1}`)].toSorted(),
    'last',
  ]);
  await end();
}, 60_000);

test('ends a feed within seconds after its key is revoked or its member removed', async () => {
  const own = await fresh();
  const newKey = { party: storeParty(own.storeId), name: 'Reader', scopes: ['store:read'] as const, madeBy: null };
  const { apiKeyId, key } = await createApiKey(own.database, newKey);
  const person = await createPerson(own.service);
  const { userId } = await own.database.one<{ userId: Id<'user'> }>(sql`select user_id from users where email = ${person.email}`);
  await insertRole(own.database, { userId, storeId: own.storeId, role: 'viewer', now: new Date() });
  const feeds = await Promise.all([
    openFeed(own, { authorization: `Bearer ${key}` }),
    openFeed(own, await sessionHeaders(own.service, person)),
  ]);
  const stays = new AbortController();
  const staying = await openFeed(own, operator(own), stays.signal);
  expect([...feeds, staying].map(({ status }) => status)).toEqual([200, 200, 200]);
  const ended = Promise.all(feeds.map((feed) => feed.text()));
  await refused(own, 'before');
  // Both have received it by then.
  await pause(1_500);
  expect((await own.api('DELETE', `/stores/${own.world.store.id}/api-keys/${publicId('key', apiKeyId)}`)).status).toBe(204);
  await own.database.run(sql`delete from store_roles where user_id = ${userId}`);
  const texts = await Promise.race([ended, pause(8_000)]);
  expect(texts?.map((text) => text.includes('"subject":"before"'))).toEqual([true, true]);
  stays.abort();
}, 60_000);

test('limits concurrent feeds of a store, and accepts another one when one ends', async () => {
  const own = await fresh();
  const ends = Array.from({ length: feedsPerStoreMax + 2 }, () => new AbortController());
  const open = async (place: number) => openFeed(own, operator(own), ends[place]?.signal ?? null);
  const answers = await Promise.all(Array.from({ length: feedsPerStoreMax }, (_, place) => open(place)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const tooMany = await open(feedsPerStoreMax);
  expect([tooMany.status, tooMany.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await tooMany.json()).toMatchObject({ ok: false, reason: 'too_many_requests' });
  const other = await fresh();
  const another = await openFeed(other, operator(other), ends.at(-1)?.signal ?? null);
  expect(another.status).toBe(200);
  ends[0]?.abort();
  await expect.poll(async () => (await open(feedsPerStoreMax)).status, { timeout: 20_000, interval: 500 }).toBe(200);
  for (const end of ends) end.abort();
}, 60_000);

test('reads an entry once, however often the feed polls', async () => {
  const own = await fresh();
  const { database } = own.service.platform;
  let rowsRead = 0;
  const counted: Database = {
    ...database,
    async all(query) {
      const rows = await database.all<never>(query);
      rowsRead += rows.length;
      return rows;
    },
  };
  const { next, end } = followed(own, { database: counted });
  const first = next();
  await pause(50);
  await refused(own, 'first');
  const received = [await first];
  await manyLines(own, 20);
  while (received.length < 21) received.push(await next());
  const last = next();
  await pause(4_000);
  await refused(own, 'last');
  expect(await last).toBe('last');
  expect(rowsRead).toBe(22);
  await end();
}, 60_000);

test('sends entries of a process whose clock is eight seconds behind, and none from before the feed', async () => {
  const own = await fresh();
  await refused(own, 'before');
  const { next, end } = followed(own);
  const first = next();
  await pause(50);
  await lineAt(own, new Date(Date.parse(own.at()) - 8_000), 'behind');
  expect(await first).toBe('behind');
  const second = next();
  await pause(7_000);
  await lineAt(own, new Date(Date.parse(own.at()) - 8_000), 'behind again');
  expect(await second).toBe('behind again');
  await end();
}, 60_000);

test('repeats and misses no entry after a clock is set back by 30 seconds', async () => {
  const own = await fresh();
  let setBackMs = 0;
  const { clock: real } = own.service.platform;
  const clock: Clock = { ...real, now: () => new Date(real.now().getTime() - setBackMs) };
  const { next, end } = followed(own, { clock });
  const first = next();
  await pause(50);
  await refused(own, 'first');
  const received = [await first];
  const second = next();
  // By then it reads from behind the first line on.
  await pause(17_000);
  setBackMs = 30_000;
  await pause(1_000);
  await lineAt(own, clock.now(), 'second');
  received.push(await second);
  await refused(own, 'last');
  received.push(await next());
  expect(received).toEqual(['first', 'second', 'last']);
  await end();
}, 60_000);

test('ends a feed that would have to remember too many entries', async () => {
  const own = await fresh();
  const { next } = followed(own);
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await first;
  await manyLines(own, 11_000);
  let received = 0;
  while ((await next()) !== feedEnded) received += 1;
  expect(received).toBeGreaterThan(9_000);
  expect(received).toBeLessThan(10_400);
}, 60_000);

test('ends a feed earlier if many feeds are open, and remembers no more entries in total', async () => {
  const own = await fresh();
  const other = await fresh();
  const openFeeds = 99;
  const others = Array.from({ length: openFeeds }, () => followed(other));
  const firstOfOthers = others.map(({ next }) => next());
  const { next } = followed(own);
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await first;
  await manyLines(own, 6_000);
  let received = 0;
  while ((await next()) !== feedEnded) received += 1;
  expect(received).toBeGreaterThan(4_500);
  expect(received * (openFeeds + 1)).toBeLessThanOrEqual(500_000);
  await refused(other, 'others');
  expect(new Set(await Promise.all(firstOfOthers))).toEqual(new Set(['others']));
  await Promise.all(others.map(({ end }) => end()));
}, 60_000);

test('holds few entries with their bodies for a slow reader', async () => {
  const own = await fresh();
  const { database } = own.service.platform;
  const rowsRead: number[] = [];
  const counted: Database = {
    ...database,
    async all(query) {
      const rows = await database.all<never>(query);
      rowsRead.push(rows.length);
      return rows;
    },
  };
  const { next, end } = followed(own, { database: counted });
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await first;
  await manyLines(own, 150);
  for (let received = 0; received < 150; received += 1) await next();
  expect(Math.max(...rowsRead)).toBeLessThanOrEqual(20);
  await end();
}, 60_000);

test('sends nothing more to a slow reader that has lost access', async () => {
  const own = await fresh();
  let may = true;
  const { next } = followed(own, { mayContinue: async () => may });
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await first;
  await manyLines(own, 150);
  expect(await next()).toContain('many');
  may = false;
  await pause(3_200);
  expect(await next()).toBe(feedEnded);
}, 60_000);

test('a HEAD request uses none of the feed limit', async () => {
  const own = await fresh();
  const url = `${own.service.url}/api/v1/stores/${own.world.store.id}/tracking-log/stream`;
  for (let newKey = 0; newKey < feedsPerStoreMax; newKey++) {
    expect((await fetch(url, { method: 'HEAD', headers: operator(own) })).status).toBe(200);
  }
  const stopping = new AbortController();
  await expect.poll(async () => (await openFeed(own, operator(own), stopping.signal)).status).toBe(200);
  stopping.abort();
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { storeParty } from '../../src/people/party.ts';
import { insertRole } from '../../src/people/team-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { publicId, type Id } from '../../src/platform/ids.ts';
import { must } from '../../src/platform/must.ts';
import { follow } from '../../src/tracking/follow.ts';
import { feedsOfStoreMax } from '../../src/tracking/places.ts';
import { merchantIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { headersOf, personIn } from '../support/portal.ts';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
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

/** The subjects of its lines, one after the other; nothing goes on while nobody asks for the next, as with a browser that is slow. */
function followed({ service, storeId }: Merchant): Followed {
  const lines = follow({ platform: service.platform, storeId, mayGoOn: async () => true, gone: new AbortController().signal });
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    must(done !== true, 'it goes on');
    return value === 'still here' ? next() : (value.subject ?? '');
  };
  return { next, end: () => lines.return(null) };
}

/** Rows of one moment, as a shop that reports a night's orders leaves them. */
async function manyLines({ database, storeId }: Merchant, count: number): Promise<void> {
  await database.run(sql`
    insert into postback_log
    select (jsonb_populate_record(line, jsonb_build_object('subject', 'many ' || place,
      'postback_id', (left(postback_id::text, 19) || '8fff-' || lpad(to_hex(place), 12, '0'))::uuid))).*
    from (select line, postback_id from postback_log line where store_id = ${storeId} order by postback_id desc limit 1) as newest,
      generate_series(1, ${count}::int) as place`);
}

test('a feed that stood still, or whose clock was moved meanwhile, tells every line all the same, each once', async () => {
  const own = await fresh();
  const { next, end } = followed(own);
  const first = next();
  // It follows from now on: what comes must come after it began.
  await pause(50);
  const told = [await refused(own, 'A-1')];
  const heard = [await first];
  for (const order_id of ['A-2', 'A-3']) told.push(await refused(own, order_id));
  await pause(6_000);
  for (const order_id of ['A-4', 'A-5']) told.push(await refused(own, order_id));
  await own.moveClock('1h');
  told.push(await refused(own, 'A-6'));
  while (heard.length < told.length) heard.push(await next());
  await refused(own, 'last');
  heard.push(await next());
  expect(heard).toEqual([...told, 'last']);
  await end();
}, 60_000);

test('a thousand lines of one moment are all told, each once', async () => {
  const own = await fresh();
  const { next, end } = followed(own);
  const first = next();
  await pause(50);
  await refused(own, 'first');
  await manyLines(own, 1_000);
  const heard = [await first];
  while (heard.length < 1_001) heard.push(await next());
  await refused(own, 'last');
  expect([...heard.toSorted(), await next()]).toEqual([
    ...['first', ...Array.from({ length: 1_000 }, (_, place) => `many ${place + 1}`)].toSorted(),
    'last',
  ]);
  await end();
}, 60_000);

test('whose key was revoked, and who is no member any more, is told nothing further: the feed ends within seconds', async () => {
  const own = await fresh();
  const asked = { party: storeParty(own.storeId), name: 'Reader', scopes: ['store:read'] as const, madeBy: null };
  const { apiKeyId, key } = await createApiKey(own.database, asked);
  const person = await personIn(own.service);
  const { userId } = await own.database.one<{ userId: Id<'user'> }>(sql`select user_id from users where email = ${person.email}`);
  await insertRole(own.database, { userId, storeId: own.storeId, role: 'viewer', now: new Date() });
  const feeds = await Promise.all([openFeed(own, { authorization: `Bearer ${key}` }), openFeed(own, await headersOf(own.service, person))]);
  const stays = new AbortController();
  const staying = await openFeed(own, operator(own), stays.signal);
  expect([...feeds, staying].map(({ status }) => status)).toEqual([200, 200, 200]);
  const ended = Promise.all(feeds.map((feed) => feed.text()));
  await refused(own, 'before');
  // Both have heard it by then.
  await pause(1_500);
  expect((await own.api('DELETE', `/stores/${own.world.store.id}/api-keys/${publicId('key', apiKeyId)}`)).status).toBe(204);
  await own.database.run(sql`delete from store_roles where user_id = ${userId}`);
  const texts = await Promise.race([ended, pause(8_000)]);
  expect(texts?.map((text) => text.includes('"subject":"before"'))).toEqual([true, true]);
  stays.abort();
}, 60_000);

test('a store has so many feeds at once and no more: whoever comes then is told to wait, and has a place when one is free', async () => {
  const own = await fresh();
  const ends = Array.from({ length: feedsOfStoreMax + 2 }, () => new AbortController());
  const open = async (place: number) => openFeed(own, operator(own), ends[place]?.signal ?? null);
  const answers = await Promise.all(Array.from({ length: feedsOfStoreMax }, (_, place) => open(place)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const tooMany = await open(feedsOfStoreMax);
  expect([tooMany.status, tooMany.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await tooMany.json()).toMatchObject({ ok: false, reason: 'too_many_requests' });
  const other = await fresh();
  const another = await openFeed(other, operator(other), ends.at(-1)?.signal ?? null);
  expect(another.status).toBe(200);
  ends[0]?.abort();
  await expect.poll(async () => (await open(feedsOfStoreMax)).status, { timeout: 20_000, interval: 500 }).toBe(200);
  for (const end of ends) end.abort();
}, 60_000);

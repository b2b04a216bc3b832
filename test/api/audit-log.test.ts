import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { orderOf } from '../../src/db/list-order.ts';
import { actionsOfArea } from '../../src/people/audit-actions.ts';
import { auditSorts, listAuditEntries, type AuditFilter } from '../../src/people/audit-sql.ts';
import { dayMs } from '../../src/core/time.ts';
import { isCluster } from '../support/database.ts';
import { explainQuery } from '../support/explained.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { signIn } from '../support/portal.ts';
import { readSortedPages } from '../support/sorted-pages.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const store = `/stores/${merchant.world.store.id}`;
const program = `${store}/programs/${merchant.world.program.id}`;

const send = async (method: string, path: string, body?: object): Promise<Json> =>
  expectSuccess(await merchant.api(method, path, body)).json;
const newestOf = async (path: string): Promise<Json> => (await send('GET', `${path}?limit=1`)).data[0];

const theStore = () => ({ type: 'store', id: merchant.world.store.id, name: expect.any(String) });
const theProgram = () => ({ type: 'program', id: merchant.world.program.id, name: 'Friends of the shop' });
const theCreator = () => ({ type: 'creator', id: merchant.world.creator.id, name: 'Cora Creator' });

test('an entry names the objects of its path and its input, in the log of the store and of the installation', async () => {
  await send('POST', `${program}/links`, { creator_id: merchant.world.creator.id });
  const objects = [theStore(), theProgram(), theCreator()];
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({ action: 'link.create', objects });
  expect(await newestOf('/audit-log')).toMatchObject({ action: 'link.create', objects });
});

test('a membership is shown as its creator, a group by its name, and a commission by its order', async () => {
  const group = await send('POST', `${program}/groups`, { name: 'Podcasts' });
  const [member] = (await send('GET', `${program}/members`)).data;
  await send('PUT', `${program}/members/${member.id}/group`, { group_id: group.id });
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({
    objects: [theStore(), theProgram(), theCreator(), { type: 'group', id: group.id, name: 'Podcasts' }],
  });
  const order = await merchant.order();
  await merchant.convert(order);
  const [commission] = (await send('GET', `${store}/commissions?order_id=${order.order_id}`)).data;
  await send('POST', `${store}/commissions/approve`, { ids: [commission.id] });
  expect(await newestOf(`${store}/audit-log`)).toMatchObject({
    objects: [theStore(), { type: 'commission', id: commission.id, name: order.order_id }],
  });
});

test('names are the present ones, also in earlier entries', async () => {
  const group = await send('POST', `${program}/groups`, { name: 'Videos' });
  await send('PATCH', `${program}/groups/${group.id}`, { name: 'Films' });
  const { data: entries } = await send('GET', `${store}/audit-log?limit=2`);
  const objects = [theStore(), theProgram(), { type: 'group', id: group.id, name: 'Films' }];
  expect(entries).toMatchObject([
    { action: 'group.rename', objects },
    { action: 'group.create', objects },
  ]);
});

test('the ID of an object of others in a text of a request names nothing', async () => {
  const other = merchant.world.other_store.id;
  const users = (await send('GET', `${store}/team`)).data.map(({ user_id: id }: Json) => id);
  for (const name of [other, merchant.world.creator.id, ...users]) {
    await send('PATCH', program, { name });
    const { objects } = await newestOf(`${store}/audit-log`);
    expect(objects).toEqual([theStore(), { ...theProgram(), name }]);
  }
  await send('PATCH', program, { name: 'Friends of the shop' });
});

test('the history of a creator names the objects as the audit log does', async () => {
  await send('POST', `${store}/creators/${merchant.world.creator.id}/notes`, { text: 'Agreed on 12% in May.' });
  const [entry] = (await send('GET', `${store}/creators/${merchant.world.creator.id}/history?limit=1`)).data;
  expect(entry).toMatchObject({ action: 'creator_note.add', objects: [theStore(), theCreator()] });
});

const logs = () => [`${store}/audit-log`, '/audit-log'];
const read = (path: string, sort = '-at', limit = 200) => readSortedPages(merchant.api, path, sort, limit);

test('the log is filtered by person, by area, and by action, for a store and for the installation', async () => {
  const owner = await signIn(merchant.service, merchant.world.logins.merchant);
  expectSuccess(await owner('POST', `${program}/groups`, { name: 'Newsletters' }));
  await send('POST', `${store}/creators/${merchant.world.creator.id}/notes`, { text: 'Called on Monday.' });
  for (const path of logs()) {
    const all = await read(path);
    const { actor } = all.find(({ action, details }) => action === 'group.create' && details.name === 'Newsletters');
    for (const [query, isListed] of [
      [`actor=${actor}`, (entry: Json) => entry.actor === actor],
      ['area=programs', ({ action }: Json) => actionsOfArea('programs').includes(action)],
      ['action=group.create', ({ action }: Json) => action === 'group.create'],
      ['action=group.create&area=programs', ({ action }: Json) => action === 'group.create'],
      [`actor=${actor}&area=programs`, (entry: Json) => entry.actor === actor && actionsOfArea('programs').includes(entry.action)],
    ] as const) {
      const expected = all.filter(isListed);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      expect(await read(`${path}?${query}`)).toEqual(expected);
      // An area is merged from its actions, so its pages must neither repeat nor skip an entry.
      expect(await read(`${path}?${query}`, '-at', 1)).toEqual(expected);
      expect(await read(`${path}?${query}`, 'at', 2)).toEqual(expected.toReversed());
    }
    expect(await read(`${path}?action=group.create&area=billing`)).toEqual([]);
    expect(await read(`${path}?actor=user_unknown`)).toEqual([]);
  }
});

test('the log is filtered by time, alone and with an area', async () => {
  for (const path of logs()) {
    const all = await read(path);
    const ofArea = all.filter(({ action }) => actionsOfArea('programs').includes(action));
    const { at } = ofArea[Math.floor(ofArea.length / 2)];
    const time = encodeURIComponent(at);
    const [earlier, later] = [(entry: Json) => entry.at < at, (entry: Json) => entry.at >= at];
    expect(await read(`${path}?from=${time}`)).toEqual(all.filter(later));
    expect(await read(`${path}?to=${time}`)).toEqual(all.filter(earlier));
    expect(await read(`${path}?area=programs&from=${time}`)).toEqual(ofArea.filter(later));
    expect(await read(`${path}?area=programs&to=${time}`, 'at', 1)).toEqual(ofArea.filter(earlier).toReversed());
    expect(await read(`${path}?to=1900-01-01T00:00:00Z`)).toEqual([]);
  }
  expect(await merchant.api('GET', `${store}/audit-log?from=monday`)).toMatchObject({ status: 400, json: { errors: [{ field: 'from' }] } });
  expect(await merchant.api('GET', `${store}/audit-log?area=weather`)).toMatchObject({
    status: 400,
    json: { errors: [{ field: 'area' }] },
  });
});

test.skipIf(isCluster)('among fifty thousand entries, a filter reads about as many rows as it shows', async () => {
  const since = new Date(Date.parse(merchant.at()) - 300 * dayMs);
  await merchant.database.run(sql`
    insert into audit_log (audit_entry_id, at, actor, actor_name, store_id, action, subject, details, request_id)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(place::text), 1, 15))::uuid, at,
      'user_' || place % 500, 'Person', case when place % 2 = 0 then ${merchant.storeId}::uuid end,
      case place % 100 when 0 then 'store.change' when 1 then 'store.change' else 'session.proved' end, '', '{}', 'request'
    from generate_series(1, 50000) as place
    cross join lateral (select ${since}::timestamptz + make_interval(mins => place) as at) as times`);
  await merchant.database.run(sql`analyze audit_log`);
  const anyEntry: AuditFilter = { actor: null, actions: null, from: null, to: null };
  const readRows = async (storeId: typeof merchant.storeId | null, filter: Partial<AuditFilter>, sort: string) => {
    const page = { after: null, limit: 20, order: orderOf(auditSorts, sort) };
    const { scans } = await explainQuery(merchant.database, (db) => listAuditEntries(db, storeId, { ...anyEntry, ...filter }, page));
    const used = scans.filter(({ index }) => index !== 'none' || scans.length === 1);
    return used.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  const range = { from: new Date(since.getTime() + 20 * dayMs), to: new Date(since.getTime() + 25 * dayMs) };
  for (const storeId of [merchant.storeId, null])
    for (const sort of ['at', '-at'])
      for (const filter of [
        {},
        { actor: 'user_2' },
        { actions: actionsOfArea('store') },
        range,
        { actions: actionsOfArea('store'), ...range },
      ])
        expect(await readRows(storeId, filter, sort)).toBeLessThanOrEqual(120);
});

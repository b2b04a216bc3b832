import { afterAll, beforeEach, expect, test } from 'vitest';
import { locateLinks, resolveLinks } from '../../src/creators/resolve-links-sql.ts';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

let store: Json;
let path: string;
let creator: Json;

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
beforeEach(async () => {
  app.moveTo(new Date('2026-03-01T12:00:00.000Z'));
  store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://www.shop.example' })).json;
  const program = (await alice('POST', `/stores/${store.id}/programs`, { name: 'Friends', landing_url: 'https://shop.example/hello' }))
    .json;
  path = `/stores/${store.id}/programs/${program.id}`;
  creator = (await app.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example' })).json;
});

const join = async (): Promise<Json> => (await alice('POST', `${path}/members`, { creator_id: creator.id })).json;
const setStatus = (member: Json, status: string) => alice('PATCH', `${path}/members/${member.id}`, { status });
const link = (body: object = {}) => alice('POST', `${path}/links`, { creator_id: creator.id, ...body });
const resolvedLink = async (code: string) => {
  const { database } = app.platform;
  return (await resolveLinks(database, [...(await locateLinks(database, [code])).values()])).get(code);
};
/** An id of the right length that does not exist. */
const nobodys = (id: string) => `${id.slice(0, -6)}000000`;

test('a creator added by the merchant is an approved member immediately', async () => {
  const { status, json } = await alice('POST', `${path}/members`, { creator_id: creator.id });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
    program_id: path.split('/').at(-1),
    creator_id: creator.id,
    creator_name: 'Cora',
    status: 'approved',
    since: '2026-03-01T12:00:00.000Z',
    left_at: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect((await alice('GET', `${path}/members`)).json).toEqual({ data: [json], next_cursor: null });
});

test('a creator is a member once, also with ten concurrent requests: 409', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => alice('POST', `${path}/members`, { creator_id: creator.id })));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status, json }) => status === 409 && json.reason === 'conflict')).toHaveLength(9);
  await setStatus((await alice('GET', `${path}/members`)).json.data[0], 'removed');
  expect((await alice('POST', `${path}/members`, { creator_id: creator.id })).status).toBe(409);
});

test('an unknown creator is 404, whatever the id looks like', async () => {
  for (const id of [nobodys(creator.id), creator.id.toUpperCase(), store.id, 'x', '']) {
    expect((await alice('POST', `${path}/members`, { creator_id: id })).json).toMatchObject({ ok: false, reason: 'not_found' });
  }
});

test.each([[{}], [{ creator_id: 7 }], [{ creator_id: 'x'.repeat(41) }], [{ creator_id: 'x', status: 'approved' }]])(
  'rejects %j as a new member: 400',
  async (body) => {
    expect(await alice('POST', `${path}/members`, body)).toMatchObject({ status: 400, json: { reason: 'invalid_request' } });
  },
);

test('a member is paused, removed, and approved again; repeating a status changes nothing', async () => {
  const member = await join();
  app.moveTo(new Date('2026-03-02T00:00:00.000Z'));
  const paused = { ...member, status: 'paused', since: '2026-03-02T00:00:00.000Z' };
  expect(await setStatus(member, 'paused')).toMatchObject({ status: 200, json: paused });
  app.moveTo(new Date('2026-03-03T00:00:00.000Z'));
  expect((await setStatus(member, 'paused')).json).toEqual(paused);
  expect((await setStatus(member, 'removed')).json.status).toBe('removed');
  expect(await setStatus(member, 'paused')).toMatchObject({ status: 409, json: { reason: 'conflict' } });
  expect((await setStatus(member, 'approved')).json).toEqual({ ...member, since: '2026-03-03T00:00:00.000Z' });
});

test.each([[{ status: 'applied' }], [{ status: 'gone' }], [{}]])('rejects %j as a member status: 400', async (body) => {
  expect((await alice('PATCH', `${path}/members/${(await join()).id}`, body)).status).toBe(400);
});

test('lists members newest first, page by page', async () => {
  const made: string[] = [];
  for (let hour = 1; hour <= 3; hour++) {
    app.moveTo(new Date(Date.UTC(2026, 2, 2, hour)));
    creator = (await app.operator('POST', '/creators', { name: `Cora ${hour}`, email: 'cora@people.example' })).json;
    made.unshift((await join()).creator_name);
  }
  const first = (await alice('GET', `${path}/members?limit=2`)).json;
  const second = (await alice('GET', `${path}/members?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...second.data].map(({ creator_name }: Json) => creator_name)).toEqual(made);
  expect(second.next_cursor).toBeNull();
});

test('a link has a readable code and a URL on our host', async () => {
  const member = await join();
  const { status, json } = await link();
  expect(status).toBe(201);
  expect(json).toEqual({
    code: expect.stringMatching(/^[2-9a-hjkmnp-z]{10}$/),
    url: `https://tributary.example/r/${json.code}`,
    program_id: path.split('/').at(-1),
    member_id: member.id,
    creator_id: creator.id,
    destination_url: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect((await alice('GET', `${path}/links`)).json).toEqual({ data: [json], next_cursor: null });
});

test('a link keeps the requested code and destination', async () => {
  await join();
  const wanted = { code: `Cora_${Date.now()}-X`, destination_url: 'https://de.shop.example/mugs?x=1#top' };
  expect(await link(wanted)).toMatchObject({ status: 201, json: wanted });
});

test('a code belongs to one link across all stores, also with ten concurrent requests: 409', async () => {
  await join();
  const code = `same${Date.now()}`;
  const responses = await Promise.all(Array.from({ length: 10 }, () => link({ code })));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status, json }) => status === 409 && json.reason === 'conflict')).toHaveLength(9);

  const bob = await app.person();
  const other = (await bob('POST', '/stores', { name: 'Other', site_url: 'https://other.example' })).json;
  const program = (await bob('POST', `/stores/${other.id}/programs`, { name: 'P', landing_url: 'https://other.example' })).json;
  const otherPath = `/stores/${other.id}/programs/${program.id}`;
  await bob('POST', `${otherPath}/members`, { creator_id: creator.id });
  expect((await bob('POST', `${otherPath}/links`, { creator_id: creator.id, code })).status).toBe(409);
  expect((await bob('POST', `${otherPath}/links`, { creator_id: creator.id, code: code.toUpperCase() })).status).toBe(201);
});

test.each<[field: string, body: object]>([
  ['code', { code: 'ab' }],
  ['code', { code: 'a'.repeat(65) }],
  ['code', { code: 'a/b' }],
  ['code', { code: 'über' }],
  ['code', { code: 'abc\n' }],
  ['destination_url', { destination_url: '' }],
  ['destination_url', { destination_url: `https://shop.example/${'x'.repeat(2_000)}` }],
  ['creator_id', { creator_id: 7 }],
  ['link_number', { link_number: 1 }],
])('a link with a wrong %s is 400 and names it: %#', async (field, body) => {
  await join();
  const { status, json } = await link(body);
  expect(status).toBe(400);
  expect(json.errors.map((problem: Json) => problem.field)).toContain(field);
});

test.each([
  ['https://evil.example'],
  ['https://shop.example.evil.example'],
  ['//shop.example'],
  ['https://me@shop.example'],
  ['javascript:alert(1)'],
])('a link that leads away from the store is 422: %s', async (destination_url) => {
  await join();
  const { status, json } = await link({ destination_url });
  expect([status, json.reason, json.errors[0].field]).toEqual([422, 'unprocessable', 'destination_url']);
  expect((await alice('GET', `${path}/links`)).json.data).toEqual([]);
});

test('only an approved member gets a link; a non-member and an unknown creator get the same rejection', async () => {
  const stranger = await link();
  expect(stranger).toMatchObject({ status: 422, json: { reason: 'unprocessable', errors: [{ field: 'creator_id' }] } });
  for (const creator_id of [nobodys(creator.id), 'x']) expect((await link({ creator_id })).text).toBe(stranger.text);
  const member = await join();
  await setStatus(member, 'paused');
  expect((await link()).text).toBe(stranger.text);
});

test('lists links newest first, page by page, also links with the same time', async () => {
  await join();
  const made: string[] = [];
  for (let hour = 1; hour <= 2; hour++) {
    app.moveTo(new Date(Date.UTC(2026, 2, 2, hour)));
    const codes = [];
    for (let count = 0; count < 6; count++) codes.push((await link()).json.code);
    made.unshift(...codes.sort().reverse());
  }
  const codes: string[] = [];
  let cursor: string | null = null;
  do {
    const { json }: Json = await alice('GET', `${path}/links?limit=4${cursor === null ? '' : `&cursor=${cursor}`}`);
    codes.push(...json.data.map(({ code }: Json) => code));
    cursor = json.next_cursor;
  } while (cursor !== null);
  expect(codes).toEqual(made);
});

test('the same Idempotency-Key creates one link and one member', async () => {
  const headers = { 'idempotency-key': path };
  const member = await alice('POST', `${path}/members`, { creator_id: creator.id }, headers);
  expect((await alice('POST', `${path}/members`, { creator_id: creator.id }, headers)).text).toBe(member.text);
  const linkHeaders = { 'idempotency-key': `${path}/links` };
  const first = await alice('POST', `${path}/links`, { creator_id: creator.id }, linkHeaders);
  expect((await alice('POST', `${path}/links`, { creator_id: creator.id }, linkHeaders)).text).toBe(first.text);
  expect((await alice('GET', `${path}/links`)).json.data).toHaveLength(1);
});

test('a visit resolves a link by its code: its owner, its destination, and whether it earns', async () => {
  const member = await join();
  const { json } = await link();
  const storeId = readPublicId('store', store.id);
  invariant(storeId !== null, 'a store has an id');
  const found = () => resolvedLink(json.code);
  expect(await found()).toEqual({
    code: json.code,
    storeId,
    linkNumber: expect.any(BigInt),
    programId: readPublicId('prog', json.program_id),
    creatorId: readPublicId('crt', creator.id),
    destination: 'https://shop.example/hello',
    earns: false, // a draft
  });
  expect((await found())?.linkNumber).toBeGreaterThan(0n);
  expect(await resolvedLink('nobodys-code')).toBeUndefined();

  await turnTrackingOn(app.platform.database, storeId, app.platform.clock.now());
  await alice('POST', `${path}/terms`, { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], pays: 'order' });
  const earnsAfter = async (change: Promise<unknown>) => {
    await change;
    return (await found())?.earns;
  };
  const { pool } = app.platform.database;
  const pastDue = (at: Date | null) => pool.query('update stores set past_due_at = $1 where store_id = $2', [at, storeId]);
  expect(await earnsAfter(alice('POST', `${path}/publish`))).toBe(true);
  expect(await earnsAfter(setStatus(member, 'paused'))).toBe(false);
  expect(await earnsAfter(setStatus(member, 'approved'))).toBe(true);
  expect(await earnsAfter(setStatus(member, 'removed'))).toBe(false);
  expect(await earnsAfter(setStatus(member, 'approved'))).toBe(true);
  expect(await earnsAfter(alice('POST', `${path}/pause`))).toBe(false);
  expect(await earnsAfter(alice('POST', `${path}/publish`))).toBe(true);
  expect(await earnsAfter(alice('POST', `/stores/${store.id}/archive`))).toBe(false);
  expect(await earnsAfter(alice('POST', `/stores/${store.id}/unarchive`))).toBe(true);
  expect(await earnsAfter(pastDue(new Date()))).toBe(false);
  expect(await earnsAfter(pastDue(null))).toBe(true);
  expect(await earnsAfter(app.operator('POST', `/creators/${creator.id}/suspend`))).toBe(true);
});

test('a link without its own destination follows the program’s landing page', async () => {
  await join();
  const [plain, deep] = [(await link()).json, (await link({ destination_url: 'https://shop.example/mugs' })).json];
  await alice('PATCH', path, { landing_url: 'https://shop.example/moved' });
  const destinationOf = async ({ code }: Json) => (await resolvedLink(code))?.destination;
  expect([await destinationOf(plain), await destinationOf(deep)]).toEqual(['https://shop.example/moved', 'https://shop.example/mugs']);
});

import { Type as T } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { endpoint } from '../../src/people/endpoint.ts';
import { createIdentify } from '../../src/people/identify.ts';
import { mountApi } from '../../src/people/request-pipeline.ts';
import { sql } from '../../src/db/sql.ts';
import { refuse, sent } from '../../src/http/responses.ts';
import { createServer } from '../../src/http/server.ts';
import { peopleApp, type Json } from '../support/people-app.ts';

/** Writes a fact and then ends as requested, so that the remaining rows show what the transaction did. */
const writes = endpoint({
  summary: 'Writes',
  access: { allow: 'signed in' },
  body: T.Object({ fact: T.String(), ends: T.String() }, { additionalProperties: false }),
  status: 201,
  audit: 'program.change',
  prepare: async ({ body }) => (body.ends === 'refuse early' ? refuse('conflict', 'Early.') : `prepared ${body.fact}`),
  handle: async ({ db, now, body, prepared }) => {
    await db.run(sql`insert into installation (fact, since) values (${body.fact}, ${now})`);
    if (body.ends === 'refuse') return refuse('conflict', 'Late.');
    if (body.ends === 'fail') throw new Error('a mistake of ours');
    return { id: 'fact_1', prepared, cents: 9_007_199_254_740_993n };
  },
});
const empty = endpoint({ summary: 'Says nothing', access: { allow: 'signed in' }, status: 204, handle: async () => undefined });
const download = endpoint({
  summary: 'A file',
  access: { allow: 'anyone' },
  query: T.Object({ limit: T.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  handle: async ({ query }) => sent({ 'content-type': 'text/csv; charset=utf-8' }, `limit\n${query.limit}\n`),
});

const app = await peopleApp();
const server = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} });
const routes = [
  { method: 'POST', path: '/writes', endpoint: writes },
  { method: 'POST', path: '/empty', endpoint: empty },
  { method: 'GET', path: '/download', endpoint: download },
] as const;
const none = { storeExists: async () => false, creatorExists: async () => false };
mountApi(server, app.platform, routes, { identify: createIdentify(app.platform), limitRequests: async () => null, ...none });
const url = await server.listen({ host: '127.0.0.1', port: 0 });
const cookie = (await app.signedIn(await app.account())).cookie();
afterAll(async () => {
  await server.close();
  await app.close();
});

const post = (path: string, body: string | Buffer<ArrayBuffer> | undefined, headers: Readonly<Record<string, string>> = {}) => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${url}${path}`, { method: 'POST', headers: { cookie, ...type, ...headers }, ...(body === undefined ? {} : { body }) });
};
const write = (fact: string, ends: string, headers?: Readonly<Record<string, string>>) =>
  post('/writes', JSON.stringify({ fact, ends }), headers);
const factRows = async (fact: string) => (await app.platform.database.all(sql`select fact from installation where fact = ${fact}`)).length;
const audited = async (fact: string) =>
  app.platform.database.all<{ subject: string }>(sql`select subject from audit_log where details->>'fact' = ${fact}`);

test("a handler's writes, its audit entry and its response are committed together", async () => {
  const response = await write('good', 'answer');
  expect(response.status).toBe(201);
  expect(await response.text()).toBe('{"id":"fact_1","prepared":"prepared good","cents":9007199254740993}');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await factRows('good')).toBe(1);
  expect(await audited('good')).toEqual([{ subject: '/writes/fact_1' }]);
});

test.each([
  ['refuse early', 409],
  ['refuse', 409],
  ['fail', 500],
])('nothing is stored after "%s": no row, no audit entry, no idempotency key', async (ends, status) => {
  const headers = { 'idempotency-key': `key of ${ends}` };
  const response = await write(ends, ends, headers);
  expect(response.status).toBe(status);
  expect([await factRows(ends), await audited(ends)]).toEqual([0, []]);
  expect((await write(ends, 'answer', headers)).status).toBe(201);
});

test('a response without a body is repeated without a body', async () => {
  for (const replayed of [null, 'true']) {
    const response = await post('/empty', undefined, { 'idempotency-key': 'nothing' });
    expect([response.status, await response.text(), response.headers.get('idempotent-replayed')]).toEqual([204, '', replayed]);
  }
});

test.each([
  ['no body', undefined, 'json_required', 'body'],
  ['no JSON', '{', 'json_required', 'body'],
  ['JSON that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'json_required', 'body'],
  ['JSON that is not an object', '"x"', 'invalid_request', 'body'],
  ['a missing field', '{"fact":"x"}', 'invalid_request', 'ends'],
  ['a field of another type', '{"fact":1,"ends":"answer"}', 'invalid_request', 'fact'],
  ['an unknown field', '{"fact":"x","ends":"answer","more":1}', 'invalid_request', 'more'],
])('rejects %s and names the field', async (_what, body, reason, field) => {
  const response = await post('/writes', body);
  const json: Json = await response.json();
  expect([response.status, json.ok, json.reason]).toEqual([400, false, reason]);
  if (reason === 'invalid_request') expect(json.errors[0].field).toBe(field);
});

test('a query is parsed by its schema, and invalid values are rejected', async () => {
  const good = await fetch(`${url}/download?limit=7`);
  expect([good.status, good.headers.get('content-type'), await good.text()]).toEqual([200, 'text/csv; charset=utf-8', 'limit\n7\n']);
  for (const query of ['', '?limit=0', '?limit=x', '?limit=1&more=1', '?limit=1&limit=2']) {
    expect((await fetch(`${url}/download${query}`)).status).toBe(400);
  }
});

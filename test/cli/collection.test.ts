import { Compile } from 'typebox/compile';
import { afterAll, expect, test } from 'vitest';
import { collection } from '../../cli/collection.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { postmanForm } from './postman-form.ts';
import { commandLineOf } from './run-command.ts';

const merchant = await openMerchant();
const type = commandLineOf(merchant);
afterAll(() => merchant.service.stop());

const { files } = await type(collection, [], { flags: { out: 'made.json' } });
const written = files.get('made.json') ?? '';
const made: Json = JSON.parse(written);
const items: readonly Json[] = made.item.flatMap(({ item }: Json) => item);

test('every operation that the service describes is in the collection, once', async () => {
  const { paths } = (await (await fetch(`${merchant.service.url}/openapi.json`)).json()) as Json;
  const described = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace('{trackingKey}', '{{trackingKey}}').replace(/(?<!\{)\{(\w+)\}(?!\})/g, ':$1')}`,
    ),
  );
  const requests = items.map(({ request }) => `${request.method} ${request.url.raw.replace('{{baseUrl}}', '')}`);
  expect(requests.toSorted()).toEqual(described.toSorted());
  expect(requests.length).toBeGreaterThan(100);
});

test('a request of it, filled in as Postman fills it in, is accepted by the service', async () => {
  const item = items.find(({ request }) => request.url.raw.endsWith('/conversions'));
  const { request } = item;
  const variables: Readonly<Record<string, string>> = {
    baseUrl: merchant.service.url,
    trackingKey: merchant.world.store.tracking_key,
    postbackKey: merchant.world.store.postback_key,
  };
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables[name] ?? '');
  const body = { ...JSON.parse(request.body.raw), click_id: await merchant.click(), occurred_at: merchant.at() };
  const [{ key, value }] = request.header;
  invariant(request.auth.type === 'bearer', 'a postback proves who sends it');
  const response = await fetch(filled(request.url.raw), {
    method: request.method,
    headers: { [key]: value, authorization: filled(`Bearer ${request.auth.bearer[0].value}`) },
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ ok: true, reason: 'recorded' });
  expect(item.response.find(({ name }: Json) => name === 'attribution_window_expired')).toMatchObject({ code: 422 });
});

test('it has the form that Postman reads, and which Bruno reads too, in every field', () => {
  expect(Compile(postmanForm).Errors(made).slice(0, 3)).toEqual([]);
  const { item: _none, ...without } = made;
  expect(Compile(postmanForm).Check(without)).toBe(false);
});

test('every path parameter is a variable with its own name, and every used variable is defined', () => {
  const known = made.variable.map(({ key }: Json) => `{{${key}}}`);
  expect((written.match(/\{\{\w+\}\}/g) ?? []).filter((used) => !known.includes(used))).toEqual([]);
  for (const { request } of items) {
    const inPath = request.url.path.filter((segment: string) => segment.startsWith(':')).map((segment: string) => segment.slice(1));
    expect([request.url.raw, (request.url.variable ?? []).map(({ key }: Json) => key)]).toEqual([request.url.raw, inPath]);
  }
});

test('the collection contains no key, and every body has all required fields', () => {
  expect(written).not.toContain(merchant.world.store.postback_key);
  expect(written).not.toContain(merchant.world.operator_key);
  const store = items.find(({ request }) => request.method === 'POST' && request.url.raw === '{{baseUrl}}/api/v1/stores');
  expect(JSON.parse(store.request.body.raw)).toEqual({ name: '', site_url: '' });
  const list = items.find(({ request }) => request.method === 'GET' && request.url.raw.endsWith('/stores/:store/programs'));
  expect(list.request.url.variable).toEqual([expect.objectContaining({ key: 'store' })]);
  expect(list.request.url.query.map(({ key }: Json) => key)).toEqual(expect.arrayContaining(['cursor', 'limit']));
});

test('reports an unreachable service in one line', async () => {
  expect((await type(collection, [], { settings: { TRIBUTARY_URL: 'http://127.0.0.1:9' } })).code).toContain('cannot be reached');
});

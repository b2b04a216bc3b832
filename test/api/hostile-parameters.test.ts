import { afterAll, expect, test } from 'vitest';
import { exampleOf } from '../../src/http/api-docs-page.ts';
import type { OpenApi, Operation } from '../../src/http/openapi-document.ts';
import { undescribedIn } from '../support/described-responses.ts';
import { fullWorld } from '../support/isolation-world.ts';
import { startTestService } from '../support/service.ts';
import { randomFrom, seed, sizeOf, reportMeasurement } from '../support/size.ts';

// Runs before the tests are collected: the document lists the operations and parameters, so a new one is tested automatically.
const service = await startTestService();
const { merchant, ids } = await fullWorld(service);
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
afterAll(() => service.stop());

const key = { authorization: `Bearer ${merchant.world.operator_key}` };
const uuid = '019b76da-a800-707b-ab7a-e8bb311285ac';
const inCursor = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Values as they are written in a URL. */
const queryValues: readonly string[] = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%FF',
  '%',
  '',
  '%20',
  'x'.repeat(10_000),
  '%F0%9D%95%8F'.repeat(600),
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '2147483648',
  '1e400',
  '-0',
  'NaN',
  'Infinity',
  'null',
  '0.1',
  '%2B275760-09-13T00%3A00%3A00.000Z',
  '-000001-01-01T00%3A00%3A00.000Z',
  '0000-01-01T00%3A00%3A00Z',
  '9999-12-31T23%3A59%3A59-23%3A59',
  '2026-02-31',
  '2999-12-31',
  '9999-12',
  "'%3B drop table orders%3B --",
];

/** Cursors of other lists, cursors of no list, and values out of every range. */
const cursors: readonly string[] = [
  inCursor(),
  inCursor(null),
  inCursor('\0'),
  inCursor('\ud800'),
  inCursor(uuid),
  inCursor('9'.repeat(9)),
  inCursor('9'.repeat(18)),
  inCursor('9'.repeat(40)),
  inCursor('99999999999999', uuid),
  inCursor('999999999999999', uuid),
  inCursor(uuid, uuid),
  inCursor('com_01kdvdn004akdgtaqdvr9j8j1c', '99999999999999', uuid),
  inCursor('99999999999999', uuid, uuid, 'decision', 'expected'),
  inCursor('0', '0', 'sub', '\0'),
  inCursor('1', 'code\0'),
  'e30',
  'W10',
  '%00',
  'x'.repeat(1_000),
];

/** Written as JSON, because some of them have no JavaScript value. */
const bodyValues: readonly string[] = [
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  `"${'x'.repeat(10_000)}"`,
  '9223372036854775808',
  '-9223372036854775809',
  '9007199254740993',
  '1e400',
  '-0',
  '-1',
  '0.1',
  '""',
  '" "',
  'null',
  'true',
  '[]',
  '{}',
  String.raw`["\u0000"]`,
  String.raw`{"\u0000":1}`,
  String.raw`{"a":"\u0000"}`,
  '"+275760-09-13T00:00:00.000Z"',
  '"-000001-01-01T00:00:00.000Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59-23:59"',
];

/** Operations that would end the world that all other requests need, move its clock by years, or never finish. */
const leftOut = /sandbox\/clock|stream$|\/archive$|integration\/disable$|erase|erasure|ledger\/verify$|\/session$|\/suspend$|\/providers\//;

type Case = { readonly method: string; readonly at: string; readonly body?: string; readonly about: string };

const filled = (path: string): string | null => {
  let at = path;
  for (const { 0: name, index } of [...path.matchAll(/\{\w+\}/g)].toReversed()) {
    const id = ids[path.slice('/api/v1'.length, index + name.length)];
    if (id === undefined) return null;
    at = at.slice(0, index) + id + at.slice(index + name.length);
  }
  return at;
};

function casesOf(path: string, method: string, operation: Operation): readonly Case[] {
  const at = filled(path);
  if (at === null) return [];
  const needed = operation.parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${name}=2026-03`);
  const queried = operation.parameters.filter((one) => one.in === 'query');
  const ofQuery = queried.flatMap(({ name }) => {
    const others = needed.filter((one) => !one.startsWith(`${name}=`));
    const ask = (query: string): Case => ({ method, at: `${at}?${[...others, query].join('&')}`, about: `${name} in the query` });
    const values = name === 'cursor' ? [...cursors, ...queryValues] : queryValues;
    return [...values.map((value) => ask(`${name}=${value}`)), ask(`${name}=1&${name}=2`), ask(`${name}[]=1`), ask(`${name}[a]=1`)];
  });
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([whole, name = '']) =>
    queryValues
      .filter((value) => value !== '')
      .map((value): Case => ({ method, at: filledWith(path, whole, value) ?? at, about: `${name} in the path` })),
  );
  return [...ofQuery, ...(method === 'GET' ? ofPath : []), ...ofBody({ at, method, operation })];
}

function filledWith(path: string, parameter: string, value: string): string | null {
  const at = filled(path.slice(0, path.indexOf(parameter)));
  return at === null ? null : `${at}${value}${path.slice(path.indexOf(parameter) + parameter.length).replaceAll(/\{\w+\}/g, 'x')}`;
}

function ofBody({
  at,
  method,
  operation,
}: {
  readonly at: string;
  readonly method: string;
  readonly operation: Operation;
}): readonly Case[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined || method === 'GET') return [];
  const known = { store: merchant.world.store.id, program: merchant.world.program.id, creator: merchant.world.creator.id };
  const example = Object(exampleOf(known, schema)) as Readonly<Record<string, unknown>>;
  return Object.keys(schema.properties ?? {}).flatMap((name) =>
    bodyValues.map((value): Case => {
      const others = Object.entries(example).filter(([other]) => other !== name);
      const members = [
        ...others.map(([other, held]) => `${JSON.stringify(other)}:${JSON.stringify(held)}`),
        `${JSON.stringify(name)}:${value}`,
      ];
      return { method, at, body: `{${members.join(',')}}`, about: `${name} in the body` };
    }),
  );
}

const all: readonly Case[] = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/api/v1/') && !leftOut.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'delete')
      .flatMap(([method, operation]) => casesOf(path, method.toUpperCase(), operation)),
  );

/** Always U+0000 in every query parameter; of the other cases as many as time allows, drawn with the seed of the run. */
function drawn(): readonly Case[] {
  const always = all.filter(({ at, about }) => about.endsWith('query') && at.endsWith('=%00'));
  const prng = randomFrom(seed);
  const others = all.map((one) => ({ one, order: prng.below(2 ** 30) })).toSorted((a, b) => a.order - b.order);
  return [...always, ...others.slice(0, sizeOf('parameters')).map(({ one }) => one)];
}

const atOnce = 4;
const shownMax = 300;

test('no value of any parameter of any operation is answered 5xx, and every answer is JSON as the document describes it', async () => {
  const cases = drawn();
  const wrong: string[] = [];
  const tally: Record<string, number> = {};
  const waiting = cases.values();
  const asker = async (): Promise<void> => {
    for (const { method, at, body, about } of waiting) {
      const headers = { ...key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const response = await fetch(`${service.url}${at}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const contentType = response.headers.get('content-type') ?? '';
      const text = contentType.startsWith('application/json') ? await response.text() : null;
      if (text === null) await response.arrayBuffer();
      tally[response.status] = (tally[response.status] ?? 0) + 1;
      const problem =
        response.status >= 500
          ? `answered ${response.status}`
          : undescribedIn({ method, path: at, status: response.status, contentType, text });
      if (problem !== null) wrong.push(`${about}: ${method} ${at.slice(0, shownMax)} ${body?.slice(0, shownMax) ?? ''}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, asker));
  expect(wrong.slice(0, 20)).toEqual([]);
  // Some requests passed validation, so not everything was rejected before it was read.
  expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '400', '404']));
  reportMeasurement({
    what: 'hostile values of parameters',
    measured: `${cases.length} of ${all.length} requests, 0 × 5xx, every response as documented`,
    limit: '0 × 5xx, every response as documented',
  });
}, 3_000_000);

test('every query parameter and every body field of each tested operation has a case', () => {
  const parameters = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/') && !leftOut.test(path))
    .flatMap(([, methods]) => Object.values(methods))
    .flatMap((operation) => operation.parameters.filter((one) => one.in === 'query'));
  expect(new Set(all.filter(({ at }) => at.endsWith('=%00')).map(({ at }) => at)).size).toBe(parameters.length);
  expect(all.length).toBeGreaterThan(10_000);
});

import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { jsonText, parseExactly } from '../../src/core/json.ts';
import { wholeRoutes } from '../support/described-responses.ts';
import { readSources } from '../architecture/source.ts';

/** Every field of a schema by its path: `data[].amount_cents`. */
function fieldsOf(schema: unknown, path = ''): ReadonlyArray<readonly [path: string, schema: TSchema]> {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items, anyOf } = schema as { properties?: object; items?: unknown; anyOf?: readonly unknown[] };
  const below = Object.entries(properties ?? {}).flatMap(([name, of]) => [
    [`${path}.${name}`, of] as const,
    ...fieldsOf(of, `${path}.${name}`),
  ]);
  return [
    ...below,
    ...fieldsOf(items, `${path}[]`),
    ...(anyOf ?? []).flatMap((one) => [[path, one as TSchema] as const, ...fieldsOf(one, path)]),
  ];
}

type OfType = { readonly type?: string; readonly maximum?: number; readonly anyOf?: readonly OfType[] };
const isExact = ({ type, maximum, anyOf }: OfType): boolean =>
  anyOf === undefined
    ? type === 'bigint' || type === 'null' || (type === 'integer' && maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER)
    : anyOf.every(isExact);

test('every amount in every response is a bigint, or an integer bounded to what a number holds exactly', () => {
  const amounts = wholeRoutes.flatMap(({ method, path, endpoint }) =>
    fieldsOf(endpoint.reply)
      .filter(([name]) => /_?cents$/.test(name))
      .map(([name, schema]) => ({ at: `${method} ${path} ${name}`, schema })),
  );
  expect(amounts.length).toBeGreaterThan(100);
  expect(amounts.filter(({ schema }) => !isExact(schema as OfType)).map(({ at }) => at)).toEqual([]);
});

/** Matches code that turns a sum of cents into a JavaScript number. `amountToJson` is for single amounts and checks the bound. */
const lossy =
  /Number\([^()]*(?:[cC]ents|[aA]mount|[bB]alance|owed|collected|commission|revenue|earned)\b|(?:_cents|Cents): Number\(|parseFloat\(/;
const lossyIn = (text: string): readonly string[] => text.split('\n').filter((line) => lossy.test(line));

const allowed = new Set(['src/core/money.ts']);

test('no source file of the service converts an amount to a number', () => {
  const found = readSources('src/**/*.ts')
    .filter(({ path }) => !path.endsWith('.test.ts') && !allowed.has(path))
    .flatMap(({ path, text }) => lossyIn(text).map((line) => `${path}: ${line.trim()}`));
  expect(found).toEqual([]);
});

test.each(['total_cents: Number(total)', 'const x = Number(sum.amountCents);', 'Number(owed)', 'parseFloat(text)'])(
  'the scan finds %s',
  (line) => expect(lossyIn(line)).toEqual([line]),
);

test('no SQL casts a sum to int8 or to a float', () => {
  const cast = /sum\([^;]*?\)(?:\s*filter\s*\([^)]*\))?[^,;]{0,40}::(?:bigint|int8|float8|double|real)/;
  const found = readSources('src/**/*sql.ts')
    .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line })))
    .filter(({ line }) => cast.test(line) && /cents|amount/.test(line));
  expect(found.map(({ path, line }) => `${path}: ${line.trim()}`)).toEqual([]);
});

test('a total above 2^53 is written and read back to the last digit', () => {
  const total = 9_232_379_236_109_516_775n;
  const text = jsonText({ total_cents: total, days: [{ paid_cents: -total, count: 3 }], rate: 0.5, id: '1234567890123456789' });
  expect(text).toBe(
    '{"total_cents":9232379236109516775,"days":[{"paid_cents":-9232379236109516775,"count":3}],"rate":0.5,"id":"1234567890123456789"}',
  );
  expect(parseExactly(text)).toEqual({
    total_cents: total,
    days: [{ paid_cents: -total, count: 3 }],
    rate: 0.5,
    id: '1234567890123456789',
  });
});

test('JSON without a 16-digit number, or with one that is not an integer, is parsed as usual', () => {
  expect(parseExactly('{"a":1,"b":9007199254740991}')).toEqual({ a: 1, b: 9_007_199_254_740_991 });
  expect(parseExactly('[0.1234567890123456789,1e300]')).toEqual([0.12345678901234568, 1e300]);
});

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { bigints, booleans, byteas, dates, ints, jsonbs, prepared, smallints, sql, texts, timestamps, uuids } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

const { database } = await freshDatabase();
afterAll(() => database.end());

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\u0000')),
  fc.constantFrom('', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', ' a ', ',', 'Ä', '\n', "'; drop table orders; --"),
);

test('the database returns every text array as it was sent', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (list) => {
      expect((await database.one<{ came: unknown }>(sql`select to_jsonb(${texts(list)}) as came`)).came).toEqual(list);
    }),
    { numRuns: 300 },
  ));

test('the database returns times, dates, bytes, ids, integers, and booleans as they were sent, in arrays and alone', async () => {
  const times = [new Date('2026-02-28T23:59:59.999Z'), new Date(0), new Date('9999-12-31T23:59:59.999Z'), new Date(-1)];
  const bytes = [Buffer.of(), Buffer.of(0, 255, 34, 92)];
  const numbers = [0n, -1n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n];
  const ids = ['01890a5d-ac96-774b-bcce-b302099a8057', 'FFFFFFFF-ffff-FFFF-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'];
  const days = ['1999-12-31', '2000-01-01', '2028-02-29', '0001-01-01'];
  const response = await database.one<Record<string, unknown>>(sql`
    select (${timestamps(times)})[1] as first, (${timestamps(times)})[3] as last, (${timestamps(times)})[4] as before,
      ${times[0]}::timestamptz as alone, (${byteas(bytes)})[2] as bytes, length((${byteas(bytes)})[1]) as none,
      ${bigints(numbers)} as numbers, (${booleans([true, false, null])})[2] as no, to_jsonb(${uuids(ids)}) as ids,
      to_jsonb(${dates(days)}) as days, to_jsonb(${ints([2_147_483_647, -1, null])}) as ints, to_jsonb(${smallints([-32_768])}) as small,
      (${jsonbs(['{"a":"\\u00e4"}', null])})[1] as json, cardinality(${uuids([])}) as empty`);
  expect(response).toEqual({
    first: times[0],
    last: times[2],
    before: times[3],
    alone: times[0],
    bytes: bytes[1],
    none: 0,
    numbers,
    no: false,
    ids: ids.map((id) => id.toLowerCase()),
    days,
    ints: [2_147_483_647, -1, null],
    small: [-32_768],
    json: { a: 'ä' },
    empty: 0,
  });
});

test.each([
  ['an object as a text', sql`select ${texts([{} as never])}`],
  ['a text as a number', sql`select ${bigints(['1' as never])}`],
  ['half a number', sql`select ${ints([1.5])}`],
  ['a number too large', sql`select ${ints([2_147_483_648])}`],
  ['a time that is none', sql`select ${timestamps([new Date(Number.NaN)])}`],
  ['a moment as a day', sql`select ${dates(['2026-01-01T12:00:00Z'])}`],
  ['an id without its dashes', sql`select ${uuids(['01890a5dac96774bbcceb302099a80570000'])}`],
  ['an ID with a character that is not a digit', sql`select ${uuids(['01890a5d-ac96-774b-bcce-b302099a805g'])}`],
  ['a list without its type', sql`select ${['a'] as never}`],
])('rejects a value that an array cannot hold as our own error, before anything is sent: %s', async (_what, query) => {
  await expect(database.all(query)).rejects.toThrow(/contains a value of type|out of range|an array needs its type/);
  expect(await database.one(sql`select 1 as one`)).toEqual({ one: 1 });
});

test('a prepared statement finds rows by key that were inserted after it was planned, and no others', async () => {
  const count = async (numbers: readonly bigint[]) => {
    const rows = await database.all<{ number: bigint }>(prepared`
      select number from unnest(${bigints(numbers)}) as wanted (number)
      cross join lateral (select from kept where kept.number = wanted.number limit 1) as found`);
    return rows.map(({ number }) => number);
  };
  await database.run(sql`create table kept (number bigint primary key)`);
  for (let round = 0; round < 40; round++) expect(await count([1n, 2n])).toEqual([]);
  await database.run(sql`insert into kept select * from unnest(${bigints([2n, 3n])})`);
  for (let round = 0; round < 40; round++) expect(await count([1n, 2n])).toEqual([2n]);
});

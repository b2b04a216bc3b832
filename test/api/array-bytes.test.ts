import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { freshDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await freshDatabase());
});
afterAll(() => database.end());

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\u0000')),
  fc.constantFrom('', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', ' a ', ',', 'Ä', '\n', "'; drop table orders; --"),
);

test('every array of texts comes back from the database as it was sent', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
      expect((await database.one<{ came: unknown }>(sql`select to_jsonb(${texts}::text[]) as came`)).came).toEqual(texts);
    }),
    { numRuns: 300 },
  ));

test('times, bytes, whole numbers and truths come back as they were sent, alone and in arrays', async () => {
  const times = [new Date('2026-02-28T23:59:59.999Z'), new Date(0), new Date('9999-12-31T23:59:59.999Z')];
  const bytes = [Buffer.of(), Buffer.of(0, 255, 34, 92)];
  const numbers = [0n, -1n, 9_223_372_036_854_775_807n];
  const came = await database.one<Record<string, unknown>>(sql`
    select (${times}::timestamptz[])[1] as first, (${times}::timestamptz[])[3] as last, ${times[0]}::timestamptz as alone,
      (${bytes}::bytea[])[2] as bytes, length((${bytes}::bytea[])[1]) as none, ${numbers}::bigint[] as numbers,
      (${[true, false, null]}::boolean[])[2] as no`);
  expect(came).toEqual({ first: times[0], last: times[2], alone: times[0], bytes: bytes[1], none: 0, numbers, no: false });
});

test('what no array can hold is our mistake, and said so', async () => {
  await expect(database.all(sql`select ${[{}]}::text[]`)).rejects.toThrow('an array for the database holds');
  expect(await database.one(sql`select 1 as one`)).toEqual({ one: 1 });
});

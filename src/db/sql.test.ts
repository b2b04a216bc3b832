import { expect, test } from 'vitest';
import { inserting, ints, numerics, texts, toDriverQuery } from './sql.ts';

const rowsInArraysMin = 64;

const insertOf = (count: number) => {
  const rows = Array.from({ length: count }, (_none, place) => place);
  return inserting`
    insert into sums (place, name, amount)
    ${[ints(rows), texts(rows.map(String)), numerics(rows.map(BigInt))]}
    on conflict do nothing`.map(toDriverQuery);
};

test('few rows are inserted as values by statements of fixed sizes', () => {
  const queries = insertOf(rowsInArraysMin - 1);
  expect(queries.map(({ values }) => values.length / 3)).toEqual([32, 24, 6, 1]);
  expect(queries[3]?.text).toContain('values ($1, $2, $3)');
  expect(queries[3]?.values).toEqual([62, '62', '62']);
});

test('many rows are inserted by one statement with an array for each column', () => {
  const [query, ...others] = insertOf(rowsInArraysMin);
  expect(others).toEqual([]);
  expect(query?.text).toContain('select * from unnest($1::int[], $2::text[], $3::text[]::numeric[])');
  expect(query?.text).toContain('on conflict do nothing');
  expect(query?.values.every(Buffer.isBuffer)).toBe(true);
  expect(insertOf(500)[0]?.name).toBe(query?.name);
});

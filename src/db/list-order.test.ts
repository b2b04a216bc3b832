import { expect, test } from 'vitest';
import { afterKey, compareRows, keyOf, keyShapes, orderBy, orderOf, sortNames, type ListSorts, type SortColumn } from './list-order.ts';
import { sql, toDriverQuery, type Sql } from './sql.ts';

type Row = { readonly id: string; readonly amount: bigint; readonly name: string; readonly paidAt: Date | null };
const id: SortColumn<Row> = { expression: sql`id`, type: 'uuid', value: (row) => row.id };
const sorts: ListSorts<Row> = {
  columns: {
    created_at: id,
    amount: { expression: sql`amount`, type: 'bigint', value: ({ amount }) => amount },
    name: { expression: sql`lower(name)`, type: 'text', value: ({ name }) => name },
    paid_at: { expression: sql`paid_at`, type: 'time', isNullable: true, value: ({ paidAt }) => paidAt },
  },
  unique: id,
  defaultSort: '-created_at',
};
const someId = '01932c5e-8f00-7000-8000-000000000001';
const row: Row = { id: someId, amount: 5n, name: 'Noor', paidAt: null };

const textOf = (fragment: Sql) => toDriverQuery(fragment).text.replaceAll(/\s+/g, ' ').trim();
const orderText = (sort?: string) => textOf(orderBy(orderOf(sorts, sort)));
const afterText = (sort: string, after: readonly string[] | null) => textOf(afterKey(orderOf(sorts, sort), after));

test('a list offers both directions of each sort', () => {
  expect(sortNames(sorts)).toEqual(['created_at', '-created_at', 'amount', '-amount', 'name', '-name', 'paid_at', '-paid_at']);
});

test('ties are broken by the unique column in the same direction, and null is last in both', () => {
  expect(orderText()).toBe('order by id desc');
  expect(orderText('amount')).toBe('order by amount asc, id asc');
  expect(orderText('-amount')).toBe('order by amount desc, id desc');
  expect(orderText('paid_at')).toBe('order by paid_at asc nulls last, id asc');
  expect(orderText('-paid_at')).toBe('order by paid_at desc nulls last, id desc');
});

test('a page continues after the key of the last row', () => {
  expect(afterText('amount', null)).toBe('');
  expect(afterText('-created_at', [someId])).toBe('and id < $1::uuid');
  expect(afterText('amount', ['5', someId])).toBe('and (amount, id) > ($1::bigint, $2::uuid)');
  expect(afterText('-name', ['Noor', someId])).toBe('and (lower(name), id) < (lower($1::text), $2::uuid)');
});

test('rows without a value follow the rows that have one, in both directions', () => {
  expect(afterText('-paid_at', ['0', someId])).toBe('and ( (paid_at, id) < ($1::timestamptz, $2::uuid) or paid_at is null)');
  expect(afterText('-paid_at', ['', someId])).toBe('and paid_at is null and id < $1::uuid');
  expect(afterText('paid_at', ['', someId])).toBe('and paid_at is null and id > $1::uuid');
});

test('a code is compared with its case', () => {
  const code: SortColumn<Row> = { expression: sql`code`, type: 'word', value: (one) => one.name };
  const order = orderOf({ columns: { code }, unique: code, defaultSort: 'code' });
  expect(textOf(afterKey(order, ['Noor']))).toBe('and code > $1::text');
});

test('rows of several databases are merged in the order of the database, with ties and nulls', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const rowsOf = (paidAt: Date | null, amount: bigint) => ['b', 'a'].map((end) => ({ ...row, id: `${someId}${end}`, paidAt, amount }));
  const rows = [...rowsOf(null, 2n), ...rowsOf(at(2), 1n), ...rowsOf(at(1), 2n)];
  const sorted = (sort: string) =>
    rows.toSorted(compareRows(orderOf(sorts, sort))).map((one) => `${one.paidAt?.getUTCDate() ?? '-'}${one.amount}${one.id.slice(-1)}`);
  expect(sorted('paid_at')).toEqual(['12a', '12b', '21a', '21b', '-2a', '-2b']);
  expect(sorted('-paid_at')).toEqual(['21b', '21a', '12b', '12a', '-2b', '-2a']);
  expect(sorted('amount')).toEqual(['21a', '21b', '-2a', '12a', '-2b', '12b']);
  expect(() => sorted('name')).toThrow('collation');
});

test('the key of a row has the form that its cursor is checked against', () => {
  for (const sort of sortNames(sorts)) {
    const order = orderOf(sorts, sort);
    const key = keyOf(order, row);
    expect(key).toHaveLength(order.columns.length);
    expect(keyShapes(order).every((shape, place) => shape.test(key[place] ?? 'missing'))).toBe(true);
  }
  expect(keyOf(orderOf(sorts, 'paid_at'), row)).toEqual(['', someId]);
});

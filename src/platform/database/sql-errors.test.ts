import { expect, test } from 'vitest';
import { kindOfFailure, sqlStateOf } from './sql-errors.ts';

const failed = (code: unknown) => Object.assign(new Error('any words'), { code });

test.each([
  ['guilty item', '21000'],
  ['guilty item', '22P05'],
  ['guilty item', '22003'],
  ['guilty item', '23505'],
  ['guilty item', '23514'],
  ['again', '40P01'],
  ['again', '40001'],
  ['row taken', '55P03'],
  ['unavailable', '40002'],
  ['unavailable', '40003'],
  ['unavailable', '55006'],
  ['unavailable', '25P02'],
  ['unavailable', '42P01'],
  ['unavailable', '53300'],
  ['unavailable', '57014'],
  ['unavailable', '57P01'],
  ['unavailable', '08006'],
  ['unavailable', 'XX000'],
] as const)('%s <- SQLSTATE %s', (kind, code) => {
  expect(kindOfFailure(failed(code))).toBe(kind);
  expect(sqlStateOf(failed(code))).toBe(code);
});

test.each([
  ['a reset connection', failed('ECONNRESET')],
  ['a broken pipe, whose code is as long as an SQLSTATE', failed('EPIPE')],
  ['several addresses refused', new AggregateError([failed('23505')], 'refused')],
  ['an error without a code', new Error('Connection terminated unexpectedly')],
  ['a code that only begins like an SQLSTATE', failed('23505 and more')],
  ['a code that is a number', failed(23_505)],
  ['a text', '23505'],
  ['null', null],
  ['undefined', undefined],
])('%s makes the database unavailable and blames no item', (_what, error) => {
  expect(kindOfFailure(error)).toBe('unavailable');
  expect(sqlStateOf(error)).toBeNull();
});

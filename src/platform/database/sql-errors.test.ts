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
  ['unavailable', '53400'],
  ['connection lost', '57P01'],
  ['connection lost', '57P02'],
  ['connection lost', '57P03'],
  ['connection lost', '08006'],
  ['connection lost', '25006'],
  ['unavailable', 'XX000'],
] as const)('%s <- SQLSTATE %s', (kind, code) => {
  expect(kindOfFailure(failed(code))).toBe(kind);
  expect(sqlStateOf(failed(code))).toBe(code);
});

test.each([
  ['several addresses refused', new AggregateError([failed('23505')], 'refused')],
  ['a connection that was not made in time', new Error('Connection terminated due to connection timeout')],
  ['an answer that did not come in time', new Error('Query read timeout')],
  ['an error without a code', new Error('any words')],
  ['a code that only begins like an SQLSTATE', failed('23505 and more')],
  ['a code that is a number', failed(23_505)],
  ['a text', '23505'],
  ['null', null],
  ['undefined', undefined],
])('%s makes the database unavailable and blames no item', (_what, error) => {
  expect(kindOfFailure(error)).toBe('unavailable');
  expect(sqlStateOf(error)).toBeNull();
});

test.each([
  ['a reset connection', failed('ECONNRESET')],
  ['a refused one', failed('ECONNREFUSED')],
  ['a socket that is gone', failed('ENOENT')],
  ['a broken pipe, whose code is as long as an SQLSTATE', failed('EPIPE')],
  ['one that ended while an answer was due', new Error('Connection terminated unexpectedly')],
  ['one that had broken before', new Error('Client has encountered a connection error and is not queryable')],
])('%s is a lost connection, after which another is asked', (_what, error) => {
  expect(kindOfFailure(error)).toBe('connection lost');
  expect(sqlStateOf(error)).toBeNull();
});

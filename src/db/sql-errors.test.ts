import { expect, test } from 'vitest';
import { classifyFailure, sqlStateOf } from './sql-errors.ts';

const failed = (code: unknown) => Object.assign(new Error('any message'), { code });

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
] as const)('classifies %s: SQLSTATE %s', (kind, code) => {
  expect(classifyFailure(failed(code))).toBe(kind);
  expect(sqlStateOf(failed(code))).toBe(code);
});

test.each([
  ['several addresses refused', new AggregateError([failed('23505')], 'refused')],
  ['a connection that timed out', new Error('Connection terminated due to connection timeout')],
  ['a query that timed out', new Error('Query read timeout')],
  ['an error without a code', new Error('any message')],
  ['a code that only begins like an SQLSTATE', failed('23505 and more')],
  ['a code that is a number', failed(23_505)],
  ['a string', '23505'],
  ['null', null],
  ['undefined', undefined],
])('%s means that the database is unavailable, and no item is invalid', (_what, error) => {
  expect(classifyFailure(error)).toBe('unavailable');
  expect(sqlStateOf(error)).toBeNull();
});

test.each([
  ['a reset connection', failed('ECONNRESET')],
  ['a refused connection', failed('ECONNREFUSED')],
  ['a missing socket', failed('ENOENT')],
  ['a broken pipe, whose code is as long as an SQLSTATE', failed('EPIPE')],
  ['a connection that ended while a query was pending', new Error('Connection terminated unexpectedly')],
  ['a connection that had broken before', new Error('Client has encountered a connection error and is not queryable')],
])('%s is a lost connection, after which another one is tried', (_what, error) => {
  expect(classifyFailure(error)).toBe('connection lost');
  expect(sqlStateOf(error)).toBeNull();
});

import { expect, test } from 'vitest';
import { readTraceId } from './request-log.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const rest = 'b7ad6b7169203331-01';

test.each([
  ['as W3C writes it', `00-${trace}-${rest}`, { trace }],
  ['of a later version, with more behind', `01-${trace}-${rest}-more`, { trace }],
  ['of the version that is never used', `ff-${trace}-${rest}`, {}],
  ['of zeros, which is no trace', `00-${'0'.repeat(32)}-${rest}`, {}],
  ['in capitals', `00-${trace.toUpperCase()}-${rest}`, {}],
  ['too short', `00-${trace.slice(1)}-${rest}`, {}],
  ['with something before', `x00-${trace}-${rest}`, {}],
  ['with a line end in it', `00-${trace}-${rest}\n{"level":60}`, {}],
  ['empty', '', {}],
])('a traceparent %s', (_what, traceparent, expected) => {
  expect(readTraceId({ traceparent })).toEqual(expected);
});

test('without one there is none', () => {
  expect(readTraceId({})).toEqual({});
});

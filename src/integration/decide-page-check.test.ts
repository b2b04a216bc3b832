import { expect, test } from 'vitest';
import { decidePageCheck, type RequestedCheck, type PageCheckDecision } from './decide-page-check.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const ago = (seconds: number, isUnderWay = false): RequestedCheck => ({
  requestedAt: new Date(now.getTime() - seconds * 1_000),
  isUnderWay,
});
const done = (count: number): RequestedCheck[] => Array.from({ length: count }, (_, place) => ago(3_000 - place));

test.each<[what: string, earlier: readonly RequestedCheck[], decision: PageCheckDecision]>([
  [
    'one that is under way, before the limit of the hour',
    [...done(10), ago(20, true)],
    { do: 'refuse', why: 'under way', waitSeconds: 40 },
  ],
  ['ten in the hour', done(10), { do: 'refuse', why: 'too many', waitSeconds: 600 }],
  ['more than ten: until the tenth last is an hour old', [ago(3_500), ...done(10)], { do: 'refuse', why: 'too many', waitSeconds: 600 }],
  ['nine in the hour', done(9), { do: 'go' }],
  ['one that was broken off', [ago(60, true)], { do: 'go' }],
  ['none', [], { do: 'go' }],
])('%s', (_what, earlier, decision) => expect(decidePageCheck(earlier, now)).toEqual(decision));

import { expect, test } from 'vitest';
import type { Id } from '../core/ids.ts';
import { dayMs } from '../core/time.ts';
import { codeStatusOf, decideCodeChange, type CodeChange } from './decide-code-change.ts';
import type { DiscountCode } from './discount-code.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (days: number) => new Date(now.getTime() - days * dayMs);
const code: DiscountCode = {
  storeId: 's' as Id<'store'>,
  codeId: 'd' as Id<'code'>,
  programId: 'p' as Id<'prog'>,
  memberId: 'm' as Id<'mem'>,
  creatorId: 'k' as Id<'crt'>,
  linkNumber: 7n,
  code: 'ADA10',
  isShared: false,
  validFrom: before(30),
  validUntil: null,
  ordersPerCustomer: 2,
  pausedAt: null,
  endedAt: null,
  createdAt: before(30),
};
const paused: DiscountCode = { ...code, pausedAt: before(2) };

const changed = (from: DiscountCode, change: CodeChange) => {
  const decision = decideCodeChange(from, change, now);
  if (decision.do !== 'change') throw new Error(`not changed but ${decision.do}`);
  return decision.code;
};

test.each<readonly [string, DiscountCode, CodeChange, Partial<DiscountCode>]>([
  ['nothing', paused, {}, {}],
  ['a pause begins now', code, { status: 'paused' }, { pausedAt: now }],
  ['a second pause keeps the time of the first', paused, { status: 'paused' }, {}],
  ['a code that is active again was never paused', paused, { status: 'active' }, { pausedAt: null }],
  ['an end begins now', code, { status: 'ended' }, { endedAt: now }],
  ['an end keeps the pause, so that a late order from between them still does not count', paused, { status: 'ended' }, { endedAt: now }],
  ['a setting keeps the pause', paused, { isShared: true }, { isShared: true }],
  ['null removes the limit', code, { ordersPerCustomer: null }, { ordersPerCustomer: null }],
])('changes only what is named: %s', (_what, from, change, expected) => {
  expect(changed(from, change)).toEqual({ ...from, ...expected });
});

test('an ended code stays ended, and a code ends after it begins', () => {
  const ended = changed(paused, { status: 'ended' });
  expect(codeStatusOf(ended)).toBe('ended');
  expect(decideCodeChange(ended, { status: 'active' }, now)).toMatchObject({ do: 'refuse' });
  expect(decideCodeChange(code, { validUntil: code.validFrom }, now)).toMatchObject({
    do: 'refuse field',
    fieldError: { field: 'valid_until' },
  });
});

import { expect, test } from 'vitest';
import { decideLeave, decideMember } from './decide-member.ts';
import type { MemberStatus } from './membership-states.ts';

const transitions: ReadonlyArray<[MemberStatus, Exclude<MemberStatus, 'applied'>, 'change' | 'keep' | 'refuse']> = [
  ['applied', 'approved', 'change'],
  ['applied', 'paused', 'refuse'],
  ['applied', 'removed', 'change'],
  ['approved', 'approved', 'keep'],
  ['approved', 'paused', 'change'],
  ['approved', 'removed', 'change'],
  ['paused', 'approved', 'change'],
  ['paused', 'paused', 'keep'],
  ['paused', 'removed', 'change'],
  ['removed', 'approved', 'change'],
  ['removed', 'paused', 'refuse'],
  ['removed', 'removed', 'keep'],
];

test.each(transitions)('a merchant changes a member from %s to %s: %s', (status, wanted, expected) => {
  expect(decideMember({ status, hasLeft: false }, wanted).do).toBe(expected);
});

test('a merchant cannot approve a creator who left, but can remove them again without an error', () => {
  expect(decideMember({ status: 'removed', hasLeft: true }, 'approved').do).toBe('refuse');
  expect(decideMember({ status: 'removed', hasLeft: true }, 'paused').do).toBe('refuse');
  expect(decideMember({ status: 'removed', hasLeft: true }, 'removed').do).toBe('keep');
});

test.each<[MemberStatus, 'change' | 'keep']>([
  ['applied', 'change'],
  ['approved', 'change'],
  ['paused', 'change'],
  ['removed', 'keep'],
])('a creator leaves with the status %s: %s', (status, expected) => {
  expect(decideLeave(status).do).toBe(expected);
});

import { expect, test } from 'vitest';
import { decideLeave, decideMember, type MemberStatus } from './decide-member.ts';

const table: ReadonlyArray<[MemberStatus, Exclude<MemberStatus, 'applied'>, 'change' | 'keep' | 'refuse']> = [
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

test.each(table)('a member that is %s and shall be %s: %s', (status, wanted, expected) => {
  expect(decideMember({ status, hasLeft: false }, wanted).do).toBe(expected);
});

test('a merchant cannot take back a creator who left; asking for what is so already is no mistake', () => {
  expect(decideMember({ status: 'removed', hasLeft: true }, 'approved').do).toBe('refuse');
  expect(decideMember({ status: 'removed', hasLeft: true }, 'paused').do).toBe('refuse');
  expect(decideMember({ status: 'removed', hasLeft: true }, 'removed').do).toBe('keep');
});

test.each<[MemberStatus, 'change' | 'keep']>([
  ['applied', 'change'],
  ['approved', 'change'],
  ['paused', 'change'],
  ['removed', 'keep'],
])('a creator who is %s and leaves: %s', (status, expected) => {
  expect(decideLeave(status).do).toBe(expected);
});

import { expect, test } from 'vitest';
import { decideMember, type MemberStatus } from './decide-member.ts';

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
  expect(decideMember(status, wanted).do).toBe(expected);
});

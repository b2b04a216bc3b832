import { expect, test } from 'vitest';
import { decideAcceptance, decideInvitation } from './decide-invitation.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = new Date('2026-03-02T12:00:00.000Z');
const earlier = new Date('2026-02-28T12:00:00.000Z');

test.each([
  [{ member: null, openUntil: null, now }, { do: 'invite' }],
  [{ member: 'removed', openUntil: null, now }, { do: 'invite' }],
  [
    { member: null, openUntil: later, now },
    { do: 'skip', reason: 'already_invited' },
  ],
  [{ member: null, openUntil: earlier, now }, { do: 'renew' }],
  [{ member: null, openUntil: now, now }, { do: 'renew' }],
  [
    { member: 'applied', openUntil: later, now },
    { do: 'skip', reason: 'already_applied' },
  ],
  [
    { member: 'approved', openUntil: later, now },
    { do: 'skip', reason: 'already_member' },
  ],
  [
    { member: 'paused', openUntil: null, now },
    { do: 'skip', reason: 'already_member' },
  ],
] as const)('an address with %o leads to %o', (facts, decision) => {
  expect(decideInvitation(facts)).toEqual(decision);
});

test.each([
  [{ isOpen: false, isSuspended: true, member: 'paused' }, 'refuse unprocessable'],
  [{ isOpen: true, isSuspended: true, member: 'paused' }, 'refuse unprocessable'],
  [{ isOpen: true, isSuspended: false, member: 'paused' }, 'refuse conflict'],
  [{ isOpen: true, isSuspended: false, member: 'approved' }, 'keep'],
  [{ isOpen: true, isSuspended: false, member: 'applied' }, 'approve'],
  [{ isOpen: true, isSuspended: false, member: 'removed' }, 'approve'],
  [{ isOpen: true, isSuspended: false, member: null }, 'join'],
] as const)('accepting with %o leads to %s', (facts, expected) => {
  const decision = decideAcceptance(facts);
  expect(decision.do === 'refuse' ? `refuse ${decision.reason}` : decision.do).toBe(expected);
});

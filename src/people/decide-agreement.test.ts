import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../core/time.ts';
import {
  decideAgreement,
  decideApproval,
  decideJoining,
  establishedFrom,
  isEstablished,
  type AgreeingOperator,
  type AgreementFacts,
} from './decide-agreement.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const later = (ms: number) => new Date(now.getTime() + ms);
const person = (userId: string, facts: Partial<AgreeingOperator> = {}): AgreeingOperator => ({
  userId,
  isOperator: true,
  since: null,
  establishedAt: null,
  invitedBy: null,
  ...facts,
});

describe('a person who accepts an invitation to the operators', () => {
  const usual = { areRulesOn: true, hasOtherOperator: true, isApproved: false };
  test.each([
    ['waits for the approval of an operator who did not invite them', {}, 'awaiting_approval'],
    ['is an operator if the invitation was approved before', { isApproved: true }, 'operator'],
    ['is an operator if the inviter is the only operator', { hasOtherOperator: false }, 'operator'],
    ['is an operator in the sandbox, where the rules are off', { areRulesOn: false }, 'operator'],
  ] as const)('%s', (_what, facts, decision) => {
    expect(decideJoining({ ...usual, ...facts })).toBe(decision);
  });
});

describe('a new operator may agree to an operation that requires two people', () => {
  const usual = { areRulesOn: true, now, isApproved: true, lastLeftAt: null };
  test.each([
    ['after 72 hours', {}, later(72 * hourMs)],
    ['after 72 hours without an approval too, if no operator left', { isApproved: false }, later(72 * hourMs)],
    ['30 days after another operator left, if they were not approved', { isApproved: false, lastLeftAt: ago(dayMs) }, later(29 * dayMs)],
    ['after 72 hours if the other left long ago', { isApproved: false, lastLeftAt: ago(40 * dayMs) }, later(72 * hourMs)],
    ['after 72 hours if another operator left and a third approved them', { lastLeftAt: ago(dayMs) }, later(72 * hourMs)],
    ['immediately if the rules are off', { areRulesOn: false }, null],
  ] as const)('%s', (_what, facts, from) => {
    expect(establishedFrom({ ...usual, ...facts })).toEqual(from);
  });

  test('exactly from that time, and only while they are an operator', () => {
    expect(isEstablished(person('a', { establishedAt: now }), now)).toBe(true);
    expect(isEstablished(person('a', { establishedAt: later(1) }), now)).toBe(false);
    expect(isEstablished(person('a', { isOperator: false }), now)).toBe(false);
  });
});

describe('the approval of a new operator', () => {
  const usual = { approver: person('b'), invitedBy: 'a', joinedUserId: 'c', now };
  test.each([
    ['is allowed to another operator', {}, 'go'],
    ['is refused to an API key', { approver: null }, 'no_person'],
    ['is refused to a former operator', { approver: person('b', { isOperator: false }) }, 'not_operator'],
    ['is refused to their inviter', { approver: person('a') }, 'inviter'],
    ['is refused to themselves', { approver: person('c') }, 'joined'],
    ['is refused to a new operator', { approver: person('b', { establishedAt: later(1) }) }, 'new_operator'],
  ] as const)('%s', (_what, facts, decision) => {
    expect(decideApproval({ ...usual, ...facts })).toBe(decision);
  });
});

describe('agreement of two people to loosen a rule', () => {
  const usual: AgreementFacts = { requester: person('a'), agreeing: person('b'), areRulesOn: true, now };
  const recent = { invitedBy: 'a', since: ago(30 * dayMs - 1), establishedAt: ago(dayMs) };
  test.each<readonly [string, Partial<AgreementFacts>, ReturnType<typeof decideAgreement>]>([
    ['two established operators agree', {}, 'go'],
    ['there is no earlier request', { requester: null }, 'ask'],
    ['the requester is not an operator any more', { requester: person('a', { isOperator: false }) }, 'ask'],
    ['an API key cannot agree', { agreeing: null }, 'no_person'],
    ['the requester cannot agree with themselves', { agreeing: person('a') }, 'ask'],
    ['a new operator cannot agree', { agreeing: person('b', { establishedAt: later(1) }) }, 'new_operator'],
    ['an operator cannot agree with a new operator', { requester: person('a', { establishedAt: later(1) }) }, 'requester_is_new'],
    ['an inviter and their invitee cannot agree within 30 days', { agreeing: person('b', recent) }, 'invited_recently'],
    [
      'an invitee and their inviter cannot agree within 30 days',
      { requester: person('b', recent), agreeing: person('a') },
      'invited_recently',
    ],
    ['30 days later the inviter and the invited agree', { agreeing: person('b', { ...recent, since: ago(30 * dayMs) }) }, 'go'],
    ['an operator invited by a third one agrees', { agreeing: person('b', { ...recent, invitedBy: 'z' }) }, 'go'],
    ['a new operator agrees if the rules are off', { agreeing: person('b', { establishedAt: later(1) }), areRulesOn: false }, 'go'],
    ['an API key cannot agree even if the rules are off', { agreeing: null, areRulesOn: false }, 'no_person'],
  ])('%s', (_what, facts, decision) => {
    expect(decideAgreement({ ...usual, ...facts })).toBe(decision);
  });
});

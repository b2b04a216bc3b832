import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../platform/time.ts';
import {
  decideAgreement,
  decideApproval,
  decideJoining,
  establishedFrom,
  isEstablished,
  type Agreeing,
  type AgreementFacts,
} from './decide-agreement.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const later = (ms: number) => new Date(now.getTime() + ms);
const person = (userId: string, facts: Partial<Agreeing> = {}): Agreeing => ({
  userId,
  isOperator: true,
  since: null,
  establishedAt: null,
  invitedBy: null,
  ...facts,
});

describe('who accepts an invitation to the operators', () => {
  const usual = { areRulesOn: true, isAnotherThere: true, isApproved: false };
  test.each([
    ['waits for the approval of an operator who did not invite them', {}, 'awaiting_approval'],
    ['is one where it was approved before', { isApproved: true }, 'operator'],
    ['is one where the inviter is alone', { isAnotherThere: false }, 'operator'],
    ['is one in the sandbox, where the rules are off', { areRulesOn: false }, 'operator'],
  ] as const)('%s', (_what, facts, decision) => {
    expect(decideJoining({ ...usual, ...facts })).toBe(decision);
  });
});

describe('a new operator agrees to what needs two people', () => {
  const usual = { areRulesOn: true, now, isApproved: true, lastLeftAt: null };
  test.each([
    ['after 72 hours', {}, later(72 * hourMs)],
    ['after 72 hours without an approval too, where nobody left', { isApproved: false }, later(72 * hourMs)],
    ['30 days after another operator left, where nobody approved them', { isApproved: false, lastLeftAt: ago(dayMs) }, later(29 * dayMs)],
    ['after 72 hours where the other left long ago', { isApproved: false, lastLeftAt: ago(40 * dayMs) }, later(72 * hourMs)],
    ['after 72 hours where another operator left and a third approved them', { lastLeftAt: ago(dayMs) }, later(72 * hourMs)],
    ['at once where the rules are off', { areRulesOn: false }, null],
  ] as const)('%s', (_what, facts, from) => {
    expect(establishedFrom({ ...usual, ...facts })).toEqual(from);
  });

  test('to the millisecond, and only while they are an operator', () => {
    expect(isEstablished(person('a', { establishedAt: now }), now)).toBe(true);
    expect(isEstablished(person('a', { establishedAt: later(1) }), now)).toBe(false);
    expect(isEstablished(person('a', { isOperator: false }), now)).toBe(false);
  });
});

describe('a new operator is approved', () => {
  const usual = { approver: person('b'), invitedBy: 'a', joinedUserId: 'c', now };
  test.each([
    ['by another operator', {}, 'go'],
    ['not by an API key', { approver: null }, 'no_person'],
    ['not by somebody who is no operator any more', { approver: person('b', { isOperator: false }) }, 'not_operator'],
    ['not by who invited them', { approver: person('a') }, 'inviter'],
    ['not by themselves', { approver: person('c') }, 'joined'],
    ['not by an operator who is new', { approver: person('b', { establishedAt: later(1) }) }, 'new_operator'],
  ] as const)('%s', (_what, facts, decision) => {
    expect(decideApproval({ ...usual, ...facts })).toBe(decision);
  });
});

describe('two people agree to loosen a rule', () => {
  const usual: AgreementFacts = { asker: person('a'), agreeing: person('b'), areRulesOn: true, now };
  const recent = { invitedBy: 'a', since: ago(30 * dayMs - 1), establishedAt: ago(dayMs) };
  test.each<readonly [string, Partial<AgreementFacts>, ReturnType<typeof decideAgreement>]>([
    ['two established operators agree', {}, 'go'],
    ['nobody asked before', { asker: null }, 'ask'],
    ['who asked is no operator any more', { asker: person('a', { isOperator: false }) }, 'ask'],
    ['an API key agrees to nothing', { agreeing: null }, 'no_person'],
    ['who asked agrees with nobody', { agreeing: person('a') }, 'ask'],
    ['a new operator does not agree', { agreeing: person('b', { establishedAt: later(1) }) }, 'new_operator'],
    ['nobody agrees with a new operator', { asker: person('a', { establishedAt: later(1) }) }, 'asker_is_new'],
    ['not with whom they invited within 30 days', { agreeing: person('b', recent) }, 'invited_recently'],
    ['nor the other way round', { asker: person('b', recent), agreeing: person('a') }, 'invited_recently'],
    ['30 days later the inviter and the invited agree', { agreeing: person('b', { ...recent, since: ago(30 * dayMs) }) }, 'go'],
    ['whom a third invited agrees', { agreeing: person('b', { ...recent, invitedBy: 'z' }) }, 'go'],
    ['where the rules are off a new operator agrees', { agreeing: person('b', { establishedAt: later(1) }), areRulesOn: false }, 'go'],
    ['where the rules are off a key still does not', { agreeing: null, areRulesOn: false }, 'no_person'],
  ])('%s', (_what, facts, decision) => {
    expect(decideAgreement({ ...usual, ...facts })).toBe(decision);
  });
});

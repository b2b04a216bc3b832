import { describe, expect, test } from 'vitest';
import { minuteMs } from '../core/time.ts';
import {
  chargeRules,
  decideResume,
  mayBeLookedUp,
  payoutRules,
  surelyAbsentAt,
  type Calls,
  type ResumeDecision,
  type ResumeRules,
} from './decide-resume.ts';

const hourMs = 60 * minuteMs;
const at = (hours: number) => new Date(Date.UTC(2026, 2, 1, 6) + hours * hourMs);
const provider = { keyLifeMs: 20 * hourMs, absentIsSureAfterMs: hourMs };
const calls: Calls = { keyFrom: at(0), lastCalledAt: at(0), isAccepted: false };

type Facts = { readonly calls?: Partial<Calls>; readonly now?: Date };
const decide = (rules: ResumeRules, found: 'succeeded' | 'declined' | 'pending' | 'unknown' | 'absent', facts: Facts = {}) =>
  decideResume(rules, { calls: { ...calls, ...facts.calls }, provider, found, now: facts.now ?? at(1) });

const protocols = [
  ['a charge', chargeRules],
  ['a payout', payoutRules],
] as const;

describe.each(protocols)('%s', (_which, rules) => {
  test.each(['succeeded', 'declined', 'pending'] as const)('is settled by a look-up that finds it %s', (found) => {
    expect(decide(rules, found)).toBe('settle');
    expect(decide(rules, found, { calls: { isAccepted: true }, now: at(1_000) })).toBe('settle');
  });

  test.each<[string, Facts, ResumeDecision]>([
    ['is sent again with the same key', {}, 'send_again'],
    ['is sent again until the key expires', { now: new Date(at(20).getTime() - 1) }, 'send_again'],
    ['never arrived once the key has expired and the last call has timed out', { now: at(20) }, 'never_arrived'],
    ['is not given up before the last call has timed out', { calls: { lastCalledAt: at(19.5) }, now: at(20) }, 'wait'],
    ['never arrived as soon as the last call has timed out', { calls: { lastCalledAt: at(19.5) }, now: at(20.5) }, 'never_arrived'],
    ['is missing if the provider accepted it before', { calls: { isAccepted: true } }, 'missing'],
    ['is still missing a year later', { calls: { isAccepted: true }, now: at(9_000) }, 'missing'],
  ])('that the provider does not find %s', (_title, facts, decision) => {
    expect(decide(rules, 'absent', facts)).toBe(decision);
  });

  test('that was accepted or whose key has expired waits after an unanswered look-up, without an end', () => {
    expect(decide(rules, 'unknown', { calls: { isAccepted: true } })).toBe('wait');
    expect(decide(rules, 'unknown', { now: at(9_000) })).toBe('wait');
  });

  test('certainly never arrived once its key has expired and the last call has timed out', () => {
    expect(surelyAbsentAt({ keyFrom: at(0), lastCalledAt: at(3) }, provider)).toEqual(at(20));
    expect(surelyAbsentAt({ keyFrom: at(0), lastCalledAt: at(19.5) }, provider)).toEqual(at(20.5));
    expect(surelyAbsentAt({ keyFrom: at(0), lastCalledAt: at(2) }, null)).toEqual(new Date(at(2).getTime() + minuteMs));
  });
});

test('after an unanswered look-up a charge is sent again with the same key, and a payout is not', () => {
  expect([decide(chargeRules, 'unknown'), decide(payoutRules, 'unknown')]).toEqual(['send_again', 'wait']);
});

test('a charge is looked up at once, and a payout a minute after the last call', () => {
  expect(mayBeLookedUp(chargeRules, calls, at(0))).toBe(true);
  expect(mayBeLookedUp(payoutRules, calls, new Date(at(0).getTime() + minuteMs - 1))).toBe(false);
  expect(mayBeLookedUp(payoutRules, calls, new Date(at(0).getTime() + minuteMs))).toBe(true);
});

import { expect, test } from 'vitest';
import { plusDays } from '../core/time.ts';
import type { CaseState, Evidence, RiskRule } from './risk-case.ts';
import { decideRepeatFinding } from './decide-repeat-finding.ts';

const closedAt = new Date('2026-03-01T12:00:00.000Z');
const of = (what: string, found = '1'): Evidence => ({ what, found, compared: null });
const again = (rule: RiskRule, state: CaseState | null, found: readonly Evidence[], days = 30) =>
  decideRepeatFinding({
    rule,
    evidence: found,
    before: state === null ? null : { state, evidence: [of('a')], closedAt: state === 'open' ? null : closedAt },
    now: plusDays(closedAt, days),
  });

test.each<[string, RiskRule, CaseState | null, readonly Evidence[], number, string]>([
  ['nothing before', 'order_rate', null, [of('a')], 30, 'open'],
  ['an open case, the same values', 'order_rate', 'open', [of('a')], 30, 'nothing'],
  ['an open case, other values', 'order_rate', 'open', [of('a', '2')], 30, 'add_evidence'],
  ['an escalated case, other values', 'order_rate', 'escalated', [of('a', '2')], 30, 'add_evidence'],
  ['a released signal, the same values', 'order_rate', 'released', [of('a')], 99, 'nothing'],
  ['a released signal, other values too soon', 'order_rate', 'released', [of('a', '2')], 29, 'nothing'],
  ['a released signal, other values later', 'order_rate', 'released', [of('a', '2')], 30, 'open'],
  ['a released person, the same in common', 'same_person', 'released', [of('a', '2')], 99, 'nothing'],
  ['a released person, less in common', 'same_person', 'released', [], 99, 'nothing'],
  ['a released person, something new in common', 'same_person', 'released', [of('a'), of('b')], 0, 'open'],
  ['an open case of a person, something new in common', 'same_person', 'open', [of('a'), of('b')], 0, 'add_evidence'],
])('%s', (_what, rule, state, found, days, decision) => {
  expect(again(rule, state, found, days)).toBe(decision);
});

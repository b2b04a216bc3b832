import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { decideLimit, limitInForce, type LimitDecision, type LimitFacts } from './decide-limit.ts';

const usual: LimitFacts = { current: cents(5_000), wanted: cents(9_000), requested: null, agreement: 'go', operators: 2 };
const requested = { above: cents(9_000) };

test.each<readonly [string, Partial<LimitFacts>, LimitDecision]>([
  ['keeps the current limit regardless of a pending request', { wanted: cents(5_000), requested }, 'keep'],
  ['keeps the absence of a limit', { current: null, wanted: null }, 'keep'],
  ['applies a lower limit immediately', { wanted: cents(4_999) }, 'set'],
  ['applies the first limit immediately, however high', { current: null }, 'set'],
  ['rejects a lower limit by a sole operator', { wanted: cents(4_999), operators: 1 }, 'alone'],
  ['rejects the first limit by a sole operator', { current: null, operators: 1 }, 'alone'],
  ['a higher limit awaits a second person', {}, 'ask'],
  ['a higher limit by a sole operator awaits a second person', { operators: 1 }, 'ask'],
  ['removing the limit awaits a second person', { wanted: null }, 'ask'],
  ['a different limit than the requested one waits again', { wanted: cents(9_001), requested }, 'ask'],
  ['removing the limit is a different request', { wanted: null, requested }, 'ask'],
  ['a requester cannot agree with their own request', { requested, agreement: 'ask' }, 'ask'],
  ['an API key cannot agree', { requested, agreement: 'no_person' }, 'no_person'],
  ['a new operator cannot agree', { requested, agreement: 'new_operator' }, 'new_operator'],
  ['a recently invited operator cannot agree with the inviter', { requested, agreement: 'invited_recently' }, 'invited_recently'],
  ['two people who request the same higher limit set it', { requested }, 'set'],
  ['two people who request no limit remove it', { wanted: null, requested: { above: null } }, 'set'],
])('%s', (_what, facts, decision) => {
  expect(decideLimit({ ...usual, ...facts })).toBe(decision);
});

test.each([
  ['live mode has a limit of 1,000 USD by default', { secondPersonAboveCents: null, hasNoLimit: false }, 'live', 100_000n],
  ['the sandbox has none by default', { secondPersonAboveCents: null, hasNoLimit: false }, 'sandbox', null],
  ['two people may remove the limit in live mode', { secondPersonAboveCents: null, hasNoLimit: true }, 'live', null],
  ['a saved limit is in force in both modes', { secondPersonAboveCents: cents(7), hasNoLimit: false }, 'sandbox', 7n],
] as const)('%s', (_what, kept, mode, limit) => {
  expect(limitInForce(kept, mode)).toBe(limit);
});

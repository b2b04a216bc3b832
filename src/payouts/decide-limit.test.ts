import { expect, test } from 'vitest';
import { cents } from '../platform/money.ts';
import { decideLimit, limitInForce, type LimitDecision, type LimitFacts } from './decide-limit.ts';

const usual: LimitFacts = { current: cents(5_000), wanted: cents(9_000), asked: null, agreement: 'go', operators: 2 };
const asked = { above: cents(9_000) };

test.each<readonly [string, Partial<LimitFacts>, LimitDecision]>([
  ['what it is already stays, whoever asked for something else', { wanted: cents(5_000), asked }, 'keep'],
  ['where no payout needs one, it stays so', { current: null, wanted: null }, 'keep'],
  ['a lower one is set at once', { wanted: cents(4_999) }, 'set'],
  ['the first one too, however high', { current: null }, 'set'],
  ['a sole operator does not lock themselves out by a lower one', { wanted: cents(4_999), operators: 1 }, 'alone'],
  ['nor by the first one', { current: null, operators: 1 }, 'alone'],
  ['a higher one waits', {}, 'ask'],
  ['a higher one of a sole operator waits', { operators: 1 }, 'ask'],
  ['none at all waits', { wanted: null }, 'ask'],
  ['another one than was asked for waits anew', { wanted: cents(9_001), asked }, 'ask'],
  ['none is another one', { wanted: null, asked }, 'ask'],
  ['who asked agrees with nobody', { asked, agreement: 'ask' }, 'ask'],
  ['a key agrees to nothing', { asked, agreement: 'no_person' }, 'no_person'],
  ['a new operator agrees to nothing', { asked, agreement: 'new_operator' }, 'new_operator'],
  ['nor do the inviter and the invited', { asked, agreement: 'invited_recently' }, 'invited_recently'],
  ['two people who want the same higher one have it', { asked }, 'set'],
  ['or the same none', { wanted: null, asked: { above: null } }, 'set'],
])('%s', (_what, facts, decision) => {
  expect(decideLimit({ ...usual, ...facts })).toBe(decision);
});

test.each([
  ['live mode has a limit of 1,000 USD by default', { secondPersonAboveCents: null, hasNoLimit: false }, 'live', 100_000n],
  ['the sandbox has none by default', { secondPersonAboveCents: null, hasNoLimit: false }, 'sandbox', null],
  ['two people may decide on none in live mode', { secondPersonAboveCents: null, hasNoLimit: true }, 'live', null],
  ['what was set is in force in both modes', { secondPersonAboveCents: cents(7), hasNoLimit: false }, 'sandbox', 7n],
] as const)('%s', (_what, kept, mode, limit) => {
  expect(limitInForce(kept, mode)).toBe(limit);
});

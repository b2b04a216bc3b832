import { expect, test } from 'vitest';
import { decideFee, feeBasisPointsMax, type FeeDecision, type FeeFacts } from './decide-fee.ts';

const usual: FeeFacts = { current: 500, wanted: 700, next: null, asked: 700, agreement: 'go', areRulesOn: true };

test.each<readonly [string, Partial<FeeFacts>, FeeDecision]>([
  ['a higher fee that two people want is announced', {}, 'announce'],
  ['the fee in force stays as it is', { wanted: 500 }, 'keep'],
  ['a fee above the cap is refused', { wanted: feeBasisPointsMax + 1, areRulesOn: false }, 'above_cap'],
  ['the cap itself is not above it', { wanted: feeBasisPointsMax, asked: feeBasisPointsMax }, 'announce'],
  ['a fee above the cap from before there was one stays', { current: 9_000, wanted: 9_000 }, 'keep'],
  ['a lower fee is charged from now on', { wanted: 499, agreement: 'no_person' }, 'set'],
  ['where the rules are off one person raises it', { areRulesOn: false, asked: null, agreement: 'ask' }, 'set'],
  ['what is announced already is not announced again', { next: 700 }, 'keep'],
  ['a higher fee waits for a second person', { asked: null, agreement: 'ask' }, 'ask'],
  ['another one than was asked for waits anew', { wanted: 701 }, 'ask'],
  ['who asked agrees with nobody', { agreement: 'ask' }, 'ask'],
  ['a key agrees to nothing', { agreement: 'no_person' }, 'no_person'],
  ['a new operator agrees to nothing', { agreement: 'new_operator' }, 'new_operator'],
  ['nor do the inviter and the invited', { agreement: 'invited_recently' }, 'invited_recently'],
])('%s', (_what, facts, decision) => {
  expect(decideFee({ ...usual, ...facts })).toBe(decision);
});

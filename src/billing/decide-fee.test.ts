import { expect, test } from 'vitest';
import { decideFee, feeBasisPointsMax, type FeeDecision, type FeeFacts } from './decide-fee.ts';

const usual: FeeFacts = { current: 500, wanted: 700, next: null, requested: 700, agreement: 'go', areRulesOn: true };

test.each<readonly [string, Partial<FeeFacts>, FeeDecision]>([
  ['a higher fee that two people want is announced', {}, 'announce'],
  ['keeps the fee in force', { wanted: 500 }, 'keep'],
  ['rejects a fee above the cap', { wanted: feeBasisPointsMax + 1, areRulesOn: false }, 'above_cap'],
  ['accepts a fee at the cap', { wanted: feeBasisPointsMax, requested: feeBasisPointsMax }, 'announce'],
  ['keeps a fee above the cap that predates the cap', { current: 9_000, wanted: 9_000 }, 'keep'],
  ['applies a lower fee immediately', { wanted: 499, agreement: 'no_person' }, 'set'],
  ['lets one person raise the fee if the rules are off', { areRulesOn: false, requested: null, agreement: 'ask' }, 'set'],
  ['does not repeat an announcement', { next: 700 }, 'keep'],
  ['a higher fee waits for a second person', { requested: null, agreement: 'ask' }, 'ask'],
  ['a different fee than the requested one waits again', { wanted: 701 }, 'ask'],
  ['a requester cannot agree with their own request', { agreement: 'ask' }, 'ask'],
  ['an API key cannot agree', { agreement: 'no_person' }, 'no_person'],
  ['a new operator cannot agree', { agreement: 'new_operator' }, 'new_operator'],
  ['a recently invited operator cannot agree with the inviter', { agreement: 'invited_recently' }, 'invited_recently'],
])('%s', (_what, facts, decision) => {
  expect(decideFee({ ...usual, ...facts })).toBe(decision);
});

import { expect, test } from 'vitest';
import { decideWarning, type WarningEvent, type WarningState } from './decide-warning.ts';

const endOf = (event: WarningEvent, state: WarningState | null, over: { isMore?: boolean; isUnmatched?: boolean } = {}) => {
  const decision = decideWarning(event, { state, isMore: false, isUnmatched: false, ...over });
  return decision.do === 'nothing' ? 'nothing' : `${decision.do} as ${decision.as}`;
};

test.each<[WarningEvent, WarningState | null, string]>([
  ['opened', null, 'hold as open'],
  ['opened', 'open', 'nothing'],
  ['opened', 'won', 'nothing'],
  ['opened', 'lost', 'nothing'],
  ['opened', 'released', 'nothing'],
  ['won', null, 'remember as won'],
  ['won', 'open', 'release as won'],
  ['won', 'won', 'nothing'],
  ['won', 'lost', 'nothing'],
  ['won', 'released', 'nothing'],
  ['lost', null, 'hold as lost'],
  ['lost', 'open', 'remember as lost'],
  ['lost', 'won', 'hold as lost'],
  ['lost', 'lost', 'nothing'],
  ['lost', 'released', 'hold as lost'],
])('the event "%s" for a charge that is %s gives: %s', (event, state, end) => {
  expect(endOf(event, state)).toBe(end);
});

test('a refund larger than the released one opens a case again, and a repeated report does not', () => {
  expect(endOf('opened', 'released', { isMore: true })).toBe('hold as open');
  expect(endOf('opened', 'won', { isMore: true })).toBe('nothing');
});

test('an unmatched charge that is returned keeps nothing back', () => {
  for (const event of ['opened', 'won', 'lost'] as const) expect(endOf(event, null, { isUnmatched: true })).toBe('nothing');
});

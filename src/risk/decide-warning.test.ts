import { expect, test } from 'vitest';
import { decideWarning, type WarningEvent, type WarningState } from './decide-warning.ts';

const endOf = (event: WarningEvent, state: WarningState | null, over: { isMore?: boolean; isStray?: boolean } = {}) => {
  const decision = decideWarning(event, { state, isMore: false, isStray: false, ...over });
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
])('%s, where the charge is %s: %s', (event, state, end) => {
  expect(endOf(event, state)).toBe(end);
});

test('a larger refund than an operator released opens a case again, a report of the same does not', () => {
  expect(endOf('opened', 'released', { isMore: true })).toBe('hold as open');
  expect(endOf('opened', 'won', { isMore: true })).toBe('nothing');
});

test('money that nobody owed keeps nothing back when it goes again', () => {
  for (const event of ['opened', 'won', 'lost'] as const) expect(endOf(event, null, { isStray: true })).toBe('nothing');
});

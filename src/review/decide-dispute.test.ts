import { expect, test } from 'vitest';
import { commissionStates } from '../commissions/commission-states.ts';
import { decideDispute, declinedDisputesMax, type DisputeFacts } from './decide-dispute.ts';

const good: DisputeFacts = { commission: { state: 'rejected' }, hasOpen: false, declinedBefore: 0 };

/** Each row would have another result if a later rule came first. */
test.each<[end: string, facts: Partial<DisputeFacts>]>([
  ['not_found', { commission: null, hasOpen: true }],
  ['open', { hasOpen: true, commission: { state: 'pending' } }],
  ['not_rejected', { commission: { state: 'pending' }, declinedBefore: declinedDisputesMax }],
  ['too_often', { declinedBefore: declinedDisputesMax }],
  ['opened', { declinedBefore: declinedDisputesMax - 1 }],
])('answers %s for %o', (end, facts) => {
  const decision = decideDispute({ ...good, ...facts });
  expect(decision.do === 'refuse' ? decision.why : 'opened').toBe(end);
});

test('accepts a dispute only of a rejected commission', () => {
  for (const state of commissionStates)
    expect(decideDispute({ ...good, commission: { state } }).do).toBe(state === 'rejected' ? 'open' : 'refuse');
});

import { expect, test } from 'vitest';
import { commissionStates } from '../commissions/commission.ts';
import { decideDispute, declinedMax, type DisputeFacts } from './decide-dispute.ts';

const good: DisputeFacts = { commission: { state: 'rejected' }, hasOpen: false, declinedBefore: 0 };

/** Each row would be answered otherwise by a row below it. */
test.each<[end: string, facts: Partial<DisputeFacts>]>([
  ['not_found', { commission: null, hasOpen: true }],
  ['open', { hasOpen: true, commission: { state: 'pending' } }],
  ['not_rejected', { commission: { state: 'pending' }, declinedBefore: declinedMax }],
  ['too_often', { declinedBefore: declinedMax }],
  ['opened', { declinedBefore: declinedMax - 1 }],
])('a dispute ends with %s where %o', (end, facts) => {
  const decision = decideDispute({ ...good, ...facts });
  expect(decision.do === 'refuse' ? decision.why : 'opened').toBe(end);
});

test('nothing but a rejection can be disputed', () => {
  for (const state of commissionStates)
    expect(decideDispute({ ...good, commission: { state } }).do).toBe(state === 'rejected' ? 'open' : 'refuse');
});

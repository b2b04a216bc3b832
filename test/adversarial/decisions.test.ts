import { expect, test } from 'vitest';
import { merchantIn, openSharedMerchant } from '../support/merchant.ts';
import { expectLedgerBalanced, reviewerOf } from '../support/review.ts';

/** Several people decide on one commission, and one of them then undoes a decision or accepts a dispute. */
const first = await openSharedMerchant();

const fresh = async () => merchantIn(first.service, await first.service.seed());

test('accepting a dispute about a commission that was approved meanwhile does not undo the approval', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const { commissionId } = await reviewer.sale();
  await reviewer.results('reject', [commissionId], { reason: 'own order' });
  const dispute = { store_id: own.world.store.id, commission_id: commissionId, text: 'A friend of mine bought it.' };
  const { json } = await own.api('POST', `/creators/${own.world.creator.id}/disputes`, dispute);
  await reviewer.results('approve', [commissionId]);
  const accepted = await own.api('POST', `/stores/${own.world.store.id}/disputes/${json.id}/accept`, {});
  expect([accepted.json.state, await reviewer.stateOf(commissionId)]).toEqual(['accepted', 'approved']);
  expect((await reviewer.history(commissionId)).map(({ action }) => action)).toEqual(['approve', 'reject']);
  await expectLedgerBalanced(own);
});

test('a release and the approval after it are undone together: the commission is pending again, and held', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const { commissionId } = await reviewer.sale();
  await reviewer.results('hold', [commissionId], { reason: 'fraud_review' });
  const [released] = (await reviewer.act('release', { ids: [commissionId] })).json.decided;
  const [approved] = (await reviewer.act('approve', { ids: [commissionId] })).json.decided;
  const range = { first: released.first, last: approved.last };
  const { status, json } = await own.api('POST', `/stores/${own.world.store.id}/commissions/undo`, range);
  expect([status, json.counts.ok, await reviewer.stateOf(commissionId)]).toEqual([200, 2, 'pending, held (fraud_review)']);
  await expectLedgerBalanced(own);
});

test('an approval and the hold after it are undone together: the commission is pending again, and not held', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const { commissionId } = await reviewer.sale();
  const [approved] = (await reviewer.act('approve', { ids: [commissionId] })).json.decided;
  const [held] = (await reviewer.act('hold', { ids: [commissionId], reason: 'dispute' })).json.decided;
  const range = { first: approved.first, last: held.last };
  const { status, json } = await own.api('POST', `/stores/${own.world.store.id}/commissions/undo`, range);
  expect([status, json.counts.ok, await reviewer.stateOf(commissionId)]).toEqual([200, 2, 'pending']);
  await expectLedgerBalanced(own);
});

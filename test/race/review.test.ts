import { afterAll, expect, test } from 'vitest';
import { openMerchant, type ApiResponse } from '../support/merchant.ts';
import { expectLedgerBalanced, openMany, reviewerOf } from '../support/review.ts';
import { sizeOf } from '../support/size.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const reviewer = reviewerOf(merchant);

const rounds = sizeOf('otherRaces');
const wentWell = (all: readonly ApiResponse[]) => all.filter(({ status }) => status >= 500).map(({ text }) => text);

test('a concurrent approval, rejection and reversal: all records agree on one outcome, and no request fails with a 5xx', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { orderId, commissionId } = await reviewer.sale();
    const ids = [commissionId];
    const response = await Promise.all([
      reviewer.act('approve', { ids }),
      merchant.reverse({ order_id: orderId }),
      reviewer.act('reject', { ids }),
    ]);
    expect(wentWell(response)).toEqual([]);
    expect(response[1].json.reason).toBe('recorded');
    expect(await reviewer.stateOf(commissionId)).toBe('reversed');
  }
  await expectLedgerBalanced(merchant);
});

test('a concurrent rejection and approval: the last history entry matches the state', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { commissionId } = await reviewer.sale();
    const ids = [commissionId];
    const response = await Promise.all((['reject', 'approve', 'reject', 'approve'] as const).map((path) => reviewer.act(path, { ids })));
    expect(wentWell(response)).toEqual([]);
    const ends = { reject: 'rejected', approve: 'approved', hold: '', release: '', reopen: 'pending' } as const;
    const [last] = await reviewer.history(commissionId);
    expect(await reviewer.stateOf(commissionId)).toBe(ends[last.action as keyof typeof ends]);
  }
  await expectLedgerBalanced(merchant);
});

test('a concurrent hold and reversal: either it is held and the reversal waits, or it is reversed and cannot be held', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { orderId, commissionId } = await reviewer.sale();
    const [held, reversed] = await Promise.all([reviewer.act('hold', { ids: [commissionId] }), merchant.reverse({ order_id: orderId })]);
    const ends = [held.json.results[commissionId], reversed.json.reason, await reviewer.stateOf(commissionId)].join(' ');
    expect(['ok active_hold pending, held (dispute)', 'reversed recorded reversed']).toContain(ends);
  }
  await expectLedgerBalanced(merchant);
});

test('large concurrent decisions, from both ends and by filter: no errors, and the ledger is right', async () => {
  const ids = await openMany(merchant, 3_000);
  const some = ids.slice(0, 1_000);
  const response = await Promise.all([
    reviewer.act('approve', { filter: {} }),
    reviewer.act('reject', { filter: {} }),
    reviewer.act('reject', { ids: some.toReversed() }),
    reviewer.act('approve', { ids: some }),
    reviewer.act('reopen', { ids: ids.slice(500, 1_500) }),
  ]);
  expect(wentWell(response)).toEqual([]);
  await expectLedgerBalanced(merchant);
});

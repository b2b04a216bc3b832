import { expect, test } from 'vitest';
import type { HoldReason } from '../commissions/commission.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import { newId } from '../core/ids.ts';
import { cents, noCents } from '../core/money.ts';
import { decideReview, type ReviewAction, type ReviewFacts } from './decide-review.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const money = { storeId: newId<'store'>(now), creatorId: newId<'crt'>(now), amount: cents(1_001) };
const decisionId = newId<'dec'>(now);

type CommissionCase = {
  readonly state: CommissionState;
  readonly held?: HoldReason;
  readonly isHeldByPlatform?: boolean;
  readonly isByPlatform?: boolean;
  readonly isInPayout?: boolean;
};
const facts = (
  { state, held, isHeldByPlatform = false, isByPlatform = false, isInPayout = false }: CommissionCase,
  amount = money.amount,
): ReviewFacts => ({
  now,
  isByPlatform,
  decisionId,
  commission: { state, heldReason: held ?? null, isHeldByPlatform, isInPayout, money: { ...money, amount } },
});

const actions = {
  approve: { do: 'approve', note: null },
  reject: { do: 'reject', reason: 'returned', note: null },
  reopen: { do: 'reopen', note: null },
  hold: { do: 'hold', reason: 'dispute', note: null },
  release: { do: 'release', note: null },
} as const satisfies Record<string, ReviewAction>;

/** The result if nothing changes, otherwise the transfers. */
function outcomeOf(action: keyof typeof actions, commission: CommissionCase): string {
  const decision = decideReview(actions[action], facts(commission));
  if (decision.do === 'leave') return decision.result;
  expect(decision.postings.every(({ source }) => source.kind === 'decision' && source.id === decisionId)).toBe(true);
  return `changed${decision.postings.map(({ debit, credit, amount }) => `: ${amount} from ${debit} to ${credit}`).join()}`;
}

const accrued = 'changed: 1001 from expected to to_creators';
const accrualReversed = 'changed: 1001 from to_creators to expected';

/** Each row would have another result if a later rule came first. */
test.each<[action: keyof typeof actions, commission: CommissionCase, end: string]>([
  ['approve', { state: 'reversed', held: 'dispute' }, 'reversed'],
  ['approve', { state: 'billed', held: 'dispute' }, 'billed'],
  ['approve', { state: 'collected' }, 'billed'],
  ['approve', { state: 'paid' }, 'billed'],
  ['approve', { state: 'approved', held: 'dispute' }, 'ok'],
  ['approve', { state: 'pending', held: 'early_reversal' }, 'held'],
  ['approve', { state: 'rejected', held: 'creator_suspended' }, 'held'],
  ['approve', { state: 'rejected' }, accrued],
  ['approve', { state: 'pending' }, 'changed'],

  ['reject', { state: 'reversed', held: 'dispute' }, 'reversed'],
  ['reject', { state: 'billed', held: 'dispute' }, 'billed'],
  ['reject', { state: 'rejected', held: 'dispute' }, 'ok'],
  ['reject', { state: 'approved', held: 'merchant_request' }, 'held'],
  ['reject', { state: 'approved' }, accrualReversed],
  ['reject', { state: 'pending' }, accrualReversed],

  ['reopen', { state: 'reversed', held: 'dispute' }, 'reversed'],
  ['reopen', { state: 'paid', held: 'dispute' }, 'billed'],
  ['reopen', { state: 'pending', held: 'dispute' }, 'ok'],
  ['reopen', { state: 'rejected', held: 'dispute' }, 'held'],
  ['reopen', { state: 'rejected' }, accrued],
  ['reopen', { state: 'approved' }, 'changed'],

  ['hold', { state: 'reversed', held: 'dispute' }, 'reversed'],
  ['hold', { state: 'rejected', held: 'dispute' }, 'rejected'],
  ['hold', { state: 'paid', held: 'dispute', isInPayout: true }, 'billed'],
  ['hold', { state: 'collected', held: 'dispute', isInPayout: true }, 'ok'],
  ['hold', { state: 'collected', held: 'fraud_review', isInPayout: true }, 'held'],
  ['hold', { state: 'collected', isInPayout: true }, 'conflict'],
  ['hold', { state: 'collected' }, 'changed'],
  ['hold', { state: 'billed' }, 'changed'],
  ['hold', { state: 'approved' }, 'changed'],
  ['hold', { state: 'pending' }, 'changed'],

  ['release', { state: 'reversed', held: 'fraud_review', isHeldByPlatform: true }, 'reversed'],
  ['release', { state: 'pending', held: 'fraud_review', isHeldByPlatform: true }, 'held'],
  ['release', { state: 'collected', held: 'fraud_review', isHeldByPlatform: true, isByPlatform: true }, 'changed'],
  ['release', { state: 'reversed' }, 'reversed'],
  ['release', { state: 'collected' }, 'not_held'],
  ['release', { state: 'collected', held: 'dispute' }, 'changed'],
  ['release', { state: 'pending', held: 'creator_suspended' }, 'changed'],
])('%s of %o gives: %s', (action, commission, end) => {
  expect(outcomeOf(action, commission)).toBe(end);
});

test('answers ok and changes nothing if the commission is already in the target state', () => {
  const goals = { approve: 'approved', reject: 'rejected', reopen: 'pending' } as const;
  for (const action of ['approve', 'reject', 'reopen'] as const) expect(outcomeOf(action, { state: goals[action] })).toBe('ok');
  expect(outcomeOf('hold', { state: 'pending', held: actions.hold.reason })).toBe('ok');
});

test('decides on a commission of 0 like on any other, without transfers', () => {
  for (const action of ['approve', 'reject', 'reopen'] as const) {
    for (const state of ['pending', 'approved', 'rejected'] as const) {
      const decision = decideReview(actions[action], facts({ state }, noCents));
      expect(decision.do === 'change' ? decision.postings : []).toEqual([]);
    }
  }
  expect(decideReview(actions.reject, facts({ state: 'pending' }, noCents)).do).toBe('change');
});

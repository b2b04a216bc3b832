import { expect, test } from 'vitest';
import type { CommissionState, HoldReason } from '../commissions/commission.ts';
import { newId } from '../platform/ids.ts';
import { cents, noCents } from '../platform/money.ts';
import { decideReview, type ReviewAction, type ReviewFacts } from './decide-review.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const money = { storeId: newId<'store'>(now), creatorId: newId<'crt'>(now), amount: cents(1_001) };
const decisionId = newId<'dec'>(now);

type Standing = {
  readonly state: CommissionState;
  readonly held?: HoldReason;
  readonly isHeldByPlatform?: boolean;
  readonly isByPlatform?: boolean;
  readonly isInPayout?: boolean;
};
const facts = (
  { state, held, isHeldByPlatform = false, isByPlatform = false, isInPayout = false }: Standing,
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

/** What becomes of it: a word where nothing changes, else where the money goes. */
function endOf(action: keyof typeof actions, standing: Standing): string {
  const decision = decideReview(actions[action], facts(standing));
  if (decision.do === 'leave') return decision.word;
  expect(decision.postings.every(({ source }) => source.kind === 'decision' && source.id === decisionId)).toBe(true);
  return `changed${decision.postings.map(({ debit, credit, amount }) => `: ${amount} from ${debit} to ${credit}`).join()}`;
}

const accrued = 'changed: 1001 from expected to to_creators';
const undone = 'changed: 1001 from to_creators to expected';

/** Each row would be answered otherwise by a row below it. */
test.each<[action: keyof typeof actions, standing: Standing, end: string]>([
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
  ['reject', { state: 'approved' }, undone],
  ['reject', { state: 'pending' }, undone],

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
])('%s of %o ends with: %s', (action, standing, end) => {
  expect(endOf(action, standing)).toBe(end);
});

test('nothing is decided twice: where an action leads, it finds so already', () => {
  const goals = { approve: 'approved', reject: 'rejected', reopen: 'pending' } as const;
  for (const action of ['approve', 'reject', 'reopen'] as const) expect(endOf(action, { state: goals[action] })).toBe('ok');
  expect(endOf('hold', { state: 'pending', held: actions.hold.reason })).toBe('ok');
});

test('a commission of 0 is decided like any other, and moves no money', () => {
  for (const action of ['approve', 'reject', 'reopen'] as const) {
    for (const state of ['pending', 'approved', 'rejected'] as const) {
      const decision = decideReview(actions[action], facts({ state }, noCents));
      expect(decision.do === 'change' ? decision.postings : []).toEqual([]);
    }
  }
  expect(decideReview(actions.reject, facts({ state: 'pending' }, noCents)).do).toBe('change');
});

import { expect, test } from 'vitest';
import type { Commission, ReviewAction, ReviewWord } from './commissions-api.ts';
import { undoneCount, undoOf } from './review-undo.ts';

const pending: Commission = {
  id: 'com_1',
  state: 'pending',
  held: null,
  program_id: 'prog_1',
  creator_id: 'crt_1',
  creator_name: 'Cora',
  order_id: '1',
  invoice_id: null,
  amount_cents: 100,
  eligible_cents: 1_000,
  clicked_at: null,
  occurred_at: '2026-03-01T12:00:00.000Z',
  recorded_at: '2026-03-01T12:00:00.000Z',
  hold_until: '2026-03-31T12:00:00.000Z',
  auto_approve_at: null,
  approved_at: null,
  rejected_at: null,
  reversed_at: null,
  terms_version: 1,
  explanation: '',
  order_name: null,
  customer_id: null,
  discount_code: null,
  rejected_reason: null,
  rejected_note: null,
  reversal_reason: null,
};
const approved: Commission = { ...pending, id: 'com_2', state: 'approved' };
const rejected: Commission = { ...pending, id: 'com_3', state: 'rejected', rejected_reason: 'returned', rejected_note: 'late' };
const held = (reason: 'dispute' | 'creator_suspended'): Commission => ({ ...pending, held: { reason, by: 'user_1', since: '' } });

const reject: ReviewAction = { do: 'reject', reason: 'fake', note: null };
const hold: ReviewAction = { do: 'hold', reason: 'dispute', note: null };

test.each<readonly [did: ReviewAction['do'], what: string, action: ReviewAction, before: Commission, undo: ReviewAction | null]>([
  ['approve', 'what was pending', { do: 'approve' }, pending, { do: 'reopen' }],
  ['approve', 'what was approved already', { do: 'approve' }, approved, null],
  ['approve', 'what was rejected', { do: 'approve' }, rejected, { do: 'reject', reason: 'returned', note: 'late' }],
  ['reject', 'what was pending', reject, pending, { do: 'reopen' }],
  ['reject', 'what was approved', reject, approved, { do: 'approve' }],
  ['reject', 'what was rejected already', reject, rejected, null],
  ['reopen', 'what was approved', { do: 'reopen' }, approved, { do: 'approve' }],
  ['reopen', 'what was rejected', { do: 'reopen' }, rejected, { do: 'reject', reason: 'returned', note: 'late' }],
  ['reopen', 'what was pending already', { do: 'reopen' }, pending, null],
  ['hold', 'what was free', hold, pending, { do: 'release' }],
  ['hold', 'what was held already', hold, held('dispute'), null],
  ['release', 'what a person held', { do: 'release' }, held('dispute'), { do: 'hold', reason: 'dispute', note: null }],
  ['release', 'what the house held', { do: 'release' }, held('creator_suspended'), null],
])('to %s %s is taken back by what stood before', (_did, _what, action, before, undo) => {
  expect(undoOf(action, [before], new Map([[before.id, 'ok']]))).toEqual(undo === null ? [] : [{ action: undo, ids: [before.id] }]);
});

test.each<ReviewWord>(['held', 'billed', 'reversed', 'rejected', 'not_found', 'not_held', 'conflict'])(
  'what was answered with "%s" did not change, and is not taken back',
  (word) => {
    expect(undoOf({ do: 'approve' }, [pending], new Map([[pending.id, word]]))).toEqual([]);
    expect(undoOf({ do: 'approve' }, [pending], new Map())).toEqual([]);
  },
);

test('many are taken back together, each kind at once', () => {
  const others = [4, 5, 6].map((place) => ({ ...pending, id: `com_${place}` }));
  const before = [pending, rejected, ...others];
  const undo = undoOf({ do: 'approve' }, before, new Map(before.map(({ id }) => [id, 'ok'])));
  expect(undo).toEqual([
    { action: { do: 'reopen' }, ids: ['com_1', 'com_4', 'com_5', 'com_6'] },
    { action: { do: 'reject', reason: 'returned', note: 'late' }, ids: ['com_3'] },
  ]);
  expect(undoneCount(undo)).toBe(5);
});

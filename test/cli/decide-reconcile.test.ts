import { expect, test } from 'vitest';
import { decideReconcile, type KnownOrder, type StoreOrder } from '../../cli/decide-reconcile.ts';

const order: StoreOrder = { line: 2, orderId: '1', clickId: 'rmc_a', namesPartner: false, subtotalCents: 500, isRefunded: false };
const known: KnownOrder = { recorded: { subtotalCents: 500 }, isReversed: false, refusal: null, reversalRefusal: null };

const refusal = { reason: 'unknown_referral_click', why: 'why' };
const noCreator = { reason: 'missing_referral_click', why: 'no click' };

// Each row also breaks what is asked below it.
test.each<readonly [string, Partial<StoreOrder>, Partial<KnownOrder> | null, object]>([
  ['reported without a creator', { clickId: null, isRefunded: true }, { recorded: null, refusal: noCreator }, { is: 'no_click' }],
  ['its click was not reported', { isRefunded: true }, { recorded: null, refusal: noCreator }, { is: 'refused', why: 'no click' }],
  ['refused, and never recorded', { clickId: null, isRefunded: true }, { recorded: null, refusal }, { is: 'refused', why: 'why' }],
  ['no click, and never recorded', { clickId: null, isRefunded: true }, null, { is: 'no_click' }],
  ['refunded before it was ever reported', { isRefunded: true }, null, { is: 'matched' }],
  ['never reported', {}, null, { is: 'never_posted' }],
  ['never reported, with a code and no click', { clickId: null, namesPartner: true }, null, { is: 'never_posted' }],
  ['only its refund was reported', {}, { recorded: null, reversalRefusal: 'unknown_order' }, { is: 'never_posted' }],
  ['the refund was refused', { isRefunded: true, subtotalCents: 1 }, { reversalRefusal: 'late' }, { is: 'refund_refused', why: 'late' }],
  ['the refund was never reported', { isRefunded: true, subtotalCents: 1 }, {}, { is: 'refund_missing' }],
  ['reversed there only', { subtotalCents: 1 }, { isReversed: true }, { is: 'reversed_only_there' }],
  ['another amount', { subtotalCents: 1 }, {}, { is: 'amount_differs', recordedCents: 500 }],
  ['an amount that is not kept any more', { subtotalCents: 1 }, { recorded: { subtotalCents: null } }, { is: 'matched' }],
  ['refused at first, then recorded', {}, { refusal }, { is: 'matched' }],
  ['refunded at the second try', { isRefunded: true }, { isReversed: true, reversalRefusal: 'active_hold' }, { is: 'matched' }],
])('%s', (_case, own, theirs, finding) => {
  expect(decideReconcile({ ...order, ...own }, theirs === null ? null : { ...known, ...theirs })).toEqual(finding);
});

import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { decideLoss, decideReinvoice, type RefundFacts } from './decide-provider-refund.ts';

const facts = (over: Partial<RefundFacts> = {}): RefundFacts => ({
  chargeState: 'succeeded',
  chargedCents: cents(5_000),
  refundedCents: cents(5_000),
  bookedCents: cents(0),
  isTakenBack: false,
  ...over,
});
const go = (amount: number) => ({ do: 'go', amount: cents(amount) });
const refuse = (why: string) => ({ do: 'refuse', why });

test.each([
  ['a whole refund', {}, go(5_000), go(5_000)],
  ['a refund in part', { refundedCents: cents(1) }, go(1), refuse('in_part')],
  ['all but a cent', { refundedCents: cents(4_999) }, go(4_999), refuse('in_part')],
  ['more than was charged', { refundedCents: cents(9_000) }, go(5_000), go(5_000)],
  ['a part that is booked', { bookedCents: cents(2_000) }, go(3_000), go(5_000)],
  ['all of it booked', { bookedCents: cents(5_000) }, refuse('nothing_left'), go(5_000)],
  ['no amount', { refundedCents: null }, refuse('amount_unknown'), refuse('amount_unknown')],
  ['a charge without an end', { chargeState: 'unknown' }, refuse('not_charged'), refuse('not_charged')],
  ['a charge that was taken back', { isTakenBack: true, chargeState: 'unknown' }, refuse('taken_back'), refuse('taken_back')],
] as const)('decides on %s', (_what, over, loss, reinvoice) => {
  expect(decideLoss(facts(over))).toEqual(loss);
  expect(decideReinvoice(facts(over))).toEqual(reinvoice);
});

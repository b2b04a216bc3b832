import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { balanceOf, blockReasons } from './balance.ts';

export const getBalance = endpoint({
  summary: "Where a creator's money is, when the next payout comes, and what blocks the rest",
  access: { who: 'creator', permission: 'creator:read' },
  reply: T.Object({
    available_cents: centsField('Paid by merchants, and free to be paid out'),
    in_payout_cents: centsField('In a payout that is on its way'),
    paid_cents: centsField('Paid out so far'),
    in_hold_cents: centsField('Within its refund hold'),
    waiting_for_merchant_cents: centsField('To be approved, to be billed, or billed and not paid yet'),
    held_cents: centsField('Under review by the merchant or the platform'),
    reserved_cents: centsField('Paid by new stores, and kept until their reserve period is over'),
    next_payout: T.Object({ at: T.String(), amount_cents: centsField(), minimum_cents: centsField() }),
    blocks: T.Array(
      T.Object({ reason: T.Enum([...blockReasons]), amount_cents: centsField(), until: orNull(T.String()), message: T.String() }),
    ),
  }),
  async handle({ platform, db, ids, now }) {
    const { next, blocks, ...sums } = await balanceOf(db, ids.creator, { mode: platform.config.mode, now });
    return {
      available_cents: sums.available,
      in_payout_cents: sums.inPayout,
      paid_cents: sums.paid,
      in_hold_cents: sums.inHold,
      waiting_for_merchant_cents: sums.waiting,
      held_cents: sums.held,
      reserved_cents: sums.reserved,
      next_payout: { at: isoTime(next.at), amount_cents: next.amount, minimum_cents: next.minimum },
      blocks: blocks.map(({ reason, amount, until, message }) => ({
        reason,
        amount_cents: amount,
        until: isoTimeOrNull(until),
        message,
      })),
    };
  },
});

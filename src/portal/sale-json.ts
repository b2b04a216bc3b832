import { Type as T, type Static } from 'typebox';
import { commissionStates, holdReasons } from '../commissions/commission.ts';
import type { ListedCommission } from '../commissions/list-sql.ts';
import { centsField, isoTime, isoTimeOrNull, orNull, singleAmountField } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { payStepWords, payWords, type PayDate } from './decide-pay-date.ts';

/** A sale as its creator sees it. What the merchant told about the buyer and the order is not in it, and cannot get in. */
export const saleJson = T.Object({
  id: T.String(),
  state: T.Enum(commissionStates),
  held: orNull(T.Object({ reason: T.Enum(holdReasons), since: T.String() })),
  store_id: T.String(),
  store_name: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String({ description: 'The invoice of a subscription, where it was no single order' })),
  sub_id: orNull(T.String({ description: 'What you added to the link as ?sub=' })),
  amount_cents: centsField(),
  eligible_cents: centsField(),
  rates: T.Array(
    T.Object({
      product_id: orNull(T.String()),
      of_cents: singleAmountField(),
      quantity: T.Integer(),
      basis_points: orNull(T.Integer()),
      flat_cents: orNull(singleAmountField()),
      amount_cents: singleAmountField(),
    }),
  ),
  terms_version: T.Integer(),
  occurred_at: T.String(),
  recorded_at: T.String(),
  hold_until: T.String(),
  approved_at: orNull(T.String()),
  rejected_at: orNull(T.String()),
  rejected_reason: orNull(T.String({ description: "The merchant's own words" })),
  reversed_at: orNull(T.String()),
  explanation: T.String(),
  pay: T.Object({
    word: T.Enum([...payWords]),
    at: orNull(T.String({ description: 'When it was paid, or is expected to be; null where nobody can say' })),
    steps: T.Array(T.Object({ what: T.Enum([...payStepWords]), at: orNull(T.String()) })),
    payout_id: orNull(T.String()),
  }),
});
export type SaleJson = Static<typeof saleJson>;

type Beside = {
  readonly storeId: Id<'store'>;
  readonly storeName: string;
  readonly programName: string;
  readonly subId: string | null;
  readonly explanation: string;
  readonly pay: PayDate;
  readonly payoutId: Id<'pay'> | null;
};

export function showSale(commission: ListedCommission, beside: Beside): SaleJson {
  const { sourceKind, sourceText, heldReason, heldSince } = commission;
  return {
    id: publicId('com', commission.commissionId),
    state: commission.state,
    held: heldReason === null || heldSince === null ? null : { reason: heldReason, since: isoTime(heldSince) },
    store_id: publicId('store', beside.storeId),
    store_name: beside.storeName,
    program_id: publicId('prog', commission.programId),
    program_name: beside.programName,
    order_id: sourceKind === 'order' ? sourceText : null,
    invoice_id: sourceKind === 'invoice' ? sourceText : null,
    sub_id: beside.subId,
    amount_cents: commission.amountCents,
    eligible_cents: commission.eligibleCents,
    rates: [...commission.earned],
    terms_version: commission.termsVersion,
    occurred_at: isoTime(commission.occurredAt),
    recorded_at: isoTime(commission.recordedAt),
    hold_until: isoTime(commission.holdUntil),
    approved_at: isoTimeOrNull(commission.approvedAt),
    rejected_at: isoTimeOrNull(commission.rejectedAt),
    rejected_reason: commission.rejectedReason,
    reversed_at: isoTimeOrNull(commission.reversedAt),
    explanation: beside.explanation,
    pay: {
      word: beside.pay.word,
      at: isoTimeOrNull(beside.pay.at),
      steps: beside.pay.steps.map(({ what, at }) => ({ what, at: isoTimeOrNull(at) })),
      payout_id: beside.payoutId && publicId('pay', beside.payoutId),
    },
  };
}

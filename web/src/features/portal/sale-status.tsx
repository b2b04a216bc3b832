import type { CommissionState, HoldReason, Sale, SalePayment } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import type { PaymentStep } from './sales-api.ts';
import { t } from './messages.ts';

const stateLabels: Readonly<Record<CommissionState, readonly [word: string, tone: 'good' | 'wait' | 'bad' | 'neutral']>> = {
  pending: [t.sale_status.pending, 'wait'],
  approved: [t.sale_status.approved, 'good'],
  billed: [t.sale_status.billed, 'good'],
  collected: [t.sale_status.collected, 'good'],
  paid: [t.sale_status.paid, 'good'],
  rejected: [t.sale_status.refused, 'bad'],
  reversed: [t.sale_status.refunded, 'neutral'],
};
export const saleStateOptions: ReadonlyArray<readonly [CommissionState, string]> = [
  ['pending', t.sale_status.pending],
  ['approved', t.sale_status.approved],
  ['billed', t.sale_status.billed],
  ['collected', t.sale_status.collected],
  ['paid', t.sale_status.paid],
  ['rejected', t.sale_status.refused],
  ['reversed', t.sale_status.refunded],
];

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: t.sale_status.a_dispute_is_open,
  fraud_review: t.sale_status.it_is_being_reviewed,
  early_reversal: t.sale_status.a_refund_was_reported_before,
  creator_suspended: t.sale_status.your_account_is_suspended,
  merchant_request: t.sale_status.the_merchant_asked_for_it,
};

export function SaleStatusChips({ sale: { state, held, pay } }: { readonly sale: Sale }) {
  const [word, tone] = stateLabels[state];
  return (
    <>
      <Chip label={word} tone={tone} meaning={stateMeaning(state) ?? paymentStatusText(pay)} />
      {held && (
        <Chip
          label={t.sale_status.held}
          tone="bad"
          meaning={t.sale_status.nothing_of_it_is_paid({ holdReasonTexts: holdReasonTexts[held.reason] })}
        />
      )}
    </>
  );
}

const stateMeaning = (state: CommissionState): string | null => {
  if (state === 'rejected') return t.sale_status.the_merchant_refused_it_the;
  return state === 'reversed' ? t.sale_status.the_order_was_refunded_or : null;
};

/** The payment date of a sale as a short text. */
export function paymentDateText({ word, at }: SalePayment): string {
  const day = at === null ? null : formatDay(at);
  switch (word) {
    case 'paid':
      return day === null ? t.sale_status.paid : t.sale_status.paid_on({ day });
    case 'nothing':
      return t.sale_status.not_paid;
    case 'held':
      return t.sale_status.no_day_while_held;
    case 'in_payout':
      return t.sale_status.on_its_way;
    case 'merchant_cannot_pay':
      return t.sale_status.no_day_yet;
    case 'next_payout':
    case 'reserve':
    case 'charge':
    case 'bill':
    case 'refund_hold':
    case 'approval':
      return day ?? t.sale_status.no_day_yet;
  }
}

/** What the payment waits for, as a sentence. */
export function paymentStatusText({ word }: SalePayment): string {
  switch (word) {
    case 'paid':
      return t.sale_status.the_money_was_sent_to;
    case 'nothing':
      return t.sale_status.it_earns_nothing_so_nothing;
    case 'held':
      return t.sale_status.it_is_under_review_it;
    case 'in_payout':
      return t.sale_status.it_is_in_a_payout;
    case 'next_payout':
      return t.sale_status.the_merchant_has_paid_it;
    case 'reserve':
      return t.sale_status.the_merchant_has_paid_the;
    case 'merchant_cannot_pay':
      return t.sale_status.the_merchants_payment_did_not;
    case 'charge':
      return t.sale_status.it_is_billed_the_merchant;
    case 'bill':
      return t.sale_status.it_is_approved_and_stands;
    case 'refund_hold':
      return t.sale_status.it_is_approved_until_the;
    case 'approval':
      return t.sale_status.it_waits_for_the_merchants;
  }
}

export function paymentStepText({ what, at }: PaymentStep): string {
  switch (what) {
    case 'approved':
      return at === null ? t.sale_status.approved_by_the_merchant : t.sale_status.approved_by_itself;
    case 'refund_hold_over':
      return t.sale_status.refund_hold_ends;
    case 'billed':
      return t.sale_status.billed_to_the_merchant;
    case 'charged':
      return t.sale_status.charged_to_the_merchant;
    case 'reserve_over':
      return t.sale_status.reserve_period_of_the_store;
    case 'paid_out':
      return t.sale_status.paid_out_to_you;
  }
}

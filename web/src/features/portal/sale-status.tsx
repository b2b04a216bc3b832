import type { CommissionState, HoldReason, Sale, SalePayment } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import type { PaymentStep } from './sales-api.ts';
import { t } from './messages.ts';

const stateLabels: Readonly<Record<CommissionState, readonly [word: string, tone: 'good' | 'wait' | 'bad' | 'neutral']>> = {
  pending: [t.sale_status.pending, 'wait'],
  approved: [t.sale_status.approved, 'good'],
  billed: [t.sale_status.awaiting_payment, 'good'],
  collected: [t.sale_status.merchant_paid, 'good'],
  paid: [t.sale_status.paid, 'good'],
  rejected: [t.sale_status.rejected, 'bad'],
  reversed: [t.sale_status.refunded, 'neutral'],
};
export const saleStateOptions: ReadonlyArray<readonly [CommissionState, string]> = [
  ['pending', t.sale_status.pending],
  ['approved', t.sale_status.approved],
  ['billed', t.sale_status.awaiting_payment],
  ['collected', t.sale_status.merchant_paid],
  ['paid', t.sale_status.paid],
  ['rejected', t.sale_status.rejected],
  ['reversed', t.sale_status.refunded],
];

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: t.sale_status.a_dispute_is_open,
  fraud_review: t.sale_status.the_sale_is_being_reviewed,
  early_reversal: t.sale_status.a_refund_was_reported_before,
  creator_suspended: t.sale_status.your_account_is_suspended,
  merchant_request: t.sale_status.the_merchant_requested_it,
};

export function SaleStatusChips({ sale }: { readonly sale: Sale }) {
  const { state, held } = sale;
  const [word, tone] = stateLabels[state];
  return (
    <>
      <Chip label={word} tone={tone} meaning={stateMeaning(sale) ?? paymentStatusText(sale)} />
      {held && (
        <Chip
          label={t.sale_status.on_hold}
          tone="bad"
          meaning={t.sale_status.it_isnt_paid_out_until({ holdReasonTexts: holdReasonTexts[held.reason] })}
        />
      )}
    </>
  );
}

const stateMeaning = (sale: Sale): string | null => {
  if (sale.state === 'rejected') return t.sale_status.the_merchant_rejected_this_sale;
  if (sale.state !== 'reversed') return null;
  return isOfOrder(sale) ? t.sale_status.the_order_was_refunded_or : t.sale_status.it_was_taken_back;
};

/** Not a lead or a bonus, which have nothing to return. */
export const isOfOrder = ({ order_id: order, invoice_id: invoice }: Pick<Sale, 'order_id' | 'invoice_id'>): boolean =>
  order !== null || invoice !== null;

/** The payment date of a sale as a short text. */
export function paymentDateText({ word, at }: SalePayment): string {
  const day = at === null ? null : formatDay(at);
  switch (word) {
    case 'paid':
      return day === null ? t.sale_status.paid : t.sale_status.paid_on({ day });
    case 'nothing':
      return t.sale_status.not_paid;
    case 'held':
      return t.sale_status.on_hold_2;
    case 'in_payout':
      return t.sale_status.in_transit;
    case 'merchant_cannot_pay':
      return t.sale_status.no_date_yet;
    case 'next_payout':
    case 'reserve':
    case 'charge':
    case 'bill':
    case 'refund_hold':
    case 'approval':
      return day ?? t.sale_status.no_date_yet;
  }
}

/** What the payment waits for, as a sentence. */
export function paymentStatusText(sale: Sale): string {
  switch (sale.pay.word) {
    case 'paid':
      return t.sale_status.we_sent_you_this_payment;
    case 'nothing':
      return t.sale_status.this_sale_earns_no_commission;
    case 'held':
      return t.sale_status.this_sale_is_under_review;
    case 'in_payout':
      return t.sale_status.included_in_a_payout_thats;
    case 'next_payout':
      return t.sale_status.the_merchant_paid_its_included;
    case 'reserve':
      return t.sale_status.the_merchant_paid_first_payments;
    case 'merchant_cannot_pay':
      return t.sale_status.the_merchants_payment_failed_well;
    case 'charge':
      return t.sale_status.invoiced_to_the_merchant_well;
    case 'bill':
      return t.sale_status.approved_its_included_in_the;
    case 'refund_hold':
      return isOfOrder(sale) ? t.sale_status.approved_the_customer_can_still : t.sale_status.approved_after_the_refund_hold;
    case 'approval':
      return t.sale_status.waiting_for_the_merchant_to;
  }
}

export function paymentStepText({ what, at }: PaymentStep): string {
  switch (what) {
    case 'approved':
      return at === null ? t.sale_status.approved_by_the_merchant : t.sale_status.approved_automatically;
    case 'refund_hold_over':
      return t.sale_status.refund_hold_ends;
    case 'billed':
      return t.sale_status.invoiced_to_the_merchant;
    case 'charged':
      return t.sale_status.paid_by_the_merchant;
    case 'reserve_over':
      return t.sale_status.reserve_period_ends;
    case 'paid_out':
      return t.sale_status.paid_out_to_you;
  }
}

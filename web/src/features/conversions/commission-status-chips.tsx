import type { Commission, CommissionState, HoldReason } from '../../../../sdk/src/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import { t } from './messages.ts';

const commissionTexts: StatusTexts<CommissionState> = {
  pending: [t.commission_status_chips.pending, 'wait', t.commission_status_chips.waiting_for_your_review_approve],
  approved: [t.commission_status_chips.approved, 'good', t.commission_status_chips.it_will_be_on_the],
  billed: [t.commission_status_chips.invoiced, 'good', t.commission_status_chips.it_is_on_an_invoice],
  collected: [t.commission_status_chips.collected, 'good', t.commission_status_chips.you_paid_its_invoice_the],
  paid: [t.commission_status_chips.paid, 'good', t.commission_status_chips.the_creator_was_paid],
  rejected: [t.commission_status_chips.rejected, 'bad', t.commission_status_chips.earns_no_commission_you_can],
  reversed: [t.commission_status_chips.reversed, 'neutral', t.commission_status_chips.the_order_was_refunded_or],
};

export function CommissionStatusChip({ state }: { readonly state: CommissionState }) {
  return <StatusChip texts={commissionTexts} state={state} />;
}

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: t.commission_status_chips.a_dispute_is_open,
  fraud_review: t.commission_status_chips.it_is_under_review,
  early_reversal: t.commission_status_chips.a_refund_was_reported_before,
  creator_suspended: t.commission_status_chips.the_creator_is_suspended,
  merchant_request: t.commission_status_chips.you_put_it_on_hold,
};
export const holdReasonOptions: ReadonlyArray<{ readonly value: HoldReason; readonly label: string }> = [
  { value: 'dispute', label: t.commission_status_chips.a_dispute_is_open_2 },
  { value: 'fraud_review', label: t.commission_status_chips.under_review },
  { value: 'merchant_request', label: t.commission_status_chips.another_reason },
];

/** Extra chips: held, auto-approval, earns nothing. */
export function CommissionFlags({ commission }: { readonly commission: Commission }) {
  const { held, state, auto_approve_at: autoAt, amount_cents: amount } = commission;
  return (
    <>
      {held && (
        <Chip
          label={t.commission_status_chips.on_hold}
          tone="bad"
          meaning={t.commission_status_chips.it_is_not_invoiced_or({ holdReasonTexts: holdReasonTexts[held.reason] })}
        />
      )}
      {state === 'pending' && held === null && autoAt !== null && (
        <Chip
          label={t.commission_status_chips.auto_approval}
          tone="neutral"
          meaning={t.commission_status_chips.it_is_approved_automatically_on({ autoAt: formatDay(autoAt) })}
        />
      )}
      {amount === 0 && (
        <Chip
          label={t.commission_status_chips.no_commission}
          tone="neutral"
          meaning={t.commission_status_chips.no_commission_rule_of_the}
        />
      )}
    </>
  );
}

import type { Commission, CommissionState, HoldReason } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import { t } from './messages.ts';

const commissionTexts: StatusTexts<CommissionState> = {
  pending: [t.commission_status_chips.pending, 'wait', t.commission_status_chips.waits_for_your_decision_approve],
  approved: [t.commission_status_chips.approved, 'good', t.commission_status_chips.stands_on_the_first_bill],
  billed: [t.commission_status_chips.billed, 'good', t.commission_status_chips.stands_on_a_bill_it],
  collected: [t.commission_status_chips.collected, 'good', t.commission_status_chips.you_have_paid_the_bill],
  paid: [t.commission_status_chips.paid, 'good', t.commission_status_chips.the_creator_has_the_money],
  rejected: [t.commission_status_chips.rejected, 'bad', t.commission_status_chips.earns_nothing_you_can_approve],
  reversed: [t.commission_status_chips.reversed, 'neutral', t.commission_status_chips.the_order_was_refunded_or],
};

export function CommissionStatusChip({ state }: { readonly state: CommissionState }) {
  return <StatusChip texts={commissionTexts} state={state} />;
}

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: t.commission_status_chips.a_dispute_is_open,
  fraud_review: t.commission_status_chips.it_is_being_reviewed,
  early_reversal: t.commission_status_chips.a_refund_was_reported_before,
  creator_suspended: t.commission_status_chips.the_creator_is_suspended,
  merchant_request: t.commission_status_chips.you_asked_for_it,
};
export const holdReasonOptions: ReadonlyArray<{ readonly value: HoldReason; readonly label: string }> = [
  { value: 'dispute', label: t.commission_status_chips.a_dispute_is_open_2 },
  { value: 'fraud_review', label: t.commission_status_chips.under_review },
  { value: 'merchant_request', label: t.commission_status_chips.another_reason_of_yours },
];

/** Extra chips: held, auto-approval, earns nothing. */
export function CommissionFlags({ commission }: { readonly commission: Commission }) {
  const { held, state, auto_approve_at: autoAt, amount_cents: amount } = commission;
  return (
    <>
      {held && (
        <Chip
          label={t.commission_status_chips.held}
          tone="bad"
          meaning={t.commission_status_chips.nothing_is_billed_or_paid({ holdReasonTexts: holdReasonTexts[held.reason] })}
        />
      )}
      {state === 'pending' && held === null && autoAt !== null && (
        <Chip
          label={t.commission_status_chips.approves_itself}
          tone="neutral"
          meaning={t.commission_status_chips.if_nobody_decides_before_it({ autoAt: formatDay(autoAt) })}
        />
      )}
      {amount === 0 && (
        <Chip label={t.commission_status_chips.earns_nothing} tone="neutral" meaning={t.commission_status_chips.no_rule_of_the_program} />
      )}
    </>
  );
}

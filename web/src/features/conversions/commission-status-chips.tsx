import type { Commission, CommissionState, HoldReason } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';

const commissionTexts: StatusTexts<CommissionState> = {
  pending: ['Pending', 'wait', 'Waits for your decision: approve it, or reject it with a reason.'],
  approved: ['Approved', 'good', 'Stands on the first bill after its refund hold has ended. Until then you can reject it.'],
  billed: ['Billed', 'good', 'Stands on a bill. It can no longer be rejected; a credit note corrects it.'],
  collected: ['Collected', 'good', 'You have paid the bill that it stands on. The creator is paid next.'],
  paid: ['Paid', 'good', 'The creator has the money.'],
  rejected: ['Rejected', 'bad', 'Earns nothing. You can approve it again, or reopen it.'],
  reversed: ['Reversed', 'neutral', 'The order was refunded or cancelled before it was billed, so nothing is earned. This is final.'],
};

export function CommissionStatusChip({ state }: { readonly state: CommissionState }) {
  return <StatusChip texts={commissionTexts} state={state} />;
}

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is being reviewed.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'The creator is suspended.',
  merchant_request: 'You asked for it.',
};
export const holdReasonOptions: ReadonlyArray<{ readonly value: HoldReason; readonly label: string }> = [
  { value: 'dispute', label: 'A dispute is open' },
  { value: 'fraud_review', label: 'Under review' },
  { value: 'merchant_request', label: 'Another reason of yours' },
];

/** Extra chips: held, auto-approval, earns nothing. */
export function CommissionFlags({ commission }: { readonly commission: Commission }) {
  const { held, state, auto_approve_at: autoAt, amount_cents: amount } = commission;
  return (
    <>
      {held && <Chip label="Held" tone="bad" meaning={`${holdReasonTexts[held.reason]} Nothing is billed or paid until it is released.`} />}
      {state === 'pending' && held === null && autoAt !== null && (
        <Chip
          label="Approves itself"
          tone="neutral"
          meaning={`If nobody decides before, it is approved by itself on ${formatDay(autoAt)}.`}
        />
      )}
      {amount === 0 && (
        <Chip label="Earns nothing" tone="neutral" meaning="No rule of the program fits the order, or its share is less than a cent." />
      )}
    </>
  );
}

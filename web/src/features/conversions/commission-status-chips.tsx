import type { Commission, CommissionState, HoldReason } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';

export function CommissionStatusChip({ state }: { readonly state: CommissionState }) {
  switch (state) {
    case 'pending':
      return <Chip label="Pending" tone="wait" meaning="Waits for your decision: approve it, or reject it with a reason." />;
    case 'approved':
      return (
        <Chip
          label="Approved"
          tone="good"
          meaning="Stands on the first bill after its refund hold has ended. Until then you can reject it."
        />
      );
    case 'billed':
      return <Chip label="Billed" tone="good" meaning="Stands on a bill. It can no longer be rejected; a credit note corrects it." />;
    case 'collected':
      return <Chip label="Collected" tone="good" meaning="You have paid the bill that it stands on. The creator is paid next." />;
    case 'paid':
      return <Chip label="Paid" tone="good" meaning="The creator has the money." />;
    case 'rejected':
      return <Chip label="Rejected" tone="bad" meaning="Earns nothing. You can approve it again, or reopen it." />;
    case 'reversed':
      return (
        <Chip
          label="Reversed"
          tone="neutral"
          meaning="The order was refunded or cancelled before it was billed, so nothing is earned. This is final."
        />
      );
  }
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

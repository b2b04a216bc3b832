import { Chip } from '../parts/chip.tsx';
import { localDay } from '../parts/time.tsx';
import type { Commission, CommissionState, HoldReason } from './commissions-api.ts';

export function CommissionChip({ state }: { readonly state: CommissionState }) {
  switch (state) {
    case 'pending':
      return <Chip word="Pending" tone="wait" meaning="Waits for your decision: approve it, or reject it with a reason." />;
    case 'approved':
      return (
        <Chip
          word="Approved"
          tone="good"
          meaning="Stands on the first bill after its refund hold has ended. Until then you can reject it."
        />
      );
    case 'billed':
      return <Chip word="Billed" tone="good" meaning="Stands on a bill. It can no longer be rejected; a credit note corrects it." />;
    case 'collected':
      return <Chip word="Collected" tone="good" meaning="You have paid the bill that it stands on. The creator is paid next." />;
    case 'paid':
      return <Chip word="Paid" tone="good" meaning="The creator has the money." />;
    case 'rejected':
      return <Chip word="Rejected" tone="bad" meaning="Earns nothing. You can approve it again, or reopen it." />;
    case 'reversed':
      return (
        <Chip
          word="Reversed"
          tone="calm"
          meaning="The order was refunded or cancelled before it was billed, so nothing is earned. This is final."
        />
      );
  }
}

const holds: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is being reviewed.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'The creator is suspended.',
  merchant_request: 'You asked for it.',
};
export const holdChoices: ReadonlyArray<{ readonly value: HoldReason; readonly label: string }> = [
  { value: 'dispute', label: 'A dispute is open' },
  { value: 'fraud_review', label: 'Under review' },
  { value: 'merchant_request', label: 'Another reason of yours' },
];

/** What stands beside the state: that it is held, that it approves itself, that it earns nothing. */
export function Flags({ commission }: { readonly commission: Commission }) {
  const { held, state, auto_approve_at: autoAt, amount_cents: amount } = commission;
  return (
    <>
      {held && <Chip word="Held" tone="bad" meaning={`${holds[held.reason]} Nothing is billed or paid until it is released.`} />}
      {state === 'pending' && held === null && autoAt !== null && (
        <Chip word="Approves itself" tone="calm" meaning={`If nobody decides before, it is approved by itself on ${localDay(autoAt)}.`} />
      )}
      {amount === 0 && (
        <Chip word="Earns nothing" tone="calm" meaning="No rule of the program fits the order, or its share is less than a cent." />
      )}
    </>
  );
}

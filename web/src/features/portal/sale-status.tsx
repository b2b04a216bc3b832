import type { CommissionState, HoldReason, Sale, SalePayment } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import type { PaymentStep } from './sales-api.ts';

const stateLabels: Readonly<Record<CommissionState, readonly [word: string, tone: 'good' | 'wait' | 'bad' | 'neutral']>> = {
  pending: ['Pending', 'wait'],
  approved: ['Approved', 'good'],
  billed: ['Billed', 'good'],
  collected: ['Collected', 'good'],
  paid: ['Paid', 'good'],
  rejected: ['Refused', 'bad'],
  reversed: ['Refunded', 'neutral'],
};
export const saleStateOptions: ReadonlyArray<readonly [CommissionState, string]> = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['billed', 'Billed'],
  ['collected', 'Collected'],
  ['paid', 'Paid'],
  ['rejected', 'Refused'],
  ['reversed', 'Refunded'],
];

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is being reviewed.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'Your account is suspended.',
  merchant_request: 'The merchant asked for it.',
};

export function SaleStatusChips({ sale: { state, held, pay } }: { readonly sale: Sale }) {
  const [word, tone] = stateLabels[state];
  return (
    <>
      <Chip label={word} tone={tone} meaning={stateMeaning(state) ?? paymentStatusText(pay)} />
      {held && <Chip label="Held" tone="bad" meaning={`${holdReasonTexts[held.reason]} Nothing of it is paid until that is decided.`} />}
    </>
  );
}

const stateMeaning = (state: CommissionState): string | null => {
  if (state === 'rejected') return 'The merchant refused it. The reason stands in its story.';
  return state === 'reversed' ? 'The order was refunded or cancelled before it was billed, so nothing is earned.' : null;
};

/** The payment date of a sale as a short text. */
export function paymentDateText({ word, at }: SalePayment): string {
  const day = at === null ? null : formatDay(at);
  switch (word) {
    case 'paid':
      return day === null ? 'Paid' : `Paid on ${day}`;
    case 'nothing':
      return 'Not paid';
    case 'held':
      return 'No day while held';
    case 'in_payout':
      return 'On its way';
    case 'merchant_cannot_pay':
      return 'No day yet';
    case 'next_payout':
    case 'reserve':
    case 'charge':
    case 'bill':
    case 'refund_hold':
    case 'approval':
      return day ?? 'No day yet';
  }
}

/** What the payment waits for, as a sentence. */
export function paymentStatusText({ word }: SalePayment): string {
  switch (word) {
    case 'paid':
      return 'The money was sent to you.';
    case 'nothing':
      return 'It earns nothing, so nothing is paid.';
    case 'held':
      return 'It is under review. It continues when the review is done.';
    case 'in_payout':
      return 'It is in a payout that was sent. Banks may take some days.';
    case 'next_payout':
      return 'The merchant has paid. It goes out with the next payout, if nothing blocks it.';
    case 'reserve':
      return 'The merchant has paid. The first payments of a new store are paid out after a reserve period.';
    case 'merchant_cannot_pay':
      return 'The merchant’s payment did not go through. It goes on when they have paid.';
    case 'charge':
      return 'It is billed. The merchant is charged next.';
    case 'bill':
      return 'It is approved, and stands on the merchant’s next bill.';
    case 'refund_hold':
      return 'It is approved. Until the refund hold ends, the buyer may still give it back.';
    case 'approval':
      return 'It waits for the merchant’s approval. The day is expected, if they approve by the end of the refund hold.';
  }
}

export function paymentStepText({ what, at }: PaymentStep): string {
  switch (what) {
    case 'approved':
      return at === null ? 'Approved by the merchant' : 'Approved by itself';
    case 'refund_hold_over':
      return 'Refund hold ends';
    case 'billed':
      return 'Billed to the merchant';
    case 'charged':
      return 'Charged to the merchant';
    case 'reserve_over':
      return 'Reserve period of the store ends';
    case 'paid_out':
      return 'Paid out to you';
  }
}

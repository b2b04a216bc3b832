import { Chip } from '../../ui/chip.tsx';
import type { CommissionState, HoldReason } from '../conversions/commissions-api.ts';
import { paymentStatusText } from './payment-text.ts';
import type { Sale } from './sales-api.ts';

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

import { Chip } from '../parts/chip.tsx';
import type { CommissionState, HoldReason } from '../merchant/commissions-api.ts';
import { waitWords } from './pay-words.ts';
import type { Sale } from './sales-api.ts';

const states: Readonly<Record<CommissionState, readonly [word: string, tone: 'good' | 'wait' | 'bad' | 'calm']>> = {
  pending: ['Pending', 'wait'],
  approved: ['Approved', 'good'],
  billed: ['Billed', 'good'],
  collected: ['Collected', 'good'],
  paid: ['Paid', 'good'],
  rejected: ['Refused', 'bad'],
  reversed: ['Refunded', 'calm'],
};
export const stateChoices: ReadonlyArray<readonly [CommissionState, string]> = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['billed', 'Billed'],
  ['collected', 'Collected'],
  ['paid', 'Paid'],
  ['rejected', 'Refused'],
  ['reversed', 'Refunded'],
];

const holds: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is being reviewed.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'Your account is suspended.',
  merchant_request: 'The merchant asked for it.',
};

export function SaleChips({ sale: { state, held, pay } }: { readonly sale: Sale }) {
  const [word, tone] = states[state];
  return (
    <>
      <Chip word={word} tone={tone} meaning={meaningOf(state) ?? waitWords(pay)} />
      {held && <Chip word="Held" tone="bad" meaning={`${holds[held.reason]} Nothing of it is paid until that is decided.`} />}
    </>
  );
}

const meaningOf = (state: CommissionState): string | null => {
  if (state === 'rejected') return 'The merchant refused it. The reason stands in its story.';
  return state === 'reversed' ? 'The order was refunded or cancelled before it was billed, so nothing is earned.' : null;
};

import type { CommissionState } from '../commissions/commission-states.ts';

export type DisputeFacts = {
  /** Read under the row lock; null if it does not exist or belongs to another creator. */
  readonly commission: { readonly state: CommissionState } | null;
  readonly hasOpen: boolean;
  readonly declinedBefore: number;
};

export type DisputeDecision =
  | { readonly do: 'open' }
  | { readonly do: 'refuse'; readonly why: 'not_found' | 'not_rejected' | 'open' | 'too_often' };

/** After this many declined disputes the creator has to contact an operator. */
export const declinedDisputesMax = 3;

/** A creator can dispute only a rejection. */
export function decideDispute({ commission, hasOpen, declinedBefore }: DisputeFacts): DisputeDecision {
  if (commission === null) return refuseDispute('not_found');
  if (hasOpen) return refuseDispute('open');
  if (commission.state !== 'rejected') return refuseDispute('not_rejected');
  if (declinedBefore >= declinedDisputesMax) return refuseDispute('too_often');
  return { do: 'open' };
}

const refuseDispute = (why: Extract<DisputeDecision, { readonly do: 'refuse' }>['why']): DisputeDecision => ({ do: 'refuse', why });

import type { CommissionState } from '../commissions/commission.ts';

export type DisputeFacts = {
  /** As it stands under its row's lock. Null: there is none, or it is somebody else's. */
  readonly commission: { readonly state: CommissionState } | null;
  readonly hasOpen: boolean;
  readonly declinedBefore: number;
};

export type DisputeDecision =
  | { readonly do: 'open' }
  | { readonly do: 'refuse'; readonly why: 'not_found' | 'not_rejected' | 'open' | 'too_often' };

/** Who was told no this often is not heard again by the same store; an operator still is. */
export const declinedMax = 3;

/** Whether a creator may object. Only to a rejection: what is held is looked at already, and what is approved needs no help. */
export function decideDispute({ commission, hasOpen, declinedBefore }: DisputeFacts): DisputeDecision {
  if (commission === null) return refuse('not_found');
  if (hasOpen) return refuse('open');
  if (commission.state !== 'rejected') return refuse('not_rejected');
  if (declinedBefore >= declinedMax) return refuse('too_often');
  return { do: 'open' };
}

const refuse = (why: Extract<DisputeDecision, { readonly do: 'refuse' }>['why']): DisputeDecision => ({ do: 'refuse', why });

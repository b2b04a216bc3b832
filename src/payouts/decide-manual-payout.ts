import type { PayoutProvider } from '../payments/provider.ts';
import { never } from '../core/invariant.ts';
import type { PayoutState } from './payout-states.ts';

export type ManualAction = 'mark_paid' | 'mark_failed' | 'mark_returned';
export type ManualPayoutDecision =
  | 'go'
  | 'already'
  | 'decides_contradiction'
  | 'another_reference'
  | 'not_sent'
  | 'on_its_way'
  | 'may_still_be_sent'
  | 'ended_otherwise';

type ManualPayoutFacts = {
  readonly state: PayoutState;
  /** Null: the provider is not configured. */
  readonly ends: PayoutProvider['ends'] | null;
  /** The person names another reference than the one under which it was paid. */
  readonly isAnotherReference: boolean;
  /** It failed and was later reported as paid, and no operator has decided yet. */
  readonly isContradicted: boolean;
  /** The key may be sent again, or the last call may still arrive. */
  readonly mayStillBeSent: boolean;
};

/**
 * Decides whether a person may record the end of a payout: of a manual one, or of one whose outcome is unknown. They may not if a
 * provider is about to settle it, because the two could contradict each other.
 */
export function decideManualPayout(action: ManualAction, facts: ManualPayoutFacts): ManualPayoutDecision {
  const { state, isAnotherReference, isContradicted, mayStillBeSent } = facts;
  switch (state) {
    case 'gathering':
    case 'given_up':
    case 'awaiting_second':
    case 'ready':
      return 'not_sent';
    case 'sending':
      if (action === 'mark_returned') return 'on_its_way';
      return isPaidManually(facts) ? 'go' : 'on_its_way';
    case 'unknown':
      if (action === 'mark_returned') return 'on_its_way';
      // If this were recorded too early, the payout could arrive after all, and the next payout would pay again.
      return action === 'mark_failed' && mayStillBeSent ? 'may_still_be_sent' : 'go';
    case 'paid':
      if (action === 'mark_returned') return 'go';
      if (action === 'mark_failed') return 'ended_otherwise';
      // Two references are two transfers, so the person may have paid twice, and the answer names the first one.
      return isAnotherReference ? 'another_reference' : 'already';
    case 'failed':
      if (action !== 'mark_failed') return 'ended_otherwise';
      // A person who records a failure has the money back.
      return isContradicted ? 'decides_contradiction' : 'already';
    case 'returned':
      return action === 'mark_returned' ? 'already' : 'ended_otherwise';
    default:
      return never(state);
  }
}

/** Whether a person has to pay it and has not recorded the end. Only then is the destination shown. */
export const isPaidManually = ({ state, ends }: Pick<ManualPayoutFacts, 'state' | 'ends'>): boolean =>
  state === 'sending' && ends === 'by_person';

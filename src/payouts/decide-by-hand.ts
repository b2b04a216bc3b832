import type { PayoutProvider } from '../providers/provider.ts';
import { never } from '../platform/must.ts';
import { patienceMs } from './decide-payout-end.ts';
import type { PayoutState } from './payout.ts';

export type HandAction = 'mark_paid' | 'mark_failed' | 'mark_returned';
export type HandDecision =
  | 'go'
  | 'already'
  | 'decides_contradiction'
  | 'another_reference'
  | 'not_sent'
  | 'on_its_way'
  | 'may_still_be_sent'
  | 'ended_otherwise';

type Standing = {
  readonly state: PayoutState;
  /** Null where its provider is not set up here. */
  readonly ends: PayoutProvider['ends'] | null;
  /** It is said to be paid by another reference than the one by which it was found paid. */
  readonly isAnotherReference: boolean;
  /** It failed and was told paid afterwards, and nobody has decided of that. */
  readonly isContradicted: boolean;
  /** Its key is still sent again, or the last call may still arrive. */
  readonly mayStillBeSent: boolean;
};

/**
 * What a person may say of a payout: how one ended that they paid by hand, or that nobody knows of. Of one that a provider is
 * about to settle they say nothing, or the two could say different things.
 */
export function decideByHand(action: HandAction, standing: Standing): HandDecision {
  const { state, isAnotherReference, isContradicted, mayStillBeSent } = standing;
  switch (state) {
    case 'gathering':
    case 'given_up':
    case 'awaiting_second':
    case 'ready':
      return 'not_sent';
    case 'sending':
      if (action === 'mark_returned') return 'on_its_way';
      return isToBePaidByHand(standing) ? 'go' : 'on_its_way';
    case 'unknown':
      if (action === 'mark_returned') return 'on_its_way';
      // Said too early, it is paid after all, and once more by the next payout.
      return action === 'mark_failed' && mayStillBeSent ? 'may_still_be_sent' : 'go';
    case 'paid':
      if (action === 'mark_returned') return 'go';
      if (action === 'mark_failed') return 'ended_otherwise';
      // Two references are two transfers: who says the second has perhaps paid twice, and hears of the first.
      return isAnotherReference ? 'another_reference' : 'already';
    case 'failed':
      if (action !== 'mark_failed') return 'ended_otherwise';
      // Whoever says that it failed after all has the money back.
      return isContradicted ? 'decides_contradiction' : 'already';
    case 'returned':
      return action === 'mark_returned' ? 'already' : 'ended_otherwise';
    default:
      return never(state);
  }
}

/** Whether a person was handed it, and has not said yet how it ended: only of these they see where to. */
export const isToBePaidByHand = ({ state, ends }: Pick<Standing, 'state' | 'ends'>): boolean => state === 'sending' && ends === 'by_person';

type Sending = { readonly sentAt: Date; readonly askedAt: Date };
type KeyOf = Pick<PayoutProvider, 'keyLifeMs' | 'absentIsSureAfterMs'>;

/**
 * From when on a list without it proves that it was never sent: the same key is sent again until the provider may have forgotten
 * it, and the last call must have had its time. A provider that is not set up here is sent nothing.
 */
export function surelyNeverSentAt({ sentAt, askedAt }: Sending, provider: KeyOf | null): Date {
  if (provider === null) return new Date(askedAt.getTime() + patienceMs);
  return new Date(Math.max(sentAt.getTime() + provider.keyLifeMs, askedAt.getTime() + provider.absentIsSureAfterMs));
}

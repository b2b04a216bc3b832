import type { PayoutProvider } from '../providers/provider.ts';
import { never } from '../platform/must.ts';
import type { PayoutState } from './payout.ts';

export type HandAction = 'mark_paid' | 'mark_failed' | 'mark_returned';
export type HandDecision = 'go' | 'already' | 'not_sent' | 'on_its_way' | 'ended_otherwise';

type Standing = { readonly state: PayoutState; readonly provider: PayoutProvider['name'] | null };

/**
 * What a person may say of a payout: how one ended that they paid by hand, or that nobody knows of. Of one that a provider is
 * about to settle they say nothing, or the two could say different things.
 */
export function decideByHand(action: HandAction, { state, provider }: Standing): HandDecision {
  switch (state) {
    case 'gathering':
    case 'given_up':
    case 'awaiting_second':
    case 'ready':
      return 'not_sent';
    case 'sending':
      if (action === 'mark_returned') return 'on_its_way';
      return provider === 'manual' ? 'go' : 'on_its_way';
    case 'unknown':
      return action === 'mark_returned' ? 'on_its_way' : 'go';
    case 'paid':
      if (action === 'mark_returned') return 'go';
      return action === 'mark_paid' ? 'already' : 'ended_otherwise';
    case 'failed':
      return action === 'mark_failed' ? 'already' : 'ended_otherwise';
    case 'returned':
      return action === 'mark_returned' ? 'already' : 'ended_otherwise';
    default:
      return never(state);
  }
}

type Agreement = {
  readonly state: PayoutState;
  readonly startedBy: string;
  readonly startedByUserId: string | null;
  readonly by: string;
  readonly byUserId: string | null;
};

/**
 * Two people agree on what is above the limit: neither the same one, nor one person and their own key. A key that nobody stands
 * behind may begin one, and is no second person: a key can make itself another key.
 */
export function decideSecondPerson(agreement: Agreement): 'go' | 'not_waiting' | 'same_person' | 'no_person' {
  const { state, startedBy, startedByUserId, by, byUserId } = agreement;
  if (state !== 'awaiting_second') return 'not_waiting';
  if (by === startedBy) return 'same_person';
  if (byUserId === null) return 'no_person';
  if (byUserId !== null && byUserId === startedByUserId) return 'same_person';
  return 'go';
}

import { apiMessage } from '../messages/api-message.ts';

/** A person is erased only if no duty depends on them and no money is owed to them. */
export type ErasureFacts = {
  readonly isLastOperator: boolean;
  /** Stores without another owner. */
  readonly ownedAlone: number;
  readonly hasUnfinishedPayout: boolean;
  /** In the creator's balance, and in commissions that are not collected yet. */
  readonly owedCents: bigint;
  readonly onTheWayCents: bigint;
  /** An operator confirmed that the debt was settled outside of the system. */
  readonly isEvenIfOwed: boolean;
};
export type ErasureDecision = { readonly do: 'erase' } | { readonly do: 'refuse'; readonly message: string };

export function decideErasure(facts: ErasureFacts): ErasureDecision {
  if (facts.isLastOperator) return refuse(apiMessage('shared.last_operator'));
  if (facts.ownedAlone > 0) return refuse(describeOwnedStores(facts.ownedAlone));
  if (facts.hasUnfinishedPayout) return refuse(apiMessage('decide_erasure.payout_progress_wait_until_completed'));
  if (facts.isEvenIfOwed) return { do: 'erase' };
  if (facts.owedCents !== 0n) return refuse(apiMessage('decide_erasure.account_still_has_balance_which'));
  if (facts.onTheWayCents > 0n) return refuse(apiMessage('decide_erasure.commissions_still_open_and_must'));
  return { do: 'erase' };
}

const describeOwnedStores = (count: number): string => apiMessage('decide_erasure.no_other_owner_make', { count });

const refuse = (message: string): ErasureDecision => ({ do: 'refuse', message });

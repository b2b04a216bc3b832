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
  if (facts.isLastOperator) return refuse('An installation needs at least one operator. Invite another operator first.');
  if (facts.ownedAlone > 0) return refuse(describeOwnedStores(facts.ownedAlone));
  if (facts.hasUnfinishedPayout) return refuse('A payout is in progress. Wait until it is completed.');
  if (facts.isEvenIfOwed) return { do: 'erase' };
  if (facts.owedCents !== 0n)
    return refuse('The account still has a balance, which must be paid out first. An operator can settle it another way.');
  if (facts.onTheWayCents > 0n)
    return refuse('Commissions are still open and must be decided and paid first. An operator can settle them another way.');
  return { do: 'erase' };
}

const describeOwnedStores = (count: number): string =>
  `${count === 1 ? 'One store has' : `${count} stores have`} no other owner. Make another member an owner first.`;

const refuse = (message: string): ErasureDecision => ({ do: 'refuse', message });

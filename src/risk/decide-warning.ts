/** A payment provider's report about a charge. */
export const warningKinds = ['dispute', 'fraud_warning', 'refund'] as const;
export type WarningKind = (typeof warningKinds)[number];
export type WarningState = 'open' | 'won' | 'lost' | 'released';
export type WarningEvent = 'opened' | 'won' | 'lost';

export type WarningFacts = {
  /** Null: no event of this kind was reported about the charge before. */
  readonly state: WarningState | null;
  /** More of the charge was refunded than when an operator released it. */
  readonly isMore: boolean;
  /** The charge matches no invoice: it pays no commission, and an operator has to return the money. */
  readonly isUnmatched: boolean;
};

export type WarningDecision =
  /** `hold`: opens a case with its hold. The warning changes to the state `as`. */
  | { readonly do: 'hold'; readonly as: 'open' | 'lost' }
  /** The case and its hold do not change. */
  | { readonly do: 'remember'; readonly as: 'won' | 'lost' }
  | { readonly do: 'release'; readonly as: 'won' }
  | { readonly do: 'nothing' };

/**
 * Events arrive repeatedly, late, and in any order. In every order, a charge whose dispute was not won and that no operator released
 * keeps its payouts back. The end of a dispute is final: an opening that is reported afterwards has no effect.
 */
export function decideWarning(event: WarningEvent, { state, isMore, isUnmatched }: WarningFacts): WarningDecision {
  if (isUnmatched) return { do: 'nothing' };
  if (event === 'lost') return state === 'lost' ? { do: 'nothing' } : lost(state);
  if (event === 'won') return won(state);
  if (state === null || (state === 'released' && isMore)) return { do: 'hold', as: 'open' };
  return { do: 'nothing' };
}

/** An operator who released an open dispute did not know that it would be lost. */
const lost = (state: WarningState | null): WarningDecision =>
  state === 'open' ? { do: 'remember', as: 'lost' } : { do: 'hold', as: 'lost' };

function won(state: WarningState | null): WarningDecision {
  if (state === null) return { do: 'remember', as: 'won' };
  return state === 'open' ? { do: 'release', as: 'won' } : { do: 'nothing' };
}

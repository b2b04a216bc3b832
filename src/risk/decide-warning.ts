/** What a payment provider reports of a charge. */
export const warningKinds = ['dispute', 'fraud_warning', 'refund'] as const;
export type WarningKind = (typeof warningKinds)[number];
export type WarningState = 'open' | 'won' | 'lost' | 'released';
export type WarningEvent = 'opened' | 'won' | 'lost';

export type WarningFacts = {
  /** Null: nothing of this kind was reported of the charge before. */
  readonly state: WarningState | null;
  /** More of the charge is gone than an operator knew when they released it. */
  readonly isMore: boolean;
  /** The money of the charge was owed by nobody, so that it pays no commission, and somebody is to send it back. */
  readonly isStray: boolean;
};

export type WarningDecision =
  /** `hold`: a new case and its hold; the warning is in the state `as` from now on. */
  | { readonly do: 'hold'; readonly as: 'open' | 'lost' }
  /** Its case and hold stay as they are. */
  | { readonly do: 'remember'; readonly as: 'won' | 'lost' }
  | { readonly do: 'release'; readonly as: 'won' }
  | { readonly do: 'nothing' };

/**
 * Events come twice, late, and in any order; whatever the order, a charge that was not won and not released by an operator keeps its
 * payouts back. The end of a dispute is final: an opening that is reported after it changes nothing.
 */
export function decideWarning(event: WarningEvent, { state, isMore, isStray }: WarningFacts): WarningDecision {
  if (isStray) return { do: 'nothing' };
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

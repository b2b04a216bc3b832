import type { AgreementDecision } from '../people/decide-agreement.ts';

/** The highest platform fee: 30%. */
export const feeBasisPointsMax = 3_000;
/** Notice that stores get before a higher fee applies. */
export const feeNoticeDays = 30;

export type FeeFacts = {
  /** In force now. */
  readonly current: number;
  readonly wanted: number;
  /** Agreed to and announced, but not in force yet. */
  readonly next: number | null;
  /** An earlier request that is still pending. */
  readonly requested: number | null;
  /** Whether the requester and the person of the earlier request may agree. */
  readonly agreement: AgreementDecision;
  /** Live mode, or a sandbox with the rules of live mode. */
  readonly areRulesOn: boolean;
};

export type FeeDecision = 'keep' | 'above_cap' | 'set' | 'ask' | 'announce' | Exclude<AgreementDecision, 'go' | 'ask'>;

/** A lower fee applies immediately and cancels a pending raise. A higher fee needs two people and an announcement. */
export function decideFee({ current, wanted, next, requested, agreement, areRulesOn }: FeeFacts): FeeDecision {
  if (wanted === current) return 'keep';
  if (wanted > feeBasisPointsMax) return 'above_cap';
  if (wanted < current) return 'set';
  if (!areRulesOn) return 'set';
  if (wanted === next) return 'keep';
  if (requested !== wanted) return 'ask';
  return agreement === 'go' ? 'announce' : agreement;
}

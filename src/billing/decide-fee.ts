import type { AgreementDecision } from '../people/decide-agreement.ts';

/** The highest platform fee there is: 30 %. */
export const feeBasisPointsMax = 3_000;
/** Stores hear of a higher fee so long before it is charged. */
export const feeNoticeDays = 30;

export type FeeFacts = {
  /** In force now. */
  readonly current: number;
  readonly wanted: number;
  /** Agreed to and announced, but not in force yet. */
  readonly next: number | null;
  /** What somebody asked for before. */
  readonly asked: number | null;
  /** Whether the person who asks now and the one who asked before may agree. */
  readonly agreement: AgreementDecision;
  /** Live mode, or a sandbox that tries its rules. */
  readonly areRulesOn: boolean;
};

export type FeeDecision = 'keep' | 'above_cap' | 'set' | 'ask' | 'announce' | Exclude<AgreementDecision, 'go' | 'ask'>;

/** A lower fee is charged from now on, and ends every rise. A higher one takes two people, and is announced before it is charged. */
export function decideFee({ current, wanted, next, asked, agreement, areRulesOn }: FeeFacts): FeeDecision {
  if (wanted === current) return 'keep';
  if (wanted > feeBasisPointsMax) return 'above_cap';
  if (wanted < current) return 'set';
  if (!areRulesOn) return 'set';
  if (wanted === next) return 'keep';
  if (asked !== wanted) return 'ask';
  return agreement === 'go' ? 'announce' : agreement;
}

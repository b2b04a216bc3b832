import type { CommissionState } from '../commissions/commission-states.ts';

/** The commission of a bonus of a goal, read under its lock, and whether enough orders count now. */
export type GoalFacts = {
  readonly state: CommissionState;
  readonly isHeld: boolean;
  readonly isReached: boolean;
  /** Its last rejection was not by a person, but because too few orders counted. */
  readonly isWithdrawn: boolean;
  /** The team was notified of it. */
  readonly isNotified: boolean;
};

/**
 * What becomes of a bonus when an order of its goal was rejected or refunded. Before its approval it is withdrawn, and restored if enough
 * orders count again. After its approval it stays, and the store’s team is notified once. A hold delays both.
 */
export function decideGoal({ state, isHeld, isReached, isWithdrawn, isNotified }: GoalFacts): 'keep' | 'withdraw' | 'restore' | 'tell' {
  if (isHeld) return 'keep';
  if (state === 'rejected') return isWithdrawn && isReached ? 'restore' : 'keep';
  if (isReached || state === 'reversed') return 'keep';
  if (state === 'pending') return 'withdraw';
  return isNotified ? 'keep' : 'tell';
}

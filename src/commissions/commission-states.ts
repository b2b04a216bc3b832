import { stateAfterEvent, type Transition } from '../core/state-machine.ts';

/** `pending` → `approved` → `billed` → `collected` → `paid`; or the end in `rejected` or `reversed`. */
export const commissionStates = ['pending', 'approved', 'billed', 'collected', 'paid', 'rejected', 'reversed'] as const;
export type CommissionState = (typeof commissionStates)[number];

/**
 * Every legal change of a commission's state, by the event that causes it. `transitionCommissions` and the other writers in this
 * folder take their states from here, and `test/review/commission-states.test.ts` tries every event in every state.
 * A commission is opened as `pending`; a hold is not a state and has its own rules in `decide-review.ts`.
 */
export const commissionTransitions = {
  /** The merchant, or the hourly job for automatic approval. */
  approve: { from: ['pending', 'rejected'], to: 'approved' },
  /** The merchant. */
  reject: { from: ['pending', 'approved'], to: 'rejected' },
  /** The merchant takes an approval or a rejection back, or accepts a dispute. */
  reopen: { from: ['approved', 'rejected'], to: 'pending' },
  /** The merchant's postback reports a refund of the whole order or invoice. */
  reverse: { from: ['pending', 'approved', 'rejected'], to: 'reversed' },
  /** A billing run issues the invoice that contains it. */
  invoice: { from: ['approved'], to: 'billed' },
  /** The store pays the invoice. */
  collect: { from: ['billed'], to: 'collected' },
  /** The store's payment is taken back before the commission is in a payout. */
  chargeBack: { from: ['collected'], to: 'billed' },
  /** An operator credits it after a refund that came too late for a reversal. */
  credit: { from: ['billed', 'collected'], to: 'reversed' },
  /** The payout arrives. */
  pay: { from: ['collected'], to: 'paid' },
  /** The payout fails or is returned. A commission that was not paid yet keeps its state. */
  leavePayout: { from: ['collected', 'paid'], to: 'collected' },
  /** Likewise, after the store's payment was taken back while the commission was in the payout: the store owes it again. */
  leavePayoutUncollected: { from: ['collected', 'paid'], to: 'billed' },
} as const satisfies Readonly<Record<string, Transition<CommissionState>>>;
export type CommissionEvent = keyof typeof commissionTransitions;

/** Not yet on an invoice, not yet collected from the store, not yet paid to the creator: each set contains the one before. */
export const unbilledStates = commissionTransitions.reject.from;
export const uncollectedStates = [...unbilledStates, ...commissionTransitions.collect.from] as const;
export const unpaidStates = [...uncollectedStates, ...commissionTransitions.pay.from] as const;
/** Approved, and not lost since. */
export const earnedStates = ['approved', 'billed', 'collected', 'paid'] as const satisfies readonly CommissionState[];
/** Nothing is earned. */
export const lostStates = [commissionTransitions.reject.to, commissionTransitions.reverse.to] as const;

export const canTransition = (state: CommissionState, event: CommissionEvent): boolean =>
  stateAfterEvent(state, commissionTransitions[event]) !== null;

/** The commission is on an invoice that we issued. */
export const isInvoiced = (state: CommissionState): boolean => state === 'billed' || state === 'collected' || state === 'paid';

import type { Transition } from '../core/state-machine.ts';

/** `gathering` is a draft. `unknown`: the provider has not confirmed an outcome. `given_up`: the draft was too small. */
export const payoutStates = [
  'gathering',
  'given_up',
  'awaiting_second',
  'ready',
  'sending',
  'unknown',
  'paid',
  'failed',
  'returned',
] as const;
export type PayoutState = (typeof payoutStates)[number];

/**
 * Every legal change of a payout's state, by the event that causes it. Only `transitionPayout` writes the state, and
 * `test/payouts/payout-states.test.ts` tries every event in every state. A payout is inserted as `gathering`.
 */
export const payoutTransitions = {
  /** The claimed commissions are not enough for a payout. */
  giveUp: { from: ['gathering'], to: 'given_up' },
  /** The commissions are claimed. */
  draft: { from: ['gathering'], to: 'ready' },
  /** The commissions are claimed, and the amount is above the limit for one person. */
  draftLarge: { from: ['gathering'], to: 'awaiting_second' },
  /** Enough people confirmed it. */
  confirm: { from: ['awaiting_second'], to: 'ready' },
  /** A confirmation no longer counts. */
  unconfirm: { from: ['ready'], to: 'awaiting_second' },
  /** Committed before the first call to the provider. */
  send: { from: ['ready'], to: 'sending' },
  /** Committed before each further call. An unknown payout stays unknown until there is evidence. */
  sendAgain: { from: ['sending', 'unknown'], to: null },
  /** The provider accepted it; the outcome comes later. */
  accept: { from: ['sending', 'unknown'], to: 'sending' },
  /** The provider gave no answer. */
  loseAnswer: { from: ['sending', 'unknown'], to: 'unknown' },
  /** The money arrived. */
  pay: { from: ['sending', 'unknown'], to: 'paid' },
  /** The provider declined it, a person refused it, or it may no longer be sent. */
  fail: { from: ['awaiting_second', 'ready', 'sending', 'unknown'], to: 'failed' },
  /** The bank returned it, also if the arrival was never reported. */
  return: { from: ['sending', 'unknown', 'paid'], to: 'returned' },
  /** An outcome contradicts the end. */
  contradict: { from: ['paid', 'failed'], to: null },
  /** A person decided, or the money came back. */
  resolveContradiction: { from: ['failed'], to: null },
} as const satisfies Readonly<Record<string, Transition<PayoutState>>>;
export type PayoutEvent = keyof typeof payoutTransitions;

/** The provider was called, and the outcome is not known. */
export const payoutStatesInTransit = payoutTransitions.sendAgain.from;
/** The money is set aside in the creator's ledger, and the outcome is not known. */
export const payoutStatesWithMoney = payoutTransitions.fail.from;
/** A creator has at most one payout in these states; the index payout_unfinished holds it. */
export const unfinishedPayoutStates = [...payoutTransitions.draft.from, ...payoutStatesWithMoney] as const;

export const isPayoutInTransit = (state: PayoutState): boolean => payoutStatesInTransit.some((one) => one === state);

/** States in the API. `ready` is shown as `sending`, and a draft is not shown. */
export const shownStates = ['awaiting_second', 'sending', 'unknown', 'paid', 'failed', 'returned'] as const;
export type ShownState = (typeof shownStates)[number];

export function shownState(state: PayoutState): ShownState | null {
  if (state === 'gathering' || state === 'given_up') return null;
  return state === 'ready' ? 'sending' : state;
}

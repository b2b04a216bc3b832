import type { Transition } from '../core/state-machine.ts';

/** `pending`: the provider accepted it. `unknown`: the provider gave no answer. `absent`: the provider never had it. */
export const chargeStates = ['ready', 'sending', 'pending', 'unknown', 'succeeded', 'declined', 'absent'] as const;
export type ChargeState = (typeof chargeStates)[number];

/**
 * Every legal change of a charge's state, by the event that causes it. Only the functions in `charges-sql.ts` write the state, from this
 * table, and `test/billing/billing-states.test.ts` tries every event in every state. A charge is inserted as `ready`.
 */
export const chargeTransitions = {
  /** Committed before the first call to the provider. */
  send: { from: ['ready'], to: 'sending' },
  /** Committed before each further call. An unknown charge stays unknown until there is evidence. */
  sendAgain: { from: ['sending', 'unknown'], to: null },
  /** The provider accepted it; the outcome comes later. */
  accept: { from: ['ready', 'sending', 'pending', 'unknown'], to: 'pending' },
  /** The provider gave no answer. An accepted charge stays pending. */
  loseAnswer: { from: ['ready', 'sending', 'unknown'], to: 'unknown' },
  /** The money came. A success counts even after another end. */
  succeed: { from: ['ready', 'sending', 'pending', 'unknown', 'declined', 'absent'], to: 'succeeded' },
  /** The provider declined it. */
  decline: { from: ['ready', 'sending', 'pending', 'unknown'], to: 'declined' },
  /** It is certain that the provider never had it. */
  neverArrive: { from: ['ready', 'sending', 'unknown'], to: 'absent' },
} as const satisfies Readonly<Record<string, Transition<ChargeState>>>;
export type ChargeEvent = keyof typeof chargeTransitions;

/** An invoice has at most one charge in these states; the index charge_under_way holds it. */
export const openChargeStates = chargeTransitions.decline.from;
export type OpenChargeState = (typeof openChargeStates)[number];

export const isOpenCharge = (state: ChargeState): boolean => openChargeStates.some((open) => open === state);

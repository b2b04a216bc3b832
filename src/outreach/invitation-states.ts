import type { Transition } from '../core/state-machine.ts';

export const invitationStates = ['open', 'accepted', 'declined', 'revoked'] as const;
export type InvitationState = (typeof invitationStates)[number];

/**
 * Every legal change of an invitation's state, by the event that causes it. Only `endInvitation` writes the state, from this table. An
 * invitation whose time is over stays `open` and can be sent again; `expires_at` says so.
 */
export const invitationTransitions = {
  /** The invited person. */
  accept: { from: ['open'], to: 'accepted' },
  /** The invited person. */
  decline: { from: ['open'], to: 'declined' },
  /** The merchant. */
  revoke: { from: ['open'], to: 'revoked' },
} as const satisfies Readonly<Record<string, Transition<InvitationState>>>;
export type InvitationEvent = keyof typeof invitationTransitions;

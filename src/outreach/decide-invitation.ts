import { dayMs } from '../core/time.ts';
import type { MemberStatus } from '../creators/membership-states.ts';
import { apiMessage } from '../messages/api-message.ts';

export const invitationDays = 14;
export const invitationMessageLengthMax = 1_000;
export const sendsMax = 5;
/** Of one store in 24 hours: keeps a store from sending unwanted email to many strangers. */
export const sendsPerDayMax = 2_000;

export const skipReasons = ['already_member', 'already_applied', 'already_invited'] as const;
export type SkipReason = (typeof skipReasons)[number];

export type InvitationFacts = {
  /** The membership of the person behind the address; null if the address has no account, or is not in the program. */
  readonly member: MemberStatus | null;
  /** The end of an invitation that the person has not answered. */
  readonly openUntil: Date | null;
  readonly now: Date;
};

export type InvitationDecision =
  | { readonly do: 'invite' }
  | { readonly do: 'renew' }
  | { readonly do: 'skip'; readonly reason: SkipReason };

/** A removed member can be invited: accepting the invitation approves them again. */
export function decideInvitation({ member, openUntil, now }: InvitationFacts): InvitationDecision {
  if (member === 'approved' || member === 'paused') return { do: 'skip', reason: 'already_member' };
  if (member === 'applied') return { do: 'skip', reason: 'already_applied' };
  if (openUntil === null) return { do: 'invite' };
  return openUntil > now ? { do: 'skip', reason: 'already_invited' } : { do: 'renew' };
}

export type AcceptanceFacts = {
  readonly isOpen: boolean;
  readonly isSuspended: boolean;
  readonly member: MemberStatus | null;
};

export type AcceptanceDecision =
  | { readonly do: 'join' }
  | { readonly do: 'approve' }
  /** The creator is in the program already. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly reason: 'unprocessable' | 'conflict'; readonly message: string };

/** The invitation is the merchant's approval, so it also answers an open application. It does not end a pause. */
export function decideAcceptance({ isOpen, isSuspended, member }: AcceptanceFacts): AcceptanceDecision {
  if (!isOpen) return refuseAcceptance('unprocessable', apiMessage('decide_invitation.program_does_not_accept_creators'));
  if (isSuspended) return refuseAcceptance('unprocessable', apiMessage('shared.account_suspended'));
  if (member === 'paused') return refuseAcceptance('conflict', apiMessage('decide_invitation.merchant_paused_your_membership_program'));
  if (member === 'approved') return { do: 'keep' };
  return member === null ? { do: 'join' } : { do: 'approve' };
}

const refuseAcceptance = (reason: 'unprocessable' | 'conflict', message: string): AcceptanceDecision => ({ do: 'refuse', reason, message });

/** Since when sent emails count toward the daily limit. */
export const startOfSendWindow = (now: Date): Date => new Date(now.getTime() - dayMs);

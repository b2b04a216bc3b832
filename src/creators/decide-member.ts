import { stateAfterEvent } from '../core/state-machine.ts';
import { membershipTransitions, type MemberStatus, type MembershipEvent } from './membership-states.ts';
import { apiMessage } from '../messages/api-message.ts';

export type MemberDecision =
  | { readonly do: 'change'; readonly event: MembershipEvent }
  /** The member already has this status. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly message: string };

/**
 * The status changes that a merchant can make. A removed member can be approved again; a creator who left must apply again. An
 * application can be approved or removed, but not paused.
 */
export function decideMember(
  { status, hasLeft }: { readonly status: MemberStatus; readonly hasLeft: boolean },
  wanted: Exclude<MemberStatus, 'applied'>,
): MemberDecision {
  if (status === wanted) return { do: 'keep' };
  if (hasLeft) return { do: 'refuse', message: apiMessage('decide_member.creator_left_program_and_cannot') };
  const event = eventOfMerchant[wanted];
  if (stateAfterEvent<MemberStatus>(status, membershipTransitions[event]) === null)
    return { do: 'refuse', message: apiMessage('decide_member.only_approved_member_can_paused', { status }) };
  return { do: 'change', event };
}

const eventOfMerchant = { approved: 'approve', paused: 'pause', removed: 'remove' } as const;

/** A creator can leave unless the membership has ended. */
export const decideLeave = (status: MemberStatus): MemberDecision =>
  stateAfterEvent<MemberStatus>(status, membershipTransitions.leave) === null ? { do: 'keep' } : { do: 'change', event: 'leave' };

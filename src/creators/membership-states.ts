import type { Transition } from '../core/state-machine.ts';

export const memberStatuses = ['applied', 'approved', 'paused', 'removed'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/**
 * Every legal change of a membership's status, by the event that causes it. Only `transitionMember` and `removeFromAllPrograms` write the
 * status, from this table, and `test/creators/membership-states.test.ts` tries every event in every status. A membership is inserted as
 * `applied`, or as `approved` if the merchant adds the creator.
 */
export const membershipTransitions = {
  /** The merchant accepts an application, resumes a paused member, or takes a removed one back. */
  approve: { from: ['applied', 'paused', 'removed'], to: 'approved' },
  /** The merchant. */
  pause: { from: ['approved'], to: 'paused' },
  /** The merchant declines an application or ends the membership. */
  remove: { from: ['applied', 'approved', 'paused'], to: 'removed' },
  /** The creator withdraws the application or ends the membership. */
  leave: { from: ['applied', 'approved', 'paused'], to: 'removed' },
  /** The creator's account is erased. */
  erase: { from: ['applied', 'approved', 'paused'], to: 'removed' },
  /** A creator who left applies again; the membership keeps its links and their orders. */
  applyAgain: { from: ['removed'], to: 'applied' },
} as const satisfies Readonly<Record<string, Transition<MemberStatus>>>;
export type MembershipEvent = keyof typeof membershipTransitions;

/** The creator is or was approved, and the membership has not ended. */
export const joinedStatuses = [...membershipTransitions.pause.from, membershipTransitions.pause.to] as const;

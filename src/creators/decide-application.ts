import { hourMs } from '../platform/time.ts';
import type { MemberStatus } from './decide-member.ts';

/** More open applications than anybody waits for; it keeps one account from writing to every merchant there is. */
export const openApplicationsMax = 50;

export type ApplicationFacts = {
  /** A program that was never published is nobody's business. */
  readonly wasPublished: boolean;
  readonly isOpen: boolean;
  readonly isSuspended: boolean;
  readonly member: MemberStatus | null;
  /** When the creator left, where they ended the membership. */
  readonly leftAt: Date | null;
  readonly now: Date;
  readonly openApplications: number;
};

export type ApplicationDecision =
  | { readonly do: 'apply' }
  | { readonly do: 'hide' }
  | { readonly do: 'refuse'; readonly reason: 'conflict' | 'unprocessable' | 'limit_reached'; readonly message: string };

/** A creator who applied and left over and over would have the merchant's people written to each time. */
export const hoursBeforeRejoining = 24;

/** Who may apply. The merchant's own no (removed) stands: a second application would only ask the same again. */
export function decideApplication(facts: ApplicationFacts): ApplicationDecision {
  const { wasPublished, isOpen, isSuspended, member, leftAt, openApplications } = facts;
  if (!wasPublished) return { do: 'hide' };
  if (member === 'applied') return refuse('conflict', 'You have applied to this program already; the merchant decides.');
  if (member === 'removed' && leftAt === null)
    return refuse('conflict', 'The merchant said no, or ended your membership; only they can take you in.');
  if (member !== null && member !== 'removed') return refuse('conflict', 'You are in this program already.');
  if (leftAt !== null && facts.now.getTime() < leftAt.getTime() + hoursBeforeRejoining * hourMs)
    return refuse('conflict', `You left this program; you can apply again ${hoursBeforeRejoining} hours after that.`);
  if (!isOpen) return refuse('unprocessable', 'This program takes nobody at the moment.');
  if (isSuspended) return refuse('unprocessable', 'Your account is suspended; ask whoever runs this service.');
  if (openApplications >= openApplicationsMax)
    return refuse('limit_reached', `You have ${openApplicationsMax} open applications; wait until some are answered.`);
  return { do: 'apply' };
}

const refuse = (reason: 'conflict' | 'unprocessable' | 'limit_reached', message: string): ApplicationDecision => ({
  do: 'refuse',
  reason,
  message,
});

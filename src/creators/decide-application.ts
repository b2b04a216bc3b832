import { hourMs } from '../core/time.ts';
import type { MemberStatus } from './membership-states.ts';

/** Keeps one account from applying to every merchant. */
export const openApplicationsMax = 50;

export type ApplicationFacts = {
  /** A program that was never published is not visible. */
  readonly wasPublished: boolean;
  readonly isOpen: boolean;
  readonly isSuspended: boolean;
  readonly member: MemberStatus | null;
  /** Null if the creator did not leave. */
  readonly leftAt: Date | null;
  readonly now: Date;
  readonly openApplications: number;
};

export type ApplicationDecision =
  | { readonly do: 'apply' }
  | { readonly do: 'hide' }
  | { readonly do: 'refuse'; readonly reason: 'conflict' | 'unprocessable' | 'limit_reached'; readonly message: string };

/** Each application emails the merchant, so a creator cannot apply and leave repeatedly. */
export const hoursBeforeRejoining = 24;

/** A removed member cannot apply again; only the merchant can approve them. */
export function decideApplication(facts: ApplicationFacts): ApplicationDecision {
  const { wasPublished, isOpen, isSuspended, member, leftAt, openApplications } = facts;
  if (!wasPublished) return { do: 'hide' };
  if (member === 'applied')
    return refuseApplication('conflict', 'You have already applied to this program. The merchant decides on your application.');
  if (member === 'removed' && leftAt === null)
    return refuseApplication(
      'conflict',
      'The merchant declined your application or ended your membership. Only the merchant can add you again.',
    );
  if (member !== null && member !== 'removed') return refuseApplication('conflict', 'You are already a member of this program.');
  if (leftAt !== null && facts.now.getTime() < leftAt.getTime() + hoursBeforeRejoining * hourMs)
    return refuseApplication('conflict', `You left this program. You can apply again ${hoursBeforeRejoining} hours after you left.`);
  if (!isOpen) return refuseApplication('unprocessable', 'This program does not accept applications right now.');
  if (isSuspended) return refuseApplication('unprocessable', 'Your account is suspended. Contact the operators of this service.');
  if (openApplications >= openApplicationsMax)
    return refuseApplication('limit_reached', `You have ${openApplicationsMax} open applications. Wait until a merchant decides on one.`);
  return { do: 'apply' };
}

const refuseApplication = (reason: 'conflict' | 'unprocessable' | 'limit_reached', message: string): ApplicationDecision => ({
  do: 'refuse',
  reason,
  message,
});

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
  if (member === 'applied') return refuseApplication('conflict', 'You have applied to this program already; the merchant decides.');
  if (member === 'removed' && leftAt === null)
    return refuseApplication('conflict', 'The merchant said no, or ended your membership; only they can take you in.');
  if (member !== null && member !== 'removed') return refuseApplication('conflict', 'You are in this program already.');
  if (leftAt !== null && facts.now.getTime() < leftAt.getTime() + hoursBeforeRejoining * hourMs)
    return refuseApplication('conflict', `You left this program; you can apply again ${hoursBeforeRejoining} hours after that.`);
  if (!isOpen) return refuseApplication('unprocessable', 'This program takes nobody at the moment.');
  if (isSuspended) return refuseApplication('unprocessable', 'Your account is suspended; ask whoever runs this service.');
  if (openApplications >= openApplicationsMax)
    return refuseApplication('limit_reached', `You have ${openApplicationsMax} open applications; wait until some are answered.`);
  return { do: 'apply' };
}

const refuseApplication = (reason: 'conflict' | 'unprocessable' | 'limit_reached', message: string): ApplicationDecision => ({
  do: 'refuse',
  reason,
  message,
});

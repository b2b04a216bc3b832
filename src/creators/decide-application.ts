import { hourMs } from '../core/time.ts';
import type { MemberStatus } from './membership-states.ts';
import { apiMessage } from '../messages/api-message.ts';

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
  if (member === 'applied') return refuseApplication('conflict', apiMessage('decide_application.you_have_already_applied_program'));
  if (member === 'removed' && leftAt === null)
    return refuseApplication('conflict', apiMessage('decide_application.merchant_declined_your_application_or'));
  if (member !== null && member !== 'removed')
    return refuseApplication('conflict', apiMessage('decide_application.you_already_member_program'));
  if (leftAt !== null && facts.now.getTime() < leftAt.getTime() + hoursBeforeRejoining * hourMs)
    return refuseApplication('conflict', apiMessage('decide_application.you_left_program_you_can', { hoursBeforeRejoining }));
  if (!isOpen) return refuseApplication('unprocessable', apiMessage('decide_application.program_does_not_accept_applications'));
  if (isSuspended) return refuseApplication('unprocessable', apiMessage('shared.account_suspended'));
  if (openApplications >= openApplicationsMax)
    return refuseApplication('limit_reached', apiMessage('decide_application.you_have_open_applications_wait', { openApplicationsMax }));
  return { do: 'apply' };
}

const refuseApplication = (reason: 'conflict' | 'unprocessable' | 'limit_reached', message: string): ApplicationDecision => ({
  do: 'refuse',
  reason,
  message,
});

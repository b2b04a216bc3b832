import { expect, test } from 'vitest';
import { hourMs } from '../platform/time.ts';
import { decideApplication, hoursBeforeRejoining, openApplicationsMax, type ApplicationFacts } from './decide-application.ts';

const now = new Date('2026-03-10T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * hourMs);
const good: ApplicationFacts = {
  wasPublished: true,
  isOpen: true,
  isSuspended: false,
  member: null,
  leftAt: null,
  now,
  openApplications: 0,
};

/** Each row breaks something below it too. */
const ladder: ReadonlyArray<readonly [name: string, facts: Partial<ApplicationFacts>, end: string]> = [
  ['a program that was never published does not exist', { wasPublished: false, member: 'applied' }, 'hide'],
  ['an application is made once', { member: 'applied', isOpen: false }, 'conflict'],
  ['the merchant’s no stands', { member: 'removed', isOpen: false }, 'conflict'],
  ['a paused member is one', { member: 'paused', isOpen: false }, 'conflict'],
  ['a member is one', { member: 'approved', isOpen: false }, 'conflict'],
  ['whoever left an hour ago waits', { member: 'removed', leftAt: hoursAgo(23.9), isOpen: false }, 'conflict'],
  ['whoever left a day ago may apply again', { member: 'removed', leftAt: hoursAgo(hoursBeforeRejoining) }, 'apply'],
  ['whoever left is refused by a closed program', { member: 'removed', leftAt: hoursAgo(48), isOpen: false }, 'unprocessable'],
  ['a closed program takes nobody', { isOpen: false, isSuspended: true }, 'unprocessable'],
  ['a suspended creator does not apply', { isSuspended: true, openApplications: openApplicationsMax }, 'unprocessable'],
  ['open applications have a limit', { openApplications: openApplicationsMax }, 'limit_reached'],
  ['all else is an application', { openApplications: openApplicationsMax - 1 }, 'apply'],
];

test.each(ladder)('%s', (_name, facts, end) => {
  const decision = decideApplication({ ...good, ...facts });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(end);
});

import { expect, test } from 'vitest';
import { hourMs } from '../core/time.ts';
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

/** Each row would have another result if a later rule came first. */
const rules: ReadonlyArray<readonly [name: string, facts: Partial<ApplicationFacts>, end: string]> = [
  ['hides a program that was never published', { wasPublished: false, member: 'applied' }, 'hide'],
  ['rejects a second application', { member: 'applied', isOpen: false }, 'conflict'],
  ['rejects a creator that the merchant removed', { member: 'removed', isOpen: false }, 'conflict'],
  ['rejects a paused member', { member: 'paused', isOpen: false }, 'conflict'],
  ['rejects a member', { member: 'approved', isOpen: false }, 'conflict'],
  ['rejects a creator who left less than a day ago', { member: 'removed', leftAt: hoursAgo(23.9), isOpen: false }, 'conflict'],
  ['accepts a creator who left a day ago', { member: 'removed', leftAt: hoursAgo(hoursBeforeRejoining) }, 'apply'],
  ['rejects a creator who left if the program is closed', { member: 'removed', leftAt: hoursAgo(48), isOpen: false }, 'unprocessable'],
  ['rejects applications to a closed program', { isOpen: false, isSuspended: true }, 'unprocessable'],
  ['rejects a suspended creator', { isSuspended: true, openApplications: openApplicationsMax }, 'unprocessable'],
  ['limits open applications', { openApplications: openApplicationsMax }, 'limit_reached'],
  ['accepts any other application', { openApplications: openApplicationsMax - 1 }, 'apply'],
];

test.each(rules)('%s', (_name, facts, end) => {
  const decision = decideApplication({ ...good, ...facts });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(end);
});

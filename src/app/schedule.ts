import { copySuspensions, copySuspensionsTask } from '../creators/copy-suspensions.ts';
import { createUpcomingPartitions, dropOldPartitions, earliestMissingPartition } from '../clicks/partitions.ts';
import { foldRollups } from '../rollups/fold-rollups.ts';
import { createNextSigningKey, dropOldSigningKeys, earliestMissingKey } from '../clicks/signing-keys.ts';
import { invoiceSchedule } from '../billing/decide-issue.ts';
import {
  issueDailyInvoices,
  chargeDueInvoices,
  issueMonthlyInvoices,
  earliestCharge,
  earliestUnfinishedBilling,
  resumeBilling,
  resumeBillingTask,
} from '../billing/run-billing.ts';
import { earliestBilling } from '../billing/paginate-invoices.ts';
import { deliverToCreatorsTask } from '../commissions/creator-outbox-sql.ts';
import { sendEmailsTask } from '../people/enqueue-email.ts';
import { deleteOldEmails, sendWaitingEmails } from '../notify/send-emails.ts';
import { awardGoals, nextGoalsAt } from '../review/award-goals.ts';
import { announceAutoApprovals, autoApproveDue, nextAnnouncementAt, nextAutoApprovalAt } from '../review/auto-approve.ts';
import { sendMessages, sendMessagesTask } from '../outreach/send-messages.ts';
import { sendNotices } from '../outreach/send-notices.ts';
import { sendNoticesTask } from '../merchants/enqueue-notices.ts';
import { runImports, runImportsTask } from '../outreach/run-imports.ts';
import { deleteOldOutreach } from '../outreach/retention.ts';
import { deleteExpiredPeopleData } from '../people/retention.ts';
import { deliverEarnings } from '../payouts/deliver-earnings.ts';
import { payoutSchedule } from '../payouts/decide-payout.ts';
import {
  earliestOpenPayout,
  earliestPayout,
  deliverAndResumePayouts,
  resumePayoutsTask,
  runScheduledPayouts,
} from '../payouts/run-payouts.ts';
import { nextBudgetNoticeAt, sendBudgetNotices } from '../orders/send-budget-notices.ts';
import { assessBeforeBilling, assessBeforePayouts, assessRisk, earliestSignal, isEnforcementWaiting } from '../risk/assess-risk.ts';
import { maintainRiskCases, maintainRiskCasesTask } from '../risk/maintain-cases.ts';
import { reportFailedJobs } from '../operations/report-failed-jobs.ts';
import { nextDigestAt, sendDigests } from '../portal/send-digests.ts';
import { type DueJob, runDueJobs, whatIsDue } from '../queue/scheduled-jobs.ts';
import { unlessHistoryIsWritten } from '../queue/history-lock.ts';
import type { Tasks } from '../queue/jobs.ts';
import { nowOrLater } from '../core/time.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Money, Providers } from '../payments/providers.ts';
import { sendSandboxEvents } from '../payments/sandbox-webhooks.ts';
import { deleteOldBodies } from '../tracking/delete-old-bodies.ts';
import { verifyDaily } from './verify.ts';
import type { AnswerReport } from '../inbox/direct-reports.ts';
import { compareShopifyOrders } from '../shopify-orders/compare-orders.ts';
import { deleteOldShopifyOrders, handleShopifyOrders, handleShopifyOrdersTask } from '../shopify-orders/handle-orders.ts';
import { deleteOldStripeEvents, handleStripeEvents, handleStripeEventsTask } from '../stripe-orders/handle-events.ts';
import { deleteOldWebhooks, runWebhooks, runWebhooksTask } from '../webhooks/deliver-webhooks.ts';

/** A job that moves money needs the payment providers. */
type MoneyJob = (money: Money, now: Date) => Promise<void>;

/** Every scheduled job. Times are business time, in UTC. */
export const scheduleOf = (providers: Providers): readonly DueJob[] => {
  const withMoney =
    (job: MoneyJob): DueJob['run'] =>
    (platform, now) =>
      job({ platform, providers }, now);
  return [...otherJobs, ...moneyJobs(withMoney)];
};

const moneyJobs = (withMoney: (job: MoneyJob) => DueJob['run']): readonly DueJob[] => [
  // Billing: cut on the 1st, charged on the 4th, which is the daily look of that day.
  {
    name: 'issue monthly invoices',
    schedule: invoiceSchedule,
    earliestWork: orPendingEnforcement(earliestBilling),
    run: withMoney(atTimeOfRun(assessRiskFirst(assessBeforeBilling, issueMonthlyInvoices))),
  },
  {
    name: 'issue early invoices',
    schedule: { every: 'day', hour: 3, minute: 10 },
    earliestWork: orPendingEnforcement(earliestBilling),
    run: withMoney(atTimeOfRun(assessRiskFirst(assessBeforeBilling, issueDailyInvoices))),
  },
  {
    name: 'charge due invoices',
    schedule: { every: 'day', hour: 4, minute: 0 },
    earliestWork: earliestCharge,
    run: withMoney(chargeDueInvoices),
  },
  {
    name: 'settle open charges',
    schedule: { every: 'hours', hours: 6, minute: 10 },
    earliestWork: earliestUnfinishedBilling,
    run: withMoney(resumeBilling),
  },
  // Payouts
  {
    name: 'pay creators',
    schedule: payoutSchedule,
    earliestWork: orPendingEnforcement(earliestPayout),
    run: withMoney(assessRiskFirst(assessBeforePayouts, runScheduledPayouts)),
  },
  {
    name: 'resume open payouts',
    schedule: { every: 'hours', hours: 6, minute: 20 },
    earliestWork: earliestOpenPayout,
    run: withMoney(deliverAndResumePayouts),
  },
];

/** Billing acts at the time of its run, so that what is assessed is what is invoiced, also if the run is late. */
const atTimeOfRun =
  (job: MoneyJob): MoneyJob =>
  (money, due) =>
    job(money, nowOrLater(money.platform.clock, due));

/** Assesses before money moves. What could not be assessed is neither invoiced nor paid by this run. */
const assessRiskFirst =
  <Assessment>(
    assess: (platform: Platform, now: Date, only: null) => Promise<Assessment>,
    job: (money: Money, now: Date, assessment: Assessment) => Promise<void>,
  ): MoneyJob =>
  async (money, now) =>
    job(money, now, await assess(money.platform, now, null));

/** An assessment may also have something to enforce where nothing is charged or paid. */
const orPendingEnforcement =
  (earliestWork: (platform: Platform) => Promise<Date | null>) =>
  async (platform: Platform): Promise<Date | null> =>
    (await isEnforcementWaiting(platform)) ? whatIsDue : earliestWork(platform);

/** Before each job that runs only at its last turn: why the turns before that one make no difference. */
const otherJobs: readonly DueJob[] = [
  {
    name: 'create click partitions',
    schedule: { every: 'day', hour: 0, minute: 10 },
    earliestWork: earliestMissingPartition,
    run: createUpcomingPartitions,
  },
  {
    name: 'create the next signing key',
    schedule: { every: 'day', hour: 0, minute: 15 },
    earliestWork: earliestMissingKey,
    run: createNextSigningKey,
  },
  // Folds the rows of all days that are over. The totals are the same before and after.
  { name: 'update daily totals', schedule: { every: 'day', hour: 1, minute: 0 }, onlyLast: true, run: foldRollups },
  // Deletes everything older than a moment: the last moment includes the ones before it. So do the other jobs that delete.
  { name: 'delete old clicks', schedule: { every: 'day', hour: 1, minute: 30 }, onlyLast: true, run: dropOldPartitions },
  {
    name: 'approve commissions automatically',
    schedule: { every: 'hour', minute: 0 },
    earliestWork: nextAutoApprovalAt,
    run: autoApproveDue,
  },
  {
    name: 'announce automatic approvals',
    schedule: { every: 'day', hour: 2, minute: 0 },
    earliestWork: nextAnnouncementAt,
    run: announceAutoApprovals,
  },
  // Daily, a little after midnight, because the month of a goal may have ended.
  { name: 'award goals', schedule: { every: 'day', hour: 0, minute: 30 }, earliestWork: nextGoalsAt, run: awardGoals },
  {
    name: 'email notices of used budgets',
    schedule: { every: 'hour', minute: 25 },
    earliestWork: nextBudgetNoticeAt,
    run: sendBudgetNotices,
  },
  {
    name: 'email sales summaries to creators',
    schedule: { every: 'day', hour: 7, minute: 0 },
    earliestWork: nextDigestAt,
    run: sendDigests,
  },
  // Compares the rows as they are now, with each other.
  { name: 'verify everything', schedule: { every: 'day', hour: 5, minute: 0 }, onlyLast: true, run: verifyDaily },
  // Runs after all other nightly jobs. Reports the jobs whose last run failed.
  { name: 'report failed jobs', schedule: { every: 'day', hour: 7, minute: 30 }, onlyLast: true, run: reportFailedJobs },
  {
    name: 'assess risk',
    schedule: { every: 'day', hour: 1, minute: 20 },
    earliestWork: (platform, ranUpTo) => orPendingEnforcement((every) => earliestSignal(every, ranUpTo))(platform),
    run: assessRisk,
  },
  // Deletes by real time, which a backlog of business time does not move.
  { name: 'delete expired account data', schedule: { every: 'day', hour: 2, minute: 0 }, onlyLast: true, run: deleteExpiredPeopleData },
  { name: 'delete old invitations of creators', schedule: { every: 'day', hour: 2, minute: 5 }, onlyLast: true, run: deleteOldOutreach },
  // Deletes everything that became too old since its last run.
  { name: 'delete old postback bodies', schedule: { every: 'day', hour: 1, minute: 55 }, onlyLast: true, run: deleteOldBodies },
  // Deletes by real time.
  { name: 'delete old emails', schedule: { every: 'day', hour: 1, minute: 50 }, onlyLast: true, run: deleteOldEmails },
  { name: 'delete old webhook deliveries', schedule: { every: 'day', hour: 1, minute: 45 }, onlyLast: true, run: deleteOldWebhooks },
  { name: 'delete old Stripe events', schedule: { every: 'day', hour: 1, minute: 35 }, onlyLast: true, run: deleteOldStripeEvents },
  { name: 'delete old Shopify orders', schedule: { every: 'day', hour: 1, minute: 36 }, onlyLast: true, run: deleteOldShopifyOrders },
  // Compares with the Shopify shops as they are now.
  { name: 'compare Shopify orders', schedule: { every: 'day', hour: 3, minute: 0 }, onlyLast: true, run: compareShopifyOrders },
  { name: 'delete old signing keys', schedule: { every: 'day', hour: 1, minute: 40 }, onlyLast: true, run: dropOldSigningKeys },
];

/** Sends the webhook events of the sandbox's payment provider over real HTTP. Live mode has none. */
const sendSandboxEventsTask = 'send_sandbox_news';

/** The tasks of the queue. Emails are due by real time; everything else is due by business time and is checked each minute. */
export const tasksOf = ({ platform, providers, answer }: Money & { readonly answer: AnswerReport }): Tasks => {
  // A task that is skipped while a history is written runs in the next minute.
  const business = (work: (now: Date) => Promise<unknown>) => async () => {
    await unlessHistoryIsWritten(platform, () => work(platform.clock.now()));
  };
  return {
    run_due_jobs: business((now) => runDueJobs(platform, scheduleOf(providers), now, { ifTaken: 'skip' })),
    [sendEmailsTask]: async () => {
      await sendWaitingEmails(platform);
    },
    [runImportsTask]: () => runImports(platform),
    [sendMessagesTask]: () => sendMessages(platform),
    [sendNoticesTask]: (payload) => sendNotices(platform, payload),
    [resumeBillingTask]: business(() => resumeBilling({ platform, providers })),
    [deliverToCreatorsTask]: business((now) => deliverEarnings(platform, now)),
    [runWebhooksTask]: async () => {
      await runWebhooks(platform);
    },
    [handleStripeEventsTask]: (payload) => handleStripeEvents(platform, answer, payload),
    [handleShopifyOrdersTask]: (payload) => handleShopifyOrders(platform, answer, payload),
    [sendSandboxEventsTask]: business((now) => sendSandboxEvents(platform, now)),
    [copySuspensionsTask]: () => copySuspensions(platform),
    [maintainRiskCasesTask]: business(() => maintainRiskCases(platform)),
    [resumePayoutsTask]: business((now) => deliverAndResumePayouts({ platform, providers }, now)),
  };
};

export const eachMinute = [
  'run_due_jobs',
  sendEmailsTask,
  runImportsTask,
  sendMessagesTask,
  copySuspensionsTask,
  resumeBillingTask,
  maintainRiskCasesTask,
  resumePayoutsTask,
  sendSandboxEventsTask,
  runWebhooksTask,
  handleStripeEventsTask,
  handleShopifyOrdersTask,
] as const;

import { dropOldPartitions, makePartitionsAhead } from './clicks/partitions.ts';
import { foldFigures } from './figures/fold.ts';
import { dropOldSigningKeys, makeNextSigningKey } from './clicks/signing-keys.ts';
import { cutRhythm } from './billing/calendar.ts';
import { billEarly, chargeDue, cutInvoices, settleOpen, settleOpenTask } from './billing/jobs.ts';
import { deliverTask } from './commissions/outbox-sql.ts';
import { sendMailsTask } from './notify/mail.ts';
import { forgetOldMails, sendWaitingMails } from './notify/send-mails.ts';
import { approveByTime, earliestApproval, tellOfComingApprovals } from './review/approve-by-time.ts';
import { tidyPeople } from './people/tidy.ts';
import { deliverToCreators } from './payouts/deliver.ts';
import { payoutRhythm } from './payouts/calendar.ts';
import { lookAfterPayouts, lookAfterPayoutsTask, payCreators } from './payouts/jobs.ts';
import { assessBeforeBilling, assessBeforePayouts } from './risk/assess-money.ts';
import { assessRisk } from './risk/assess.ts';
import { tendRisk, tendRiskTask } from './risk/jobs.ts';
import { reportFailedJobs } from './operating/failed-jobs.ts';
import { tellCreatorsOfSales } from './portal/digest.ts';
import { runDueJobs, type DueJob } from './platform/due-jobs.ts';
import { unlessHistoryIsWritten } from './platform/history-lock.ts';
import type { Tasks } from './platform/jobs.ts';
import type { Platform } from './platform/platform.ts';
import type { Money, Providers } from './providers/providers.ts';
import { sendSandboxNews } from './providers/sandbox-news.ts';
import { forgetOldBodies } from './tracking/forget.ts';
import { verifyAtNight } from './verify.ts';
import { forgetOldWebhooks, tendWebhooks, tendWebhooksTask } from './webhooks/tend.ts';

/** A job that moves money needs who moves it. */
type MoneyJob = (money: Money, now: Date) => Promise<void>;

/** Every job of the night and its rhythm, on one page. Times are business time, in UTC. */
export const scheduleOf = (providers: Providers): readonly DueJob[] => {
  const withMoney =
    (job: MoneyJob): DueJob['run'] =>
    (platform, now) =>
      job({ platform, providers }, now);
  return [...houseJobs, ...moneyJobs(withMoney)];
};

const moneyJobs = (withMoney: (job: MoneyJob) => DueJob['run']): readonly DueJob[] => [
  // Billing: cut on the 1st, charged on the 4th, which is the daily look of that day.
  { name: 'cut invoices', rhythm: cutRhythm, run: withMoney(assessedFirst(assessBeforeBilling, cutInvoices)) },
  { name: 'bill early', rhythm: { every: 'day', hour: 3, minute: 10 }, run: withMoney(assessedFirst(assessBeforeBilling, billEarly)) },
  { name: 'charge what is due', rhythm: { every: 'day', hour: 4, minute: 0 }, run: withMoney(chargeDue) },
  { name: 'settle open charges', rhythm: { every: 'hours', hours: 6, minute: 10 }, run: withMoney(settleOpen) },
  // Payouts
  { name: 'pay creators', rhythm: payoutRhythm, run: withMoney(assessedFirst(assessBeforePayouts, payCreators)) },
  { name: 'go on with payouts', rhythm: { every: 'hours', hours: 6, minute: 20 }, run: withMoney(lookAfterPayouts) },
];

/** Nothing is charged or paid before what looks like fraud is kept back. */
const assessedFirst =
  (assess: (platform: Platform, now: Date, only: null) => Promise<void>, job: MoneyJob): MoneyJob =>
  async (money, now) => {
    await assess(money.platform, now, null);
    await job(money, now);
  };

const houseJobs: readonly DueJob[] = [
  { name: 'make click partitions ahead', rhythm: { every: 'day', hour: 0, minute: 10 }, run: makePartitionsAhead },
  { name: 'make the next signing key', rhythm: { every: 'day', hour: 0, minute: 15 }, run: makeNextSigningKey },
  { name: 'fold the daily figures', rhythm: { every: 'day', hour: 1, minute: 0 }, run: foldFigures },
  { name: 'drop old clicks', rhythm: { every: 'day', hour: 1, minute: 30 }, run: dropOldPartitions },
  { name: 'approve what approves itself', rhythm: { every: 'hour', minute: 0 }, earliestWork: earliestApproval, run: approveByTime },
  { name: 'announce automatic approvals', rhythm: { every: 'day', hour: 2, minute: 0 }, run: tellOfComingApprovals },
  { name: 'tell creators of their sales', rhythm: { every: 'day', hour: 7, minute: 0 }, run: tellCreatorsOfSales },
  { name: 'verify everything', rhythm: { every: 'day', hour: 5, minute: 0 }, onlyLast: true, run: verifyAtNight },
  // After all others of the night.
  { name: 'report failed jobs', rhythm: { every: 'day', hour: 7, minute: 30 }, onlyLast: true, run: reportFailedJobs },
  { name: 'assess risk', rhythm: { every: 'day', hour: 1, minute: 20 }, onlyLast: true, run: assessRisk },
  { name: 'tidy people', rhythm: { every: 'day', hour: 2, minute: 0 }, run: tidyPeople },
  { name: 'forget bodies of the tracking log', rhythm: { every: 'day', hour: 1, minute: 55 }, run: forgetOldBodies },
  { name: 'forget old mails', rhythm: { every: 'day', hour: 1, minute: 50 }, run: forgetOldMails },
  { name: 'forget old webhooks', rhythm: { every: 'day', hour: 1, minute: 45 }, run: forgetOldWebhooks },
  { name: 'drop old signing keys', rhythm: { every: 'day', hour: 1, minute: 40 }, run: dropOldSigningKeys },
];

/** What the sandbox's payment provider tells, over real HTTP. Live there is none, and nothing to send. */
const sendNewsTask = 'send_sandbox_news';

/** What the queue can run. Mails go by real time; all else becomes due by business time, and is looked at each minute. */
export const tasksOf = ({ platform, providers }: Money): Tasks => {
  // What is skipped while a history is written is run in the next minute.
  const business = (work: (now: Date) => Promise<unknown>) => async () => {
    await unlessHistoryIsWritten(platform, () => work(platform.clock.now()));
  };
  return {
    run_due_jobs: business((now) => runDueJobs(platform, scheduleOf(providers), now, { ifTaken: 'leave' })),
    [sendMailsTask]: async () => {
      await sendWaitingMails(platform);
    },
    [settleOpenTask]: business((now) => settleOpen({ platform, providers }, now)),
    [deliverTask]: business((now) => deliverToCreators(platform, now)),
    [tendWebhooksTask]: async () => {
      await tendWebhooks(platform);
    },
    [sendNewsTask]: business((now) => sendSandboxNews(platform, now)),
    [tendRiskTask]: business(() => tendRisk(platform)),
    [lookAfterPayoutsTask]: business((now) => lookAfterPayouts({ platform, providers }, now)),
  };
};

export const eachMinute = [
  'run_due_jobs',
  sendMailsTask,
  settleOpenTask,
  tendRiskTask,
  lookAfterPayoutsTask,
  sendNewsTask,
  tendWebhooksTask,
] as const;

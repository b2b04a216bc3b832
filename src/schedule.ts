import { dropOldPartitions, makePartitionsAhead } from './clicks/partitions.ts';
import { foldFigures } from './clicks/fold.ts';
import { dropOldSigningKeys, makeNextSigningKey } from './clicks/signing-keys.ts';
import { sendMailsTask } from './notify/mail.ts';
import { forgetOldMails, sendWaitingMails } from './notify/send-mails.ts';
import { approveByTime } from './review/approve-by-time.ts';
import { tidyPeople } from './people/tidy.ts';
import { runDueJobs, type DueJob } from './platform/due-jobs.ts';
import type { Tasks } from './platform/jobs.ts';
import type { Platform } from './platform/platform.ts';
import { forgetOldBodies } from './tracking/forget.ts';

/** Every job of the night and its rhythm, on one page. Times are business time, in UTC. */
export const schedule: readonly DueJob[] = [
  { name: 'make click partitions ahead', rhythm: { every: 'day', hour: 0, minute: 10 }, run: makePartitionsAhead },
  { name: 'make the next signing key', rhythm: { every: 'day', hour: 0, minute: 15 }, run: makeNextSigningKey },
  { name: 'fold the daily figures', rhythm: { every: 'day', hour: 1, minute: 0 }, run: foldFigures },
  { name: 'drop old clicks', rhythm: { every: 'day', hour: 1, minute: 30 }, run: dropOldPartitions },
  { name: 'approve what approves itself', rhythm: { every: 'day', hour: 2, minute: 0 }, run: approveByTime },
  { name: 'tidy people', rhythm: { every: 'day', hour: 2, minute: 0 }, run: tidyPeople },
  { name: 'forget bodies of the tracking log', rhythm: { every: 'day', hour: 1, minute: 55 }, run: forgetOldBodies },
  { name: 'forget old mails', rhythm: { every: 'day', hour: 1, minute: 50 }, run: forgetOldMails },
  { name: 'drop old signing keys', rhythm: { every: 'day', hour: 1, minute: 40 }, run: dropOldSigningKeys },
];

/** What the queue can run. Mails go by real time; all else becomes due by business time, and is looked at each minute. */
export const tasksOf = (platform: Platform): Tasks => ({
  run_due_jobs: async () => {
    await runDueJobs(platform, schedule, platform.clock.now(), { ifTaken: 'leave' });
  },
  [sendMailsTask]: async () => {
    await sendWaitingMails(platform);
  },
});
export const eachMinute = ['run_due_jobs', sendMailsTask] as const;

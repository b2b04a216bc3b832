import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { jobRuns } from '../queue/scheduled-jobs-sql.ts';
import { runBetween, type DueJob } from '../queue/scheduled-jobs.ts';
import { historyIsWritten, unlessHistoryIsWritten } from '../queue/history-lock.ts';
import { notFound, refuse } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { nextDue, type Schedule } from '../queue/due-times.ts';
import { realNow } from '../core/time.ts';
import { listFailedTasks, retryTask } from './queue-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const nameLengthMax = 100;
const access = { allow: 'operator' } as const;

const scheduledJobJson = namedObject('ScheduledJob', {
  job: T.String(),
  rhythm: T.String({ description: 'The schedule in words; times are UTC' }),
  ran_up_to: orNull(T.String({ description: 'In business time; null if it has not run' })),
  next_at: orNull(T.String({ description: 'When it is next due; null before its first run' })),
  last_error: orNull(T.String({ description: 'Null if the last run succeeded' })),
  failed_at: orNull(T.String()),
  failures: T.Integer({ description: 'Consecutive failures' }),
});
const taskJson = namedObject('FailedTask', {
  id: T.String(),
  task: T.String(),
  attempts: T.Integer(),
  attempts_max: T.Integer({ description: 'The job is abandoned after this many failed attempts' }),
  last_error: T.String(),
  next_at: T.String({ description: 'Real time' }),
  is_running: T.Boolean(),
});

export const listJobs = (schedule: readonly DueJob[]) =>
  endpoint({
    summary: 'List the scheduled jobs with their last runs, and the failed jobs in the queue',
    access,
    reply: T.Object({ night: T.Array(scheduledJobJson), queue: T.Array(taskJson) }),
    async handle({ db }) {
      const runs = new Map((await jobRuns(db)).map((run) => [run.job, run]));
      const tasks = await listFailedTasks(db);
      return {
        night: schedule.map(({ name, schedule: times }) => {
          const run = runs.get(name);
          return {
            job: name,
            rhythm: describeSchedule(times),
            ran_up_to: isoTimeOrNull(run?.ranUpTo ?? null),
            next_at: run === undefined ? null : isoTime(nextDue(times, run.ranUpTo)),
            last_error: run?.lastError ?? null,
            failed_at: isoTimeOrNull(run?.failedAt ?? null),
            failures: run?.failures ?? 0,
          };
        }),
        queue: tasks.map(({ id, task, attempts, maxAttempts, lastError, runAt, isRunning }) => ({
          id,
          task,
          attempts,
          attempts_max: maxAttempts,
          last_error: lastError,
          next_at: isoTime(runAt),
          is_running: isRunning,
        })),
      };
    },
  });

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const timeOfDay = (at: { readonly hour: number; readonly minute: number }): string => `${twoDigits(at.hour)}:${twoDigits(at.minute)}`;

const ordinalSuffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st' };
const ordinal = (day: number): string => `${day}${ordinalSuffixes[day] ?? 'th'}`;

function describeSchedule(schedule: Schedule): string {
  switch (schedule.every) {
    case 'hour':
      return `every hour at :${twoDigits(schedule.minute)}`;
    case 'hours':
      return `every ${schedule.hours} hours at :${twoDigits(schedule.minute)}`;
    case 'day':
      return `every day at ${timeOfDay(schedule)}`;
    case 'month':
      return `each month on the ${schedule.days.map(ordinal).join(' and ')} at ${timeOfDay(schedule)}`;
  }
}

/** Runs a scheduled job before it replies, which is safe to do twice. A queued task becomes due immediately. */
export const retryJob = (schedule: readonly DueJob[]) =>
  endpoint({
    summary: 'Run a scheduled job now, or retry a failed job immediately',
    access,
    proof: true,
    body: T.Object(
      {
        kind: T.Enum(['night', 'queue']),
        job: T.String({
          minLength: 1,
          maxLength: nameLengthMax,
          description: 'The name of the scheduled job, or the ID of the job in the queue',
        }),
      },
      { additionalProperties: false },
    ),
    reply: T.Object({
      ended: T.Enum(['done', 'failed', 'queued']),
      error: orNull(T.String({ description: 'Why it failed again' })),
    }),
    inTransaction: false,
    alsoRefuses: ['not_found'],
    audit: 'job.retry',
    async handle({ platform, body, now }) {
      if (body.kind === 'queue') {
        if (!/^\d{1,18}$/.test(body.job)) return notFound;
        if (await retryTask(platform.database, body.job, realNow())) return { ended: 'queued' as const, error: null };
        return refuse('conflict', apiMessage('jobs_api.job_running_right_now_or'));
      }
      const job = schedule.find(({ name }) => name === body.job);
      if (job === undefined) return notFound;
      const ran = await unlessHistoryIsWritten(platform, () => runBetween(platform, job, now));
      if (ran.is === 'history') return historyIsWritten;
      const end = ran.result;
      if (end.is === 'busy') return refuse('conflict', apiMessage('jobs_api.scheduled_jobs_running_right_now'));
      return { ended: end.is, error: end.is === 'failed' ? end.error : null };
    },
  });

import { dueJobRuns, saveFailure, saveManualFailure, saveRun, saveManualRun } from './scheduled-jobs-sql.ts';
import { scheduleLock } from '../db/advisory-locks.ts';
import type { Platform } from '../runtime/platform.ts';
import { lastDue, nextDue, type Schedule } from './due-times.ts';
import { isServerFull, isConnectionLost, errorForLog } from '../db/sql-errors.ts';

/**
 * A scheduled job: it does what is due at `now` and is safe to run twice. Its time is business time, so the sandbox's clock drives it just
 * as real days do.
 */
export type DueJob = {
  readonly name: string;
  readonly schedule: Schedule;
  /** One run at the last of several missed turns has the same result as a run at each of them. */
  readonly onlyLast?: boolean;
  /**
   * The earliest moment at which it has work, as the rows are now; null if it has none, and `whatIsDue` if it has some already. It is asked
   * only in a backlog of turns, to skip the turns before that moment, and again after each job that ran, because that job may have made
   * work for it. So it may be too early, but not too late. `ranUpTo` is the turn of its last run.
   */
  readonly earliestWork?: (platform: Platform, ranUpTo: Date) => Promise<Date | null>;
  /** `ranUpTo` is the turn of its last run: the turns between it and `now` were skipped or missed. */
  readonly run: (platform: Platform, now: Date, ranUpTo: Date) => Promise<void>;
};

/** The answer of `earliestWork` for work that does not wait for a moment. */
export const whatIsDue = new Date(0);

export type DueJobsResult = { readonly runs: number; readonly failed: readonly string[] };

/** A job that was away longer than this (a long pause of the whole service) begins again here. */
const catchUpDaysMax = 400;
const catchUpMs = catchUpDaysMax * 86_400_000;

export type RunDueJobsOptions = {
  readonly ifTaken: 'wait' | 'skip';
  /** Called once for each moment at which something runs, before its jobs. */
  readonly before?: (moment: Date) => Promise<void>;
  /** When `before` has work of its own next: it is then called at the first turn of any job after that. */
  readonly earliestBefore?: () => Promise<Date | null>;
};

/**
 * Runs what has become due up to a moment, in order of time, each job seeing the moment it was due at. Turns at which a job has nothing to
 * do are skipped, except for its last one. Only one process at a time runs the schedule; another one waits or skips.
 */
export async function runDueJobs(
  platform: Platform,
  jobs: readonly DueJob[],
  upTo: Date,
  options: RunDueJobsOptions,
): Promise<DueJobsResult> {
  const jobPlatform = { ...platform, database: platform.jobsDatabase };
  const lock = await scheduleLock(jobPlatform.database, options.ifTaken);
  if (lock === null) return { runs: 0, failed: [] };
  try {
    return await runInOrder(jobPlatform, jobs, upTo, options);
  } finally {
    await lock.release();
  }
}

/** How far a job has run. After a failure it runs at its next turn: what it left undone is due, whatever it says about new work. */
type Progress = { readonly job: DueJob; ranUpTo: Date; hasFailed: boolean };

/** What happens next: a job, or only what comes before the jobs of a moment. */
type Next = { readonly at: Date; readonly progress: Progress | null };

async function runInOrder(platform: Platform, jobs: readonly DueJob[], upTo: Date, options: RunDueJobsOptions): Promise<DueJobsResult> {
  const all = await progressOf(platform, jobs, upTo);
  const failed = new Set<string>();
  let runs = 0;
  let moment: Date | null = null;
  for (;;) {
    const next: Next | null = await nextOf(platform, all, { moment, upTo, earliestBefore: options.earliestBefore });
    if (next === null) return { runs, failed: [...failed] };
    // Jobs of the same moment share what comes before it.
    if (moment?.getTime() !== next.at.getTime()) await options.before?.(next.at);
    moment = next.at;
    if (next.progress === null) continue;
    const { job, ranUpTo } = next.progress;
    next.progress.hasFailed = !(await runOne(platform, job, { due: next.at, ranUpTo }));
    next.progress.ranUpTo = next.at;
    if (next.progress.hasFailed) failed.add(job.name);
    runs += 1;
  }
}

async function progressOf(platform: Platform, jobs: readonly DueJob[], upTo: Date): Promise<readonly Progress[]> {
  // A job that never ran begins now, which the sandbox's clock is about to leave behind: what becomes due on the way is run.
  const runs = await dueJobRuns(
    platform.database,
    jobs.map(({ name }) => name),
    platform.clock.now(),
  );
  const earliest = new Date(upTo.getTime() - catchUpMs);
  return jobs.map((job) => {
    const { ranUpTo = upTo, hasFailed = false } = runs.get(job.name) ?? {};
    return { job, ranUpTo: latest(ranUpTo, earliest), hasFailed };
  });
}

type Ahead = { readonly moment: Date | null; readonly upTo: Date; readonly earliestBefore: RunDueJobsOptions['earliestBefore'] };

/**
 * The earliest thing to do; of the same moment, in the order of the schedule. A job whose next turn is later than what was found already
 * is not asked when it has work.
 */
async function nextOf(platform: Platform, all: readonly Progress[], { moment, upTo, earliestBefore }: Ahead): Promise<Next | null> {
  // Time does not go back: a job that has work only now runs at the moment that was reached.
  const from = moment === null ? null : new Date(moment.getTime() - 1);
  const turns = all.map((progress) => {
    const { job, ranUpTo } = progress;
    return { progress, turn: nextDue(job.schedule, from === null ? ranUpTo : latest(ranUpTo, from)) };
  });
  let next: Next | null = null;
  const isBefore = (at: Date, progress: Progress): boolean => {
    if (next === null || at < next.at) return true;
    return at.getTime() === next.at.getTime() && next.progress !== null && all.indexOf(progress) < all.indexOf(next.progress);
  };
  for (const { progress, turn } of turns.toSorted((one, other) => one.turn.getTime() - other.turn.getTime())) {
    if (turn > upTo || (next !== null && turn > next.at)) break;
    const at = await turnWithWork(platform, progress, { turn, upTo });
    if (isBefore(at, progress)) next = { at, progress };
  }
  const earliest = (await earliestBefore?.()) ?? null;
  if (earliest === null) return next;
  const after = latest(new Date(earliest.getTime() - 1), moment ?? new Date(0));
  const at = new Date(Math.min(...all.map(({ job }) => nextDue(job.schedule, after).getTime())));
  return at <= upTo && (next === null || at < next.at) ? { at, progress: null } : next;
}

type Turn = { readonly turn: Date; readonly upTo: Date };

/** The last turn is always run, so that what a job says about its work can delay it by a backlog, and not for good. */
async function turnWithWork(platform: Platform, { job, ranUpTo, hasFailed }: Progress, { turn, upTo }: Turn): Promise<Date> {
  const last = lastDue(job.schedule, upTo);
  if (job.onlyLast === true) return last;
  if (job.earliestWork === undefined || hasFailed || turn >= last) return turn;
  const earliest = await job.earliestWork(platform, ranUpTo);
  if (earliest === null || earliest > last) return last;
  return latest(turn, nextDue(job.schedule, new Date(earliest.getTime() - 1)));
}

/** A job that fails does not hold up the others, nor its own next turn: what it left undone is still due then. */
async function runOne(platform: Platform, job: DueJob, { due, ranUpTo }: { readonly due: Date; readonly ranUpTo: Date }): Promise<boolean> {
  try {
    await job.run(platform, due, ranUpTo);
    await saveRun(platform.database, job.name, due);
    return true;
  } catch (error) {
    // The database went away under it or is full, which says nothing about the job: it stays due, and is checked
    // again in a minute. If this counted as a failed run, the invoices of a month would wait for the next month.
    if (isConnectionLost(error) || isServerFull(error)) throw error;
    platform.log.error({ job: job.name, due, error: errorForLog(error) }, 'a job failed');
    await saveFailure(platform.database, job.name, { due, error: errorForLog(error) });
    return false;
  }
}

export type RunBetween = { readonly is: 'done' } | { readonly is: 'failed'; readonly error: string } | { readonly is: 'busy' };

/** Runs a job on an operator's request, such as after a failure was fixed. It uses the current time; its schedule does not change. */
export async function runBetween(platform: Platform, job: DueJob, now: Date): Promise<RunBetween> {
  const jobPlatform = { ...platform, database: platform.jobsDatabase };
  const lock = await scheduleLock(jobPlatform.database, 'skip');
  if (lock === null) return { is: 'busy' };
  try {
    await job.run(jobPlatform, now, now);
    await saveManualRun(jobPlatform.database, job.name);
    return { is: 'done' };
  } catch (error) {
    platform.log.error({ job: job.name, error: errorForLog(error) }, 'a manually started job failed');
    await saveManualFailure(jobPlatform.database, job.name, { at: now, error: errorForLog(error) });
    return { is: 'failed', error: errorForLog(error) };
  } finally {
    await lock.release();
  }
}

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

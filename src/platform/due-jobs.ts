import { dueJobRuns, keepFailure, keepFailureBetween, keepRun, keepRunBetween, scheduleLock } from './database/due-jobs-sql.ts';
import type { Platform } from './platform.ts';
import { nextDue, type Rhythm } from './rhythm.ts';
import { hasNoRoom, isConnectionLost, toldInLog } from './database/sql-errors.ts';

/**
 * A job of the night: it takes what is due at `now` and is safe to run twice. Its time is business time, so the
 * sandbox's clock drives it just as real nights do.
 */
export type DueJob = {
  readonly name: string;
  readonly rhythm: Rhythm;
  /** It looks at how everything stands: of all moments that it missed only the last one is worth a run. */
  readonly onlyLast?: boolean;
  /**
   * The earliest moment at which it may have work, null where it has none. Asked only while there is a backlog of turns: those before
   * that moment are skipped, at most a day of them at a time, because other jobs make work on the way.
   */
  readonly earliestWork?: (platform: Platform) => Promise<Date | null>;
  readonly run: (platform: Platform, now: Date) => Promise<void>;
};

export type DueJobsResult = { readonly runs: number; readonly failed: readonly string[] };

/** A job that was away longer than this (a long pause of the whole service) begins again here. */
const catchUpDaysMax = 400;
const catchUpMs = catchUpDaysMax * 86_400_000;

/**
 * Runs what has become due up to a moment, from due moment to due moment in order, each job seeing the moment it was due
 * at. One process at a time holds the schedule; another that comes meanwhile waits or leaves.
 */
export async function runDueJobs(
  platform: Platform,
  jobs: readonly DueJob[],
  upTo: Date,
  options: { readonly ifTaken: 'wait' | 'leave'; readonly before?: (moment: Date) => Promise<void> },
): Promise<DueJobsResult> {
  const night = { ...platform, database: platform.nightDatabase };
  const lock = await scheduleLock(night.database, options.ifTaken);
  if (lock === null) return { runs: 0, failed: [] };
  try {
    return await runInOrder(night, jobs, upTo, options.before ?? (async () => {}));
  } finally {
    await lock.release();
  }
}

async function runInOrder(
  platform: Platform,
  jobs: readonly DueJob[],
  upTo: Date,
  before: (moment: Date) => Promise<void>,
): Promise<DueJobsResult> {
  // A job that never ran begins now, which the sandbox's clock is about to leave behind: what becomes due on the way is run.
  const ranUpTo = await dueJobRuns(
    platform.database,
    jobs.map(({ name }) => name),
    platform.clock.now(),
  );
  const earliest = new Date(upTo.getTime() - catchUpMs);
  const waiting = jobs.map((job) => ({ job, due: firstDue(job, latest(ranUpTo.get(job.name) ?? upTo, earliest), upTo) }));
  const failed = new Set<string>();
  let runs = 0;
  let moment: Date | null = null;
  for (;;) {
    const next = waiting.filter(({ due }) => due <= upTo).sort((one, other) => one.due.getTime() - other.due.getTime())[0];
    if (!next) return { runs, failed: [...failed] };
    // Jobs of the same moment share what comes before it.
    if (moment?.getTime() !== next.due.getTime()) await before(next.due);
    moment = next.due;
    if (!(await runOne(platform, next.job, next.due))) failed.add(next.job.name);
    next.due = await dueAfter(platform, next.job, { due: next.due, upTo });
    runs += 1;
  }
}

const skippedMs = 86_400_000;

/** The next turn; with a backlog, the next one that can have work. The last turn of a backlog is always run, so that none is left. */
async function dueAfter(platform: Platform, job: DueJob, { due, upTo }: { readonly due: Date; readonly upTo: Date }): Promise<Date> {
  const next = nextDue(job.rhythm, due);
  if (job.earliestWork === undefined || next > upTo) return next;
  const far = new Date(due.getTime() + skippedMs);
  const work = await job.earliestWork(platform);
  const goal = work === null || work > far ? far : work;
  let turn = next;
  for (let later = nextDue(job.rhythm, turn); turn < goal && later <= upTo; later = nextDue(job.rhythm, turn)) turn = later;
  return turn;
}

function firstDue({ rhythm, onlyLast = false }: DueJob, after: Date, upTo: Date): Date {
  let due = nextDue(rhythm, after);
  if (!onlyLast) return due;
  for (let next = nextDue(rhythm, due); next <= upTo; next = nextDue(rhythm, next)) due = next;
  return due;
}

/** A job that fails does not hold up the others, nor its own next turn: what it left undone is still due then. */
async function runOne(platform: Platform, job: DueJob, due: Date): Promise<boolean> {
  try {
    await job.run(platform, due);
    await keepRun(platform.database, job.name, due);
    return true;
  } catch (error) {
    // The database went away under it or is full, which says nothing about the job: it is due until it has run, and is looked at
    // again in a minute. Taken for a failure, the invoices of a month would wait for the next.
    if (isConnectionLost(error) || hasNoRoom(error)) throw error;
    platform.log.error({ job: job.name, due, error: toldInLog(error) }, 'a job failed');
    await keepFailure(platform.database, job.name, { due, error: toldInLog(error) });
    return false;
  }
}

export type RunBetween = { readonly is: 'done' } | { readonly is: 'failed'; readonly error: string } | { readonly is: 'busy' };

/** A person wants it now, such as after a failure was mended. It sees the time of now; its next turn stays where it was. */
export async function runBetween(platform: Platform, job: DueJob, now: Date): Promise<RunBetween> {
  const night = { ...platform, database: platform.nightDatabase };
  const lock = await scheduleLock(night.database, 'leave');
  if (lock === null) return { is: 'busy' };
  try {
    await job.run(night, now);
    await keepRunBetween(night.database, job.name);
    return { is: 'done' };
  } catch (error) {
    platform.log.error({ job: job.name, error: toldInLog(error) }, 'a job failed that a person ran');
    await keepFailureBetween(night.database, job.name, { at: now, error: toldInLog(error) });
    return { is: 'failed', error: toldInLog(error) };
  } finally {
    await lock.release();
  }
}

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

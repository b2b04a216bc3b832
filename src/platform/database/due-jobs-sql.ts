import type { Database, Queryable } from './database.ts';
import { endInTime } from './end-pool.ts';
import { sql } from './sql.ts';

/** How far each job has run. A job seen for the first time has nothing to catch up with: it begins at `from`. */
export async function dueJobRuns(db: Queryable, jobs: readonly string[], from: Date): Promise<ReadonlyMap<string, Date>> {
  await db.run(sql`
    insert into job_runs (job, ran_up_to) select job, ${from} from unnest(${jobs}::text[]) as job
    on conflict do nothing`);
  const rows = await db.all<{ job: string; ranUpTo: Date }>(sql`select job, ran_up_to from job_runs where job = any(${jobs}::text[])`);
  return new Map(rows.map(({ job, ranUpTo }) => [job, ranUpTo]));
}

export async function keepRun(db: Queryable, job: string, due: Date): Promise<void> {
  await db.run(sql`update job_runs set ran_up_to = ${due}, last_error = null, failures = 0 where job = ${job}`);
}

export async function keepFailure(db: Queryable, job: string, failure: { readonly due: Date; readonly error: string }): Promise<void> {
  await db.run(sql`
    update job_runs set ran_up_to = ${failure.due}, last_error = ${failure.error}, failed_at = ${failure.due}, failures = failures + 1
    where job = ${job}`);
}

/** A person ran it once more: what is due by its rhythm stays due. */
export async function keepRunBetween(db: Queryable, job: string): Promise<void> {
  await db.run(sql`update job_runs set last_error = null, failures = 0 where job = ${job}`);
}

export async function keepFailureBetween(
  db: Queryable,
  job: string,
  failure: { readonly at: Date; readonly error: string },
): Promise<void> {
  await db.run(sql`
    insert into job_runs as runs (job, ran_up_to, last_error, failed_at, failures)
    values (${job}, ${failure.at}, ${failure.error}, ${failure.at}, 1)
    on conflict (job) do update set last_error = excluded.last_error, failed_at = excluded.failed_at, failures = runs.failures + 1`);
}

export type JobRun = {
  readonly job: string;
  readonly ranUpTo: Date;
  readonly lastError: string | null;
  readonly failedAt: Date | null;
  readonly failures: number;
};

/** As many rows as there are jobs. */
export const jobRuns = (db: Queryable): Promise<JobRun[]> =>
  db.all(sql`select job, ran_up_to, last_error, failed_at, failures from job_runs order by job`);

/** Those whose last run failed. */
export async function failedJobs(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ job: string }>(sql`select job from job_runs where last_error is not null order by job`);
  return rows.map(({ job }) => job);
}

/**
 * While a past is written (the seed's history), no work that acts by the time of now may touch it: it would settle and deliver at that time
 * what the history is about to use earlier. The history waits for work that is under way; work that finds it taken leaves, and comes again.
 */
export async function pastLock(database: Database, as: 'history' | 'work'): Promise<{ readonly release: () => Promise<void> } | null> {
  const client = await database.connect('unbounded');
  try {
    if (as === 'history') {
      await client.query('select pg_advisory_lock(7245, 4)');
      return { release: () => endInTime(client) };
    }
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock_shared(7245, 4) as taken');
    if (rows[0]?.taken === true) return { release: () => endInTime(client) };
  } catch (error) {
    await endInTime(client);
    throw error;
  }
  await endInTime(client);
  return null;
}

/** Held by a connection of its own, so that it goes away with the process that held it, however that ended. */
export async function scheduleLock(
  database: Database,
  ifTaken: 'wait' | 'leave',
): Promise<{ readonly release: () => Promise<void> } | null> {
  const client = await database.connect('unbounded');
  try {
    if (ifTaken === 'wait') {
      await client.query('select pg_advisory_lock(7245, 3)');
      return { release: () => endInTime(client) };
    }
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(7245, 3) as taken');
    if (rows[0]?.taken === true) return { release: () => endInTime(client) };
  } catch (error) {
    await endInTime(client);
    throw error;
  }
  await endInTime(client);
  return null;
}

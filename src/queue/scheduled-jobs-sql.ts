import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';

/** How far each job has run. A new job has nothing to catch up with: it starts at `from`. */
export async function dueJobRuns(
  db: Queryable,
  jobs: readonly string[],
  from: Date,
): Promise<ReadonlyMap<string, { readonly ranUpTo: Date; readonly hasFailed: boolean }>> {
  await db.run(sql`
    insert into job_runs (job, ran_up_to) select job, ${from} from unnest(${texts(jobs)}) as job
    on conflict do nothing`);
  const rows = await db.all<{ job: string; ranUpTo: Date; hasFailed: boolean }>(sql`
    select job, ran_up_to, last_error is not null as has_failed from job_runs where job = any(${texts(jobs)})`);
  return new Map(rows.map(({ job, ...run }) => [job, run]));
}

export async function saveRun(db: Queryable, job: string, due: Date): Promise<void> {
  await db.run(sql`update job_runs set ran_up_to = ${due}, last_error = null, failures = 0 where job = ${job}`);
}

export async function saveFailure(db: Queryable, job: string, failure: { readonly due: Date; readonly error: string }): Promise<void> {
  await db.run(sql`
    update job_runs set ran_up_to = ${failure.due}, last_error = ${failure.error}, failed_at = ${failure.due}, failures = failures + 1
    where job = ${job}`);
}

/** An operator ran the job manually: its scheduled runs stay due. */
export async function saveManualRun(db: Queryable, job: string): Promise<void> {
  await db.run(sql`update job_runs set last_error = null, failures = 0 where job = ${job}`);
}

export async function saveManualFailure(db: Queryable, job: string, failure: { readonly at: Date; readonly error: string }): Promise<void> {
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

/** One row per job. */
export const jobRuns = (db: Queryable): Promise<JobRun[]> =>
  db.all(sql`select job, ran_up_to, last_error, failed_at, failures from job_runs order by job`);

/** The jobs whose last run failed. */
export async function failedJobs(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ job: string }>(sql`select job from job_runs where last_error is not null order by job`);
  return rows.map(({ job }) => job);
}

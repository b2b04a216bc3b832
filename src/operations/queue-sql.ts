import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A failed task of the queue. It is retried automatically until its attempts are used up. */
export type FailedTask = {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lastError: string;
  readonly runAt: Date;
  readonly isRunning: boolean;
};

const failuresMax = 100;

/** The queue is short: finished tasks are deleted. */
export const listFailedTasks = (db: Queryable): Promise<FailedTask[]> =>
  db.all(sql`
    select id::text as id, task_identifier as task, attempts::int as attempts, max_attempts::int as max_attempts, last_error, run_at,
      locked_at is not null as is_running
    from graphile_worker.jobs where last_error is not null order by id desc limit ${failuresMax}`);

export async function countQueueFailures(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) as count from (select 1 from graphile_worker.jobs where last_error is not null limit ${failuresMax}) as failed`,
  );
  return Number(count);
}

const waitingMax = 10_000;

/** Tasks that are due by real time and not started. Counted up to a limit. */
export async function countDueTasks(db: Queryable, now: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select 1 from graphile_worker.jobs
      where run_at <= ${now} and locked_at is null and attempts < max_attempts limit ${waitingMax}) as due`);
  return Number(count);
}

export type QueueState = {
  readonly running: bigint;
  readonly waiting: bigint;
  /** Failed, and will be retried automatically. */
  readonly failing: bigint;
  /** Out of attempts: only an operator can retry it. */
  readonly givenUp: bigint;
  readonly oldestWaiting: Date | null;
};

/** The state of the whole queue, for metrics. Counted up to a limit. */
export const readQueueState = (db: Queryable, now: Date): Promise<QueueState> =>
  db.one(sql`
    select count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= ${now}) as waiting,
      count(*) filter (where last_error is not null and attempts < max_attempts) as failing,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as given_up,
      min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= ${now}) as oldest_waiting
    from (select locked_at, attempts, max_attempts, run_at, last_error from graphile_worker.jobs limit ${waitingMax}) as queued`);

/** Makes a task due immediately and resets its attempts. False if it is running now, or no longer exists. */
export async function retryTask(db: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await db.all(sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => ${at}::timestamptz, attempts => 0)`);
  return rows.length === 1;
}

import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A piece of work in the queue that failed: it is tried again by itself until it is given up. */
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

/** The queue holds what waits and nothing that is done, so that it is short. */
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

/** What is due by real time and not begun; what waits for its time is not late. Counted up to a limit. */
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
  /** Failed, and tried again by itself. */
  readonly failing: bigint;
  /** Failed as often as it may: nobody tries it again but a person. */
  readonly givenUp: bigint;
  readonly oldestWaiting: Date | null;
};

/** The whole queue at a glance, for its figures. Counted up to a limit. */
export const readQueueState = (db: Queryable, now: Date): Promise<QueueState> =>
  db.one(sql`
    select count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= ${now}) as waiting,
      count(*) filter (where last_error is not null and attempts < max_attempts) as failing,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as given_up,
      min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= ${now}) as oldest_waiting
    from (select locked_at, attempts, max_attempts, run_at, last_error from graphile_worker.jobs limit ${waitingMax}) as queued`);

/** Due at once, with all its attempts before it. False where it is being tried right now, or is gone. */
export async function retryTask(db: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await db.all(sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => ${at}::timestamptz, attempts => 0)`);
  return rows.length === 1;
}

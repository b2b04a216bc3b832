import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Enqueues a task in the caller's transaction. One waiting job per key: enqueuing it again before it ran changes nothing. */
export async function enqueue(
  db: Queryable,
  task: string,
  payload: object,
  options: { readonly key: string; /** Real time; the default is immediately. */ readonly runAt?: Date },
): Promise<void> {
  const { key, runAt = null } = options;
  await db.run(sql`
    select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${runAt}::timestamptz)`);
}

import { Logger, run, runMigrations, type Runner, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { endOf } from './database/end-pool.ts';
import { primaryOf } from './database/primary.ts';
import type { Log } from './log.ts';

/** Work that waits in the database: enqueued in the caller's transaction, tried again until it is done. */
export type Tasks = Readonly<Record<string, (payload: unknown) => Promise<void>>>;
export type Jobs = { readonly stop: () => Promise<void> };

export type JobsOptions = {
  readonly url: string;
  readonly log: Log;
  readonly tasks: Tasks;
  /** Tasks that run by themselves each minute of real time. */
  readonly eachMinute: readonly string[];
};

const concurrency = 2;
const connectionsMax = concurrency + 2;

/** The worker has a pool of its own, ended after it has stopped: a shared one crashed 10 of 48 stops. */
export async function startJobs({ url, log, tasks, eachMinute }: JobsOptions): Promise<Jobs> {
  const { pool, end } = jobsPool(url, log);
  const taskList: TaskList = Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]));
  const runner: Runner = await run({
    pgPool: pool,
    taskList,
    crontab: eachMinute.map((name) => `* * * * * ${name} ?max=1&jobKey=${name}`).join('\n'),
    concurrency,
    noHandleSignals: true,
    logger: workerLogger(log),
  });
  return {
    async stop() {
      await runner.stop();
      await end();
    },
  };
}

/** The queue's own tables, brought forward with the schema. */
export async function migrateJobs(url: string, log: Log): Promise<void> {
  const { pool, end } = jobsPool(url, log);
  try {
    await runMigrations({ pgPool: pool, logger: workerLogger(log) });
  } finally {
    await end();
  }
}

function jobsPool(url: string, log: Log): { readonly pool: pg.Pool; readonly end: () => Promise<void> } {
  const { connectionString, Client } = primaryOf(url);
  const pool = new pg.Pool({
    connectionString,
    Client,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    application_name: 'tributary jobs',
  });
  const end = endOf(pool);
  const broke = (error: Error) => log.warn({ error: error.message }, 'jobs: a connection broke');
  pool.on('error', broke);
  pool.on('connect', (client) => client.on('error', broke));
  return { pool, end };
}

/** The worker tells much; what it calls information is detail here. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ from: 'jobs' }, message);
    else if (level === 'warning') log.warn({ from: 'jobs' }, message);
    else log.debug({ from: 'jobs' }, message);
  });
}

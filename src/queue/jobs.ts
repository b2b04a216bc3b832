import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, runMigrations, type Runner, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { isDatabaseAway } from '../db/connection-errors.ts';
import { createPoolCloser } from '../db/close-pool.ts';
import { keepAliveOptions } from '../db/keep-alive.ts';
import { idleMs } from '../db/database.ts';
import { createPrimary } from '../db/primary.ts';
import { errorForLog } from '../db/sql-errors.ts';
import type { Log } from '../core/log.ts';
import { secondMs } from '../core/time.ts';

/** Work that waits in the database: enqueued in the caller's transaction, retried until it succeeds. */
export type Tasks = Readonly<Record<string, (payload: unknown) => Promise<void>>>;

export type Queue = {
  /** Creates or migrates the queue's own tables. */
  readonly migrate: () => Promise<void>;
  readonly startJobs: (options: JobsOptions) => Promise<Jobs>;
  /** After the jobs have stopped. */
  readonly close: () => Promise<void>;
};
export type Jobs = { readonly stop: () => Promise<void> };

export type JobsOptions = {
  readonly tasks: Tasks;
  /** Tasks that run every minute of real time. */
  readonly eachMinute: readonly string[];
};

const concurrency = 2;
/** New jobs arrive by NOTIFY. Only jobs with a time wait for this, at most half of it, because each of the two runners polls. */
const pollMs = 4 * secondMs;
const connectionsMax = concurrency + 2;

/** The queue has its own pool, which ends after its jobs have stopped: a shared pool crashed 10 of 48 shutdowns. */
export function openQueue(url: string, log: Log): Queue {
  const { pool, end } = jobsPool(url, log);
  const { abandonWrites } = retryConnectionErrors(pool);
  return {
    migrate: () => runMigrations({ pgPool: pool, logger: workerLogger(log) }),
    startJobs: (options) => startJobs(pool, log, options),
    async close() {
      abandonWrites();
      await end();
    },
  };
}

/** Migrates the queue's own tables for a command that runs no jobs. */
export async function migrateQueue(url: string, log: Log): Promise<void> {
  const queue = openQueue(url, log);
  try {
    await queue.migrate();
  } finally {
    await queue.close();
  }
}

async function startJobs(pool: pg.Pool, log: Log, options: JobsOptions): Promise<Jobs> {
  const stopping = new AbortController();
  let runner = await startRunner(pool, log, options);
  const running = keepRunning();

  async function keepRunning(): Promise<void> {
    for (;;) {
      await runner.promise;
      if (stopping.signal.aborted) return;
      log.error({ from: 'jobs' }, 'the queue has stopped and is restarted');
      const next = await restartRunner(pool, log, options, stopping.signal);
      if (next === null) return;
      runner = next;
      log.warn({ from: 'jobs' }, 'the queue is running again');
      // `stop` was called in the moment the runner started, and stopped only the previous one.
      if (stopping.signal.aborted) return runner.stop();
    }
  }
  return {
    async stop() {
      stopping.abort();
      // A runner that has already stopped rejects `stop`; its promise is awaited below.
      await runner.stop().catch(() => {});
      await running;
    },
  };
}

function startRunner(pool: pg.Pool, log: Log, { tasks, eachMinute }: JobsOptions): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]));
  return run({
    pgPool: pool,
    taskList,
    crontab: eachMinute.map((name) => `* * * * * ${name} ?max=1&jobKey=${name}`).join('\n'),
    concurrency,
    pollInterval: pollMs,
    noHandleSignals: true,
    logger: workerLogger(log),
  });
}

const restartPauseMs = 5_000;

/** Null if the service stops meanwhile. */
async function restartRunner(pool: pg.Pool, log: Log, options: JobsOptions, stopping: AbortSignal): Promise<Runner | null> {
  for (;;) {
    await pause(restartPauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return null;
    try {
      return await startRunner(pool, log, options);
    } catch (error) {
      log.warn({ from: 'jobs', error: errorForLog(error) }, 'the queue cannot start; retrying');
    }
  }
}

/** The error code that graphile-worker retries: after 3 s at first, then with growing pauses, for some hours. */
const retriedCode = 'ETIMEDOUT';

/**
 * The worker records the result of a task without waiting for it, and an error there would end this process. It retries only some
 * connection errors, so every error that means "not now" is given the code of one of them. Results that are not recorded at
 * shutdown are abandoned: the task runs again, and every task is idempotent.
 */
function retryConnectionErrors(pool: pg.Pool): { readonly abandonWrites: () => void } {
  let isAbandoned = false;
  const toRetriedError = (error: unknown): never => {
    if (!isDatabaseAway(error)) throw error;
    throw Object.assign(new Error(error instanceof Error ? error.message : String(error), { cause: error }), { code: retriedCode });
  };
  const connect = pool.connect.bind(pool);
  const connectWithRetries = (callback?: Parameters<typeof connect>[0]) => {
    if (callback !== undefined) return connect(callback);
    return isAbandoned ? new Promise<never>(() => {}) : connect().catch(toRetriedError);
  };
  pool.connect = connectWithRetries as pg.Pool['connect'];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    const queryWithRetries = (...args: readonly unknown[]) => {
      const answer = query(...args);
      return answer instanceof Promise ? answer.catch(toRetriedError) : answer;
    };
    client.query = queryWithRetries as pg.PoolClient['query'];
  });
  return { abandonWrites: () => void (isAbandoned = true) };
}

function jobsPool(url: string, log: Log): { readonly pool: pg.Pool; readonly end: () => Promise<void> } {
  const { connectionString, Client } = createPrimary(url);
  const pool = new pg.Pool({
    connectionString,
    Client,
    max: connectionsMax,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: 5_000,
    ...keepAliveOptions,
    application_name: 'tributary jobs',
  });
  const end = createPoolCloser(pool);
  const broke = (error: Error) => log.warn({ error: error.message }, 'jobs: a connection broke');
  pool.on('error', broke);
  pool.on('connect', (client) => client.on('error', broke));
  return { pool, end };
}

/** graphile-worker logs a lot: its info level is our debug level. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ from: 'jobs' }, message);
    else if (level === 'warning') log.warn({ from: 'jobs' }, message);
    else log.debug({ from: 'jobs' }, message);
  });
}

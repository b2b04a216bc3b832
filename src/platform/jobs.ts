import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, runMigrations, type Runner, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { isDatabaseAway } from './database/away.ts';
import { endOf } from './database/end-pool.ts';
import { keptAlive } from './database/kept-alive.ts';
import { primaryOf } from './database/primary.ts';
import { toldInLog } from './database/sql-errors.ts';
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
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { pool, end } = jobsPool(options.url, options.log);
  const { giveUp } = letItComeAgain(pool);
  const stopping = new AbortController();
  let runner = await begin(pool, options);
  const kept = keep();

  async function keep(): Promise<void> {
    for (;;) {
      await runner.promise;
      if (stopping.signal.aborted) return;
      options.log.error({ from: 'jobs' }, 'the queue has given up by itself, and is begun again');
      const next = await beginAgain(pool, options, stopping.signal);
      if (next === null) return;
      runner = next;
      options.log.warn({ from: 'jobs' }, 'the queue is at work again');
      // Told to stop in the very moment in which it was begun: `stop` knew only the one before.
      if (stopping.signal.aborted) return runner.stop();
    }
  }
  return {
    async stop() {
      stopping.abort();
      // One that has given up by itself cannot be stopped any more; its end is waited for.
      await runner.stop().catch(() => {});
      await kept;
      giveUp();
      await end();
    },
  };
}

function begin(pool: pg.Pool, { log, tasks, eachMinute }: JobsOptions): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]));
  return run({
    pgPool: pool,
    taskList,
    crontab: eachMinute.map((name) => `* * * * * ${name} ?max=1&jobKey=${name}`).join('\n'),
    concurrency,
    noHandleSignals: true,
    logger: workerLogger(log),
  });
}

const againMs = 5_000;

/** Null where the service stops meanwhile. */
async function beginAgain(pool: pg.Pool, options: JobsOptions, stopping: AbortSignal): Promise<Runner | null> {
  for (;;) {
    await pause(againMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return null;
    try {
      return await begin(pool, options);
    } catch (error) {
      options.log.warn({ from: 'jobs', error: toldInLog(error) }, 'the queue cannot begin; trying again');
    }
  }
}

/** The worker's word for what it tries again by itself: after 3 s at first, then less and less often, for some hours. */
const comesAgain = 'ETIMEDOUT';

/**
 * How a task ended is written down when it is over, and the worker does not wait for that: a failure of it would end this process.
 * It comes again only after some failures of a connection, and all that say "not now" look like one of them to it. What was not
 * written down when we stop is given up: the task is done again, and is made for that.
 */
function letItComeAgain(pool: pg.Pool): { readonly giveUp: () => void } {
  let isGivenUp = false;
  const told = (error: unknown): never => {
    if (!isDatabaseAway(error)) throw error;
    throw Object.assign(new Error(error instanceof Error ? error.message : String(error), { cause: error }), { code: comesAgain });
  };
  const connect = pool.connect.bind(pool);
  const connectAgain = (callback?: Parameters<typeof connect>[0]) => {
    if (callback !== undefined) return connect(callback);
    return isGivenUp ? new Promise<never>(() => {}) : connect().catch(told);
  };
  pool.connect = connectAgain as pg.Pool['connect'];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...asked: readonly unknown[]) => unknown;
    const queryAgain = (...asked: readonly unknown[]) => {
      const answer = query(...asked);
      return answer instanceof Promise ? answer.catch(told) : answer;
    };
    client.query = queryAgain as pg.PoolClient['query'];
  });
  return { giveUp: () => void (isGivenUp = true) };
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
    ...keptAlive,
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

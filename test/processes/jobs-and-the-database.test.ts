import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { jobRuns } from '../../src/queue/scheduled-jobs-sql.ts';
import { enqueue } from '../../src/queue/enqueue-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { runDueJobs, type DueJob } from '../../src/queue/scheduled-jobs.ts';
import { openQueue } from '../../src/queue/jobs.ts';
import { barePlatform } from '../support/bare-platform.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';

const bare = await barePlatform();
afterAll(() => bare.close());

const lockedJobs = async (): Promise<bigint> =>
  (
    await bare.platform.database.one<{ count: bigint }>(
      sql`select count(*) as count from graphile_worker._private_jobs where locked_by is not null`,
    )
  ).count;

/** A daily job that fails at first, in a given way, and records when it ran. */
function jobThatFails(name: string, error: Error): { readonly job: DueJob; readonly ran: readonly string[] } {
  const ran: string[] = [];
  const run: DueJob['run'] = async (_platform, now) => {
    ran.push(now.toISOString().slice(0, 10));
    if (ran.length === 1) throw error;
  };
  return { job: { name, schedule: { every: 'day', hour: 3, minute: 0 }, run }, ran };
}

const runDaily = async (job: DueJob, days: number) => {
  const upTo = new Date(bare.platform.clock.now().getTime() + days * 86_400_000);
  return runDueJobs(bare.platform, [job], upTo, { ifTaken: 'wait' });
};
const stateOf = async (name: string) => (await jobRuns(bare.platform.database)).find(({ job }) => job === name);

test.each([
  ['shuts down', '57P01'],
  ['has a full disk', '53100'],
  ['accepts no more connections', '53300'],
])('a job whose database %s during a run stays due until it has run, and does not wait for the next month', async (how, code) => {
  const { job, ran } = jobThatFails(`its database ${how}`, Object.assign(new Error(how), { code }));
  await expect(runDaily(job, 1)).rejects.toThrow(how);
  expect(await stateOf(job.name)).toMatchObject({ failures: 0, lastError: null });
  expect(await runDaily(job, 1)).toEqual({ runs: 1, failed: [] });
  expect(ran).toEqual([ran[0], ran[0]]);
});

test('a job that fails with an error of its code is recorded as failed, and runs next on the following day', async () => {
  const { job, ran } = jobThatFails('always fails', Object.assign(new Error('divided by nothing'), { code: '22012' }));
  expect(await runDaily(job, 1)).toEqual({ runs: 1, failed: [job.name] });
  expect(await stateOf(job.name)).toMatchObject({ failures: 1, lastError: 'SQLSTATE 22012' });
  expect(await runDaily(job, 2)).toEqual({ runs: 1, failed: [] });
  expect(ran[1]).not.toBe(ran[0]);
});

test.each(['is done', 'fails'])(
  'a task that %s during a database outage ends no process, and the queue resumes after the outage',
  async (how) => {
    const { database, log } = bare.platform;
    const proxy = await startDatabaseProxy(bare.databaseUrl);
    const unheard: unknown[] = [];
    const hear = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const ran: string[] = [];
    const work = async (payload: unknown) => {
      ran.push(JSON.stringify(payload));
      if (ran.length > 1) return;
      await proxy.refuse();
      if (how === 'fails') throw new Error('the task failed');
    };
    const queue = openQueue(proxy.url, log);
    const jobs = await queue.startJobs({ tasks: { work, look: async () => {} }, eachMinute: ['look'] });
    onTestFinished(async () => {
      await proxy.pass();
      await jobs.stop();
      await queue.close();
      await proxy.close();
    });
    await enqueue(database, 'work', { how, time: 1 }, { key: `${how} 1` });
    await expect.poll(() => ran.length, { timeout: 30_000 }).toBe(1);
    await pause(1_000);
    await proxy.pass();
    await enqueue(database, 'work', { how, time: 2 }, { key: `${how} 2` });
    await expect.poll(() => ran, { timeout: 60_000 }).toContain(JSON.stringify({ how, time: 2 }));
    expect(unheard).toEqual([]);
    // The end of the first task is recorded too, once the database is back.
    await expect.poll(lockedJobs, { timeout: 60_000 }).toBe(0n);
  },
  180_000,
);

test('restarts a queue that has stopped', async () => {
  const { database, log } = bare.platform;
  const ran: unknown[] = [];
  const tasks = { 'after it': async (payload: unknown) => void ran.push(payload), look: async () => {} };
  const queue = openQueue(bare.databaseUrl, log);
  const jobs = await queue.startJobs({ tasks, eachMinute: ['look'] });
  onTestFinished(async () => {
    await jobs.stop();
    await queue.close();
    // What the queue library reports for a process that is only a worker.
    process.exitCode = undefined;
  });
  const listening = () =>
    database.one<{ count: bigint }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = 'tributary jobs' and query like 'LISTEN%'`);
  await expect.poll(async () => (await listening()).count, { timeout: 30_000 }).toBe(1n);
  // Simulates a newer version that changed the tables of the queue.
  const state = JSON.stringify({ breaking: true, migrationNumber: 1_000 });
  await database.run(sql`select pg_notify('worker:migrate', ${state})`);
  await expect.poll(async () => (await listening()).count, { timeout: 30_000 }).toBe(0n);
  await enqueue(database, 'after it', { is: 'done' }, { key: 'after it' });
  await expect.poll(() => ran, { timeout: 60_000 }).toEqual([{ is: 'done' }]);
}, 180_000);

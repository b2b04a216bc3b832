import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobRuns } from '../../src/platform/database/due-jobs-sql.ts';
import { runDueJobs, type DueJob } from '../../src/platform/due-jobs.ts';
import { barePlatform, type BarePlatform } from '../support/bare-platform.ts';

let bare: BarePlatform;
beforeAll(async () => {
  bare = await barePlatform();
});
afterAll(() => bare.close());

/** A job of every night that fails at first, in some way, and says when it ran. */
function jobThatFails(name: string, error: Error): { readonly job: DueJob; readonly ran: readonly string[] } {
  const ran: string[] = [];
  const run: DueJob['run'] = async (_platform, now) => {
    ran.push(now.toISOString().slice(0, 10));
    if (ran.length === 1) throw error;
  };
  return { job: { name, rhythm: { every: 'day', hour: 3, minute: 0 }, run }, ran };
}

const nights = async (job: DueJob, days: number) => {
  const upTo = new Date(bare.platform.clock.now().getTime() + days * 86_400_000);
  return runDueJobs(bare.platform, [job], upTo, { ifTaken: 'wait' });
};
const stateOf = async (name: string) => (await jobRuns(bare.platform.database)).find(({ job }) => job === name);

test('a job whose database went away under it is due until it has run: the invoices of a month do not wait for the next', async () => {
  const { job, ran } = jobThatFails('loses its database', Object.assign(new Error('shut down'), { code: '57P01' }));
  await expect(nights(job, 1)).rejects.toThrow('shut down');
  expect(await stateOf(job.name)).toMatchObject({ failures: 0, lastError: null });
  expect(await nights(job, 1)).toEqual({ runs: 1, failed: [] });
  expect(ran).toEqual([ran[0], ran[0]]);
});

test('a job that fails by itself is told as failed, and its next turn is the next night', async () => {
  const { job, ran } = jobThatFails('fails by itself', Object.assign(new Error('divided by nothing'), { code: '22012' }));
  expect(await nights(job, 1)).toEqual({ runs: 1, failed: [job.name] });
  expect(await stateOf(job.name)).toMatchObject({ failures: 1, lastError: 'SQLSTATE 22012' });
  expect(await nights(job, 2)).toEqual({ runs: 1, failed: [] });
  expect(ran[1]).not.toBe(ran[0]);
});

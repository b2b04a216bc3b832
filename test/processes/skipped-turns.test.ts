import { afterAll, expect, test } from 'vitest';
import { runDueJobs, whatIsDue, type DueJob } from '../../src/queue/scheduled-jobs.ts';
import type { Schedule } from '../../src/queue/due-times.ts';
import { dayMs } from '../../src/core/time.ts';
import { barePlatform } from '../support/bare-platform.ts';

const bare = await barePlatform();
afterAll(() => bare.close());

const at = (hour: number): Schedule => ({ every: 'day', hour, minute: 0 });
const nothing = async (): Promise<void> => {};

/** At a time or soon after it, and not before. */
function expectWithin(moment: Date | undefined, since: Date, ms: number): void {
  const after = (moment?.getTime() ?? Number.NaN) - since.getTime();
  expect(after).toBeGreaterThanOrEqual(0);
  expect(after).toBeLessThanOrEqual(ms);
}

/** Runs jobs over ten days from now, and returns the turns on which each ran, counted from 1. */
async function tenDays(jobs: readonly DueJob[], earliestBefore: () => Promise<Date | null> = async () => null) {
  const begin = bare.platform.clock.now();
  const ran: string[] = [];
  const befores: Date[] = [];
  const turnOf = (due: Date): number => Math.ceil((due.getTime() - begin.getTime()) / dayMs);
  const noted = jobs.map((job): DueJob => ({
    ...job,
    run: async (platform, due, ranUpTo) => {
      ran.push(`${job.name} ${turnOf(due)}`);
      await job.run(platform, due, ranUpTo);
    },
  }));
  const run = () =>
    runDueJobs(bare.platform, noted, new Date(begin.getTime() + 10 * dayMs), {
      ifTaken: 'wait',
      before: async (moment) => void befores.push(moment),
      earliestBefore,
    });
  return { run, ran, befores, begin };
}

test('a job that reports no due time runs at each turn, and a job that needs only the last turn runs at that one', async () => {
  const { run, ran } = await tenDays([
    { name: 'each turn', schedule: at(3), run: nothing },
    { name: 'only the last', schedule: at(3), onlyLast: true, run: nothing },
  ]);
  expect(await run()).toEqual({ runs: 11, failed: [] });
  expect(ran.filter((one) => one.startsWith('only'))).toEqual(['only the last 10']);
});

test('a job runs at the first turn after its work is due, and at the last turn also without work', async () => {
  const due = new Date(bare.platform.clock.now().getTime() + 3.5 * dayMs);
  let isDone = false;
  const { run, ran, befores } = await tenDays([
    {
      name: 'on the fourth day',
      schedule: { every: 'hour', minute: 0 },
      earliestWork: async () => (isDone ? null : due),
      run: async (_platform, now) => void (isDone = now >= due),
    },
  ]);
  expect((await run()).runs).toBe(2);
  expect(ran[0]).toBe('on the fourth day 4');
  expectWithin(befores[0], due, dayMs / 24);
});

test('work that one job creates is done by another job at its next turn, and not earlier', async () => {
  const begin = bare.platform.clock.now();
  const due = new Date(begin.getTime() + 5 * dayMs);
  let isMade = false;
  let isDone = false;
  const runs: Record<string, Date> = {};
  const { run } = await tenDays([
    {
      name: 'does it',
      schedule: at(4),
      earliestWork: async () => (isMade && !isDone ? whatIsDue : null),
      run: async (_platform, now) => {
        runs['does it'] ??= now;
        isDone = isMade;
      },
    },
    {
      name: 'makes it',
      schedule: at(3),
      earliestWork: async () => (isMade ? null : due),
      run: async (_platform, now) => {
        runs['makes it'] ??= now;
        isMade = true;
      },
    },
  ]);
  await run();
  expectWithin(runs['makes it'], due, dayMs);
  expectWithin(runs['does it'], runs['makes it'] ?? due, dayMs / 24);
});

test('a failed job runs at its next turn, whatever due time it reports', async () => {
  let failures = 0;
  const job: DueJob = {
    name: 'fails twice',
    schedule: at(3),
    earliestWork: async () => (failures === 0 ? whatIsDue : null),
    run: async () => {
      failures += 1;
      if (failures <= 2) throw new Error('not yet');
    },
  };
  const { run, ran } = await tenDays([job]);
  expect(await run()).toEqual({ runs: 4, failed: ['fails twice'] });
  expect(ran).toEqual(['fails twice 1', 'fails twice 2', 'fails twice 3', 'fails twice 10']);
});

test('an interrupted run resumes: the unfinished turn runs again', async () => {
  const due = new Date(bare.platform.clock.now().getTime() + 3 * dayMs);
  let runs = 0;
  const { run, ran } = await tenDays([
    {
      name: 'interrupted',
      schedule: at(3),
      earliestWork: async () => (runs < 2 ? due : null),
      run: async () => {
        runs += 1;
        if (runs === 1) throw Object.assign(new Error('the database went away'), { code: '57P01' });
      },
    },
  ]);
  await expect(run()).rejects.toThrow('the database went away');
  await run();
  expect(ran[1]).toBe(ran[0]);
  expect(ran).toHaveLength(3);
});

test('the step before the jobs runs when it has work, at a turn of the schedule and once for each time', async () => {
  const begin = bare.platform.clock.now();
  const due = new Date(begin.getTime() + 6.5 * dayMs);
  const { run, befores } = await tenDays(
    [{ name: 'has nothing', schedule: at(3), earliestWork: async () => null, run: nothing }],
    async () => due,
  );
  expect((await run()).runs).toBe(1);
  expectWithin(befores[0], due, dayMs);
  expect(new Set(befores.map(Number)).size).toBe(befores.length);
});

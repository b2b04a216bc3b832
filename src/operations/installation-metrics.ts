import { openChargeStates } from '../billing/charge-states.ts';
import { countWaitingEmails } from '../notify/emails-sql.ts';
import { jobRuns } from '../queue/scheduled-jobs-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { DueJob } from '../queue/scheduled-jobs.ts';
import { nextDue } from '../queue/due-times.ts';
import { realNow } from '../core/time.ts';
import { measureClockDifference } from './examine-installation.ts';
import { readDatabaseFacts } from './health-sql.ts';
import { countChargesInFlight, countPayoutsInFlight, countInstallation, type InFlight } from './overview-sql.ts';
import { readQueueState } from './queue-sql.ts';
import { lastVerification } from './verifications-sql.ts';

/** A metric of the whole installation, read from the database for each scrape: every process returns the same value. */
export type InstallationMetric = { readonly name: string; readonly help: string; readonly values: ReadonlyArray<MetricValue> };
type MetricValue = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

type MetricsQuery = { readonly now: Date; readonly schedule: readonly DueJob[] };

/** Runs one query after the other on one connection, so that a scrape every ten seconds does not slow down other requests. */
export async function installationMetrics(db: Queryable, query: MetricsQuery): Promise<readonly InstallationMetric[]> {
  return [
    ...(await databaseMetrics(db)),
    ...(await moneyMetrics(db)),
    ...(await queueMetrics(db)),
    ...(await jobMetrics(db, query)),
    ...(await verificationMetrics(db)),
    ...(await storeMetrics(db)),
  ];
}

const one = (name: string, help: string, value: number): InstallationMetric => ({ name, help, values: [{ value }] });
const secondsSince = (from: Date | null, to: Date): number => (from === null ? 0 : Math.max(0, (to.getTime() - from.getTime()) / 1_000));

async function databaseMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  const { bytes } = await readDatabaseFacts(db);
  return [
    one('database_size_bytes', 'All tables and indexes of the database', Number(bytes)),
    one(
      'clock_ahead_of_database_seconds',
      'This machine before the database server; below 0 it is behind',
      (await measureClockDifference(db)) / 1_000,
    ),
  ];
}

const payoutStates = ['awaiting_second', 'ready', 'sending', 'unknown'] as const;

async function moneyMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  return [
    ...inFlightMetrics('charges', openChargeStates, await countChargesInFlight(db)),
    ...inFlightMetrics('payouts', payoutStates, await countPayoutsInFlight(db)),
  ];
}

/** A state in which there is nothing is 0, not missing: an alert can tell the two apart. */
function inFlightMetrics(
  what: 'charges' | 'payouts',
  states: readonly string[],
  found: ReadonlyArray<InFlight<string>>,
): readonly InstallationMetric[] {
  const of = (read: (row: InFlight<string>) => bigint) =>
    states.map((state) => {
      const row = found.find((each) => each.state === state);
      return { labels: { state }, value: row === undefined ? 0 : Number(read(row)) };
    });
  return [
    { name: `${what}_in_flight`, help: `How many ${what} have no end yet`, values: of(({ count }) => count) },
    { name: `${what}_in_flight_cents`, help: 'What they come to, in cents', values: of(({ amountCents }) => amountCents) },
  ];
}

async function queueMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  const now = realNow();
  const { running, waiting, failing, givenUp, oldestWaiting } = await readQueueState(db, now);
  const mails = await countWaitingEmails(db);
  const states = Object.entries({ running, waiting, failing, given_up: givenUp });
  return [
    {
      name: 'queue_jobs',
      help: 'Pieces of work in the queue, by what holds for them; what failed and is due again is waiting too',
      values: states.map(([state, count]) => ({ labels: { state }, value: Number(count) })),
    },
    one('queue_oldest_waiting_seconds', 'How long the oldest has been due and not begun', secondsSince(oldestWaiting, now)),
    one('mails_waiting', 'Mails that are not out yet', Number(mails.count)),
    one('mails_oldest_waiting_seconds', 'How long the oldest of them waits', secondsSince(mails.oldest, now)),
  ];
}

async function jobMetrics(db: Queryable, { now, schedule }: MetricsQuery): Promise<readonly InstallationMetric[]> {
  const runs = new Map((await jobRuns(db)).map((run) => [run.job, run]));
  const known = schedule.flatMap(({ name, schedule: times }) => {
    const run = runs.get(name);
    return run === undefined ? [] : [{ labels: { task: name }, run, late: secondsSince(nextDue(times, run.ranUpTo), now) }];
  });
  return [
    {
      name: 'night_job_overdue_seconds',
      help: 'How long a scheduled job is overdue, in business time; 0: it is not due',
      values: known.map(({ labels, late }) => ({ labels, value: late })),
    },
    {
      name: 'night_job_failures',
      help: 'How often it failed in a row, up to now',
      values: known.map(({ labels, run }) => ({ labels, value: run.failures })),
    },
    {
      name: 'night_job_last_due_timestamp_seconds',
      help: 'The due moment of its last run, in business time',
      values: known.map(({ labels, run }) => ({ labels, value: run.ranUpTo.getTime() / 1_000 })),
    },
  ];
}

async function verificationMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  const last = await lastVerification(db);
  if (last === null) return [];
  return [
    one('last_verification_timestamp_seconds', 'When everything was verified last, in business time', last.at.getTime() / 1_000),
    one('last_verification_differences', 'What it found that must not be', last.differences),
    one('last_verification_duration_seconds', 'How long it took', Number(last.tookMs ?? 0n) / 1_000),
  ];
}

async function storeMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  const { stores, pastDue, archived, creators, suspended } = await countInstallation(db);
  const states = Object.entries({ open: stores - pastDue - archived, past_due: pastDue, archived });
  return [
    { name: 'stores', help: 'Stores by state', values: states.map(([state, count]) => ({ labels: { state }, value: Number(count) })) },
    one('creators', 'Creators, the suspended among them', Number(creators)),
    one('creators_suspended', 'Creators who are not paid', Number(suspended)),
  ];
}

import { setTimeout as pause } from 'node:timers/promises';
import { Type as T } from 'typebox';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import { minuteMs, realNow } from '../core/time.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from './fields.ts';

// A manual run does now what a scheduled job does by the calendar. Its row is inserted first, under the Idempotency-Key: a repeated request
// resumes that run and returns the same response.

export const idLengthMax = 40;
const minimumCentsMax = 100_000_000;

/** The fields of a request for a run; `instead` and `dry` describe the two for the kind of run. */
export const runRequestFields = ({ instead, dry }: { readonly instead: string; readonly dry: string }) => ({
  minimum_cents: T.Optional(orNull(T.Integer({ minimum: 0, maximum: minimumCentsMax, description: instead }))),
  dry_run: T.Optional(T.Boolean({ description: dry })),
});

export const runFields = {
  minimum_cents: orNull(centsField()),
  dry_run: T.Boolean(),
  by: T.String(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String({ description: 'Null: at work, or it died; what it left is gone on with by itself' })),
};

/** The fields of a run in a list, without its results. */
export const listedRunFields = (what: string) => ({
  dry_run: T.Boolean(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String()),
  count: orNull(T.Integer({ description: `How many ${what} it tells of; null before its end` })),
});

type ListedRun = { readonly isDry: boolean; readonly at: Date; readonly endedAt: Date | null };
type StartedBy = { readonly by: string; readonly byName: string };

export const showRunFields = (run: ListedRun & { readonly minimumCents: Cents | null }, { by, byName }: StartedBy) => ({
  minimum_cents: run.minimumCents,
  dry_run: run.isDry,
  by,
  by_name: byName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
});

export const showListedRunFields = (run: ListedRun & { readonly count: number | null }, byName: string) => ({
  dry_run: run.isDry,
  by_name: byName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
  count: run.count,
});

/** A large run may take longer. A second process that then resumes it does no harm. */
const claimMs = 2 * minuteMs;
const pollMs = 100;
const pollsMax = 6_000;

type RunSteps<Run> = {
  readonly find: () => Promise<Run | null>;
  /** True if no process executes the run; the caller then executes it until the claim ends. */
  readonly claim: (claim: { readonly now: Date; readonly until: Date }) => Promise<boolean>;
  /** Executes the run completely and stores its end. */
  readonly execute: (run: Run) => Promise<void>;
};

/** Executes a stored run, or waits for the process that does, and returns it when it has ended. */
export async function executeRun<Run extends { readonly endedAt: Date | null }>({ find, claim, execute }: RunSteps<Run>): Promise<Run> {
  for (let poll = 0; poll < pollsMax; poll++) {
    const run = await find();
    invariant(run, 'a stored run exists');
    if (run.endedAt !== null) return run;
    const now = realNow();
    if (await claim({ now, until: new Date(now.getTime() + claimMs) })) await execute(run);
    else await pause(pollMs);
  }
  throw new Error('a run did not end in time');
}

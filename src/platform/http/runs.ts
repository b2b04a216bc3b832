import { setTimeout as pause } from 'node:timers/promises';
import { Type as T } from 'typebox';
import type { Cents } from '../money.ts';
import { must } from '../must.ts';
import { minuteMs, realNow } from '../time.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from './fields.ts';

// A run: what the night does by the calendar, asked for by somebody now. The row is kept first, under the Idempotency-Key: sent
// again it goes on with that one, and gives the same answer.

export const idLengthMax = 40;
const minimumCentsMax = 100_000_000;

/** What may be asked of a run besides whom it is for: `instead` and `dry` say what the two do there. */
export const askedFields = ({ instead, dry }: { readonly instead: string; readonly dry: string }) => ({
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

/** In a list, without what it made. */
export const listedRunFields = (what: string) => ({
  dry_run: T.Boolean(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String()),
  count: orNull(T.Integer({ description: `How many ${what} it tells of; null before its end` })),
});

type Listed = { readonly isDry: boolean; readonly at: Date; readonly endedAt: Date | null };
type By = { readonly by: string; readonly byName: string };

export const showRunFields = (run: Listed & { readonly minimumCents: Cents | null }, { by, byName }: By) => ({
  minimum_cents: run.minimumCents,
  dry_run: run.isDry,
  by,
  by_name: byName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
});

export const showListedRunFields = (run: Listed & { readonly count: number | null }, byName: string) => ({
  dry_run: run.isDry,
  by_name: byName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
  count: run.count,
});

/** A large one may take longer; who then goes on with it beside its owner does no harm. */
const claimMs = 2 * minuteMs;
const lookAgainMs = 100;
const looksMax = 6_000;

type Steps<Run> = {
  readonly find: () => Promise<Run | null>;
  /** True: nobody carries it out, and who asked does so until then. */
  readonly claim: (claim: { readonly now: Date; readonly until: Date }) => Promise<boolean>;
  /** To its end, which is kept: from then on it is found ended. */
  readonly carryOut: (run: Run) => Promise<void>;
};

/** Carries a kept run out, or waits for who does: it is answered when it is done. */
export async function carriedOut<Run extends { readonly endedAt: Date | null }>({ find, claim, carryOut }: Steps<Run>): Promise<Run> {
  for (let look = 0; look < looksMax; look++) {
    const run = await find();
    must(run, 'a run that was kept is there');
    if (run.endedAt !== null) return run;
    const now = realNow();
    if (await claim({ now, until: new Date(now.getTime() + claimMs) })) await carryOut(run);
    else await pause(lookAgainMs);
  }
  throw new Error('a run did not end in time');
}

import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { Payout } from './payout.ts';
import type { ShownState } from './payout-states.ts';
import { payoutColumns } from './payouts-sql.ts';
import { jsonText } from '../core/json.ts';

export type NewRun = {
  readonly payoutRunId: Id<'prun'>;
  readonly askedFor: Id<'crt'> | null;
  readonly minimumCents: Cents | null;
  readonly isDry: boolean;
  readonly startedBy: string;
  readonly startedByName: string;
  readonly startedByUserId: Id<'user'> | null;
  readonly at: Date;
};

/** A payout at the end of a run, with the names of the API. In a dry run it has no ID. */
export type RunPayout = {
  readonly id: string | null;
  readonly creator_id: string;
  readonly amount_cents: bigint;
  readonly state: ShownState;
};
export type RunResult = { readonly payouts: readonly RunPayout[]; readonly failures: number };
export type Run = NewRun & { readonly endedAt: Date | null; readonly result: RunResult | null };

export async function insertRun(db: Queryable, run: NewRun): Promise<void> {
  await db.run(sql`
    insert into payout_runs (payout_run_id, asked_for, minimum_cents, is_dry, started_by, started_by_name, started_by_user_id, at)
    values (${run.payoutRunId}, ${run.askedFor}, ${run.minimumCents}, ${run.isDry}, ${run.startedBy}, ${run.startedByName},
            ${run.startedByUserId}, ${run.at})`);
}

/** True: no other process executes the run, and the caller executes it. */
export async function claimRun(
  db: Queryable,
  payoutRunId: Id<'prun'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const claimed = await db.run(sql`
    update payout_runs set claimed_until = ${until}
    where payout_run_id = ${payoutRunId} and ended_at is null and (claimed_until is null or claimed_until < ${now})`);
  return claimed === 1;
}

/** The first recorded end is kept. */
export async function endRun(db: Queryable, payoutRunId: Id<'prun'>, result: RunResult, at: Date): Promise<void> {
  await db.run(sql`
    update payout_runs set ended_at = ${at}, result = ${jsonText(result)}::jsonb
    where payout_run_id = ${payoutRunId} and ended_at is null`);
}

export const findRun = (db: Queryable, payoutRunId: Id<'prun'>): Promise<Run | null> =>
  db.find(sql`
    select payout_run_id, asked_for, minimum_cents, is_dry, started_by, started_by_name, started_by_user_id, at, ended_at, result
    from payout_runs where payout_run_id = ${payoutRunId}`);

/** All payouts of a run, including those before a crash. By payouts_of_run. */
export const payoutsOfRun = (db: Queryable, payoutRunId: Id<'prun'>): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payout_directory d join payouts p using (creator_id, payout_id)
    where d.payout_run_id = ${payoutRunId} and p.amount_cents is not null order by d.payout_id`);

export type ListedRun = Omit<Run, 'result'> & { readonly count: number | null };

/** Without results, which may be thousands of rows. By primary key, newest first. */
export const listRuns = (db: Queryable, { after, limit }: Page): Promise<ListedRun[]> =>
  db.all(sql`
    select payout_run_id, asked_for, minimum_cents, is_dry, started_by, started_by_name, started_by_user_id, at, ended_at,
      jsonb_array_length(result -> 'payouts') as count
    from payout_runs ${after === null ? emptySql : sql`where payout_run_id < ${after[0]}`} order by payout_run_id desc limit ${limit + 1}`);

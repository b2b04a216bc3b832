import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Payout } from './payout.ts';
import type { ShownState } from './payout-states.ts';
import { payoutColumns } from './payouts-sql.ts';
import type { RunTable } from '../money-movement/manual-runs-sql.ts';

export const payoutRunTable: RunTable = {
  table: sql`payout_runs`,
  runId: sql`payout_run_id`,
  scopeId: sql`asked_for`,
  startedBy: sql`started_by`,
  startedByName: sql`started_by_name`,
  startedByUserId: sql`started_by_user_id`,
  results: sql`result -> 'payouts'`,
};

/** A payout at the end of a run, with the names of the API. In a dry run it has no ID. */
export type RunPayout = {
  readonly id: string | null;
  readonly creator_id: string;
  readonly amount_cents: bigint;
  readonly state: ShownState;
};
export type RunResult = { readonly payouts: readonly RunPayout[]; readonly failures: number };

/** All payouts of a run, including those before a crash. By payouts_of_run. */
export const payoutsOfRun = (db: Queryable, payoutRunId: Id<'prun'>): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payout_directory d join payouts p using (creator_id, payout_id)
    where d.payout_run_id = ${payoutRunId} and p.amount_cents is not null order by d.payout_id`);

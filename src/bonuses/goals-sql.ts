import { countedForGoal, type GoalMonth } from '../commissions/goals-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';

type OfProgram = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> };

type ReachedQuery = OfProgram & {
  readonly orders: number;
  readonly month: GoalMonth;
  readonly goalKey: string;
  readonly goalMonth: string;
  /** The version of the terms with the goal was in force. */
  readonly from: Date;
  readonly until: Date;
  readonly after: Id<'crt'> | null;
  readonly limit: number;
};

/**
 * Creators whose order with this number was approved while the goal was in force, and who have no bonus for it. Reads the approvals of the
 * program in the period, by the index commissions_approved_of_creator alone.
 */
export async function listGoalReachers(db: Queryable, wanted: ReachedQuery): Promise<ReadonlyArray<Id<'crt'>>> {
  const { storeId, programId, after } = wanted;
  const rows = await db.all<{ readonly creatorId: Id<'crt'> }>(sql`
    select creator_id from (
      select creator_id, approved_at, row_number() over (partition by creator_id order by approved_at) as place
      from commissions where store_id = ${storeId} and program_id = ${programId} and ${countedForGoal(wanted.month)}
    ) as ranked
    where place = ${wanted.orders} and approved_at >= ${wanted.from} and approved_at < ${wanted.until}
      ${after === null ? emptySql : sql`and creator_id > ${after}`}
      and not exists (
        select 1 from bonuses b
        where b.store_id = ${storeId} and b.program_id = ${programId} and b.creator_id = ranked.creator_id
          and b.goal_key = ${wanted.goalKey} and b.goal_month = ${wanted.goalMonth})
    order by creator_id limit ${wanted.limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

/** A bonus of a goal that may have to be withdrawn, restored, or that the team may have to be notified about. */
export type DoubtfulGoal = {
  readonly bonusId: Id<'bonus'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly goalKey: string;
  readonly goalMonth: string;
};

type DoubtfulQuery = OfProgram & { readonly since: Id; readonly after: Id<'bonus'> | null; readonly limit: number };

/**
 * Bonuses of which a counted order no longer counts, or was approved again in another month, and withdrawn ones. Approved ones only until
 * the team was notified. A refund comes at most 372 days after its order, so older bonuses are left. By the primary keys.
 */
export const listDoubtfulGoals = (db: Queryable, { storeId, programId, since, after, limit }: DoubtfulQuery): Promise<DoubtfulGoal[]> =>
  db.all(sql`
    select b.bonus_id, b.commission_id, b.creator_id, b.goal_key, b.goal_month
    from bonuses b join commissions own on own.store_id = ${storeId} and own.commission_id = b.commission_id
    where b.store_id = ${storeId} and b.program_id = ${programId} and b.goal_key is not null and b.bonus_id >= ${since}
      ${after === null ? emptySql : sql`and b.bonus_id > ${after}`}
      and (b.goal_notified_at is null or own.state in ('pending', 'rejected')) and (b.goal_withdrawn_at is not null or exists (
        select 1 from unnest(b.goal_commissions) as counted (commission_id)
        join commissions c on c.store_id = ${storeId} and c.commission_id = counted.commission_id
        where c.state in ('pending', 'rejected', 'reversed')
          or (b.goal_month <> '' and to_char(c.approved_at at time zone 'utc', 'YYYY-MM') <> b.goal_month)))
    order by b.bonus_id limit ${limit}`);

type GoalMark = { readonly storeId: Id<'store'>; readonly bonusId: Id<'bonus'> };
export type GoalMarks = { readonly isWithdrawn: boolean; readonly isNotified: boolean };

/** A person may have rejected a bonus after it was withdrawn and reopened; then its rejection has another time. */
export const findGoalMarks = (tx: Transaction, { storeId, bonusId }: GoalMark): Promise<GoalMarks> =>
  tx.one(sql`
    select coalesce(c.rejected_at = b.goal_withdrawn_at, false) as is_withdrawn, b.goal_notified_at is not null as is_notified
    from bonuses b join commissions c on c.store_id = ${storeId} and c.commission_id = b.commission_id
    where b.store_id = ${storeId} and b.bonus_id = ${bonusId}`);

export const setGoalWithdrawn = (tx: Transaction, { storeId, bonusId }: GoalMark, at: Date | null): Promise<number> =>
  tx.run(sql`update bonuses set goal_withdrawn_at = ${at} where store_id = ${storeId} and bonus_id = ${bonusId}`);

export const setGoalNotified = (tx: Transaction, { storeId, bonusId }: GoalMark, at: Date): Promise<number> =>
  tx.run(sql`update bonuses set goal_notified_at = ${at} where store_id = ${storeId} and bonus_id = ${bonusId}`);

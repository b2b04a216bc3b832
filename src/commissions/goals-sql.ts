import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, type Sql } from '../db/sql.ts';
import { isEarned } from './commission-states-sql.ts';

type OfProgram = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> };
type OfCreator = OfProgram & { readonly creatorId: Id<'crt'> };

/** The month of approvals. Null: all of them. */
export type GoalMonth = { readonly from: Date; readonly until: Date } | null;

/** Only one-time orders: an invoice of a subscription is no further sale. */
export const countedForGoal = (month: GoalMonth): Sql => {
  const inMonth = month === null ? emptySql : sql`and approved_at >= ${month.from} and approved_at < ${month.until}`;
  return sql`source_kind = 'order' and ${isEarned} ${inMonth}`;
};

export type GoalOrder = { readonly commissionId: Id<'com'>; readonly approvedAt: Date };

/** The first orders that count, in the order of their approvals. By the index commissions_approved_of_creator. */
export const listGoalOrders = (
  db: Queryable,
  { storeId, programId, creatorId }: OfCreator,
  { month, limit }: { readonly month: GoalMonth; readonly limit: number },
): Promise<GoalOrder[]> =>
  db.all(sql`
    select commission_id, approved_at from commissions
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} and ${countedForGoal(month)}
    order by approved_at, commission_id limit ${limit}`);

/** By the index commissions_approved_of_creator. */
export async function countGoalOrders(db: Queryable, { storeId, programId, creatorId }: OfCreator, month: GoalMonth): Promise<bigint> {
  const { orders } = await db.one<{ readonly orders: bigint }>(sql`
    select count(*) as orders from commissions
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} and ${countedForGoal(month)}`);
  return orders;
}

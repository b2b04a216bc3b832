import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, texts, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { firstIdAt, type Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/** A commission without an order, which a person of the store or an API key added. */
export type Bonus = {
  readonly storeId: Id<'store'>;
  readonly bonusId: Id<'bonus'>;
  readonly commissionId: Id<'com'>;
  readonly programId: Id<'prog'>;
  readonly memberId: Id<'mem'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly reason: string;
  /** The merchant's ID of an order that the bonus is about. */
  readonly orderId: string | null;
  readonly addedBy: string;
  readonly addedByName: string;
  readonly addedAt: Date;
  /** The goal that was reached, as goalKey. Null: a person added the bonus. */
  readonly goalKey: string | null;
  /** `2026-11`. Empty: in all. */
  readonly goalMonth: string | null;
  readonly goalVersion: number | null;
  /** The commissions of the orders that were counted. */
  readonly goalCommissions: ReadonlyArray<Id<'com'>> | null;
};

const columns = sql`
  store_id, bonus_id, commission_id, program_id, member_id, creator_id, amount_cents, reason, order_id, added_by, added_by_name, added_at,
  goal_key, goal_month, goal_version, goal_commissions`;

/** 0: another process added the bonus of this goal. */
export const insertBonus = (tx: Transaction, bonus: Bonus): Promise<number> =>
  tx.run(sql`
    insert into bonuses (store_id, bonus_id, commission_id, program_id, member_id, creator_id, amount_cents, reason, order_id, added_by,
                         added_by_name, added_at, goal_key, goal_month, goal_version, goal_commissions)
    values (${bonus.storeId}, ${bonus.bonusId}, ${bonus.commissionId}, ${bonus.programId}, ${bonus.memberId}, ${bonus.creatorId},
            ${bonus.amountCents}, ${bonus.reason}, ${bonus.orderId}, ${bonus.addedBy}, ${bonus.addedByName}, ${bonus.addedAt},
            ${bonus.goalKey}, ${bonus.goalMonth}, ${bonus.goalVersion},
            ${bonus.goalCommissions === null ? null : uuids(bonus.goalCommissions)})
    on conflict do nothing`);

export const findBonus = (
  db: Queryable,
  { storeId, bonusId }: { readonly storeId: Id<'store'>; readonly bonusId: Id<'bonus'> },
): Promise<Bonus | null> => db.find(sql`select ${columns} from bonuses where store_id = ${storeId} and bonus_id = ${bonusId}`);

type BonusesOf = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> | null };

/** Newest first, by primary key or by bonuses_of_creator. */
export const listBonuses = (db: Queryable, { storeId, creatorId }: BonusesOf, { after, limit }: Page): Promise<Bonus[]> =>
  db.all(sql`
    select ${columns} from bonuses
    where store_id = ${storeId} ${creatorId === null ? emptySql : sql`and creator_id = ${creatorId}`}
      ${after === null ? emptySql : sql`and bonus_id < ${after[0]}`}
    order by bonus_id desc limit ${limit + 1}`);

/** For a page of commissions, by the unique key of commissions. */
export async function bonusesOfCommissions(
  db: Queryable,
  { storeId, commissionIds }: { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<ReadonlyMap<Id<'com'>, Bonus>> {
  if (commissionIds.length === 0) return new Map();
  const rows = await db.all<Bonus>(sql`
    select ${columns} from bonuses where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)})`);
  return new Map(rows.map((bonus) => [bonus.commissionId, bonus]));
}

/** By primary key: an ID contains its time. The caller holds the store's lock, so that the sum is still true when a bonus is added. */
export const sumBonusesSince = (
  tx: Transaction,
  storeId: Id<'store'>,
  since: Date,
): Promise<{ readonly count: bigint; readonly amount: Cents }> =>
  tx.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount from bonuses
    where store_id = ${storeId} and bonus_id >= ${firstIdAt(since)} and goal_key is null`);

/** Keeps the bonus, its reason, and the user's ID, which no longer resolves to a person. */
export const eraseBonusAuthor = (
  db: Queryable,
  { actors, name, storeIds }: { readonly actors: readonly string[]; readonly name: string; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<number> =>
  db.run(sql`
    update bonuses set added_by_name = ${name} where store_id = any(${uuids(storeIds)}) and added_by = any(${texts(actors)})`);

type GoalOfMember = Pick<Bonus, 'storeId' | 'programId' | 'memberId'> & { readonly goalKey: string; readonly goalMonth: string };

/** By the index bonuses_of_goal. */
export const hasGoalBonus = async (db: Queryable, { storeId, programId, memberId, goalKey, goalMonth }: GoalOfMember): Promise<boolean> =>
  (await db.find(sql`
    select 1 as one from bonuses
    where store_id = ${storeId} and program_id = ${programId} and member_id = ${memberId} and goal_key = ${goalKey}
      and goal_month = ${goalMonth}`)) !== null;

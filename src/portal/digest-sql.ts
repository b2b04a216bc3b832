import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/** IDs contain their time, so this is a time range. */
export type IdRange = { readonly from: Id; readonly to: Id };

type CreatorPage = { readonly after: Id<'crt'> | null; readonly limit: number };

/** Creators whose commissions were opened or decided on. By primary keys, so that older rows are not read. */
export const listCreatorsWithActivity = async (
  db: Queryable,
  storeId: Id<'store'>,
  { from, to }: IdRange,
  { after, limit }: CreatorPage,
): Promise<ReadonlyArray<Id<'crt'>>> => {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from (
      select creator_id from commissions where store_id = ${storeId} and commission_id >= ${from} and commission_id < ${to}
      union
      select c.creator_id from decisions d join commissions c on c.store_id = ${storeId} and c.commission_id = d.commission_id
      where d.store_id = ${storeId} and d.decision_id >= ${from} and d.decision_id < ${to} and d.action in ('approve', 'reject')
    ) as found ${after === null ? emptySql : sql`where creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
};

/**
 * The first commission or decision since then, of any store, by its id; null where there is none. Two reads by primary key for each store;
 * asked only in a backlog.
 */
export async function findNextActivity(db: Queryable, from: Id): Promise<Id | null> {
  const row = await db.find<{ earliest: Id }>(sql`
    select least(c.commission_id, d.decision_id) as earliest from stores s
    left join lateral (
      select commission_id from commissions
      where store_id = s.store_id and commission_id >= ${from} order by commission_id limit 1) c on true
    left join lateral (
      select decision_id from decisions
      where store_id = s.store_id and decision_id >= ${from} and action in ('approve', 'reject') order by decision_id limit 1) d on true
    where c.commission_id is not null or d.decision_id is not null
    order by earliest limit 1`);
  return row?.earliest ?? null;
}

/** The end of the last digest; null if there was none. Locked, so that two runs do not send the same digest. */
export async function lockDigest(tx: Transaction, creatorId: Id<'crt'>): Promise<Date | null> {
  const row = await tx.find<{ lastUntil: Date }>(
    sql`select told_until as last_until from creator_digests where creator_id = ${creatorId} for update`,
  );
  return row?.lastUntil ?? null;
}

export async function saveDigest(tx: Transaction, creatorId: Id<'crt'>, until: Date): Promise<void> {
  await tx.run(sql`
    insert into creator_digests (creator_id, told_until) values (${creatorId}, ${until})
    on conflict (creator_id) do update set told_until = greatest(creator_digests.told_until, excluded.told_until)`);
}

type ActivityQuery = IdRange & { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };
export type CountAndAmount = { readonly count: bigint; readonly amount: Cents };

export const sumOpened = (db: Queryable, { storeId, creatorId, from, to }: ActivityQuery): Promise<CountAndAmount> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and commission_id >= ${from} and commission_id < ${to}`);

/** Without approvals that were taken back since. */
export const sumApproved = (db: Queryable, { storeId, creatorId, from, to }: ActivityQuery): Promise<CountAndAmount> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and state in ('approved', 'billed', 'collected', 'paid')
      and commission_id in (
        select commission_id from decisions
        where store_id = ${storeId} and decision_id >= ${from} and decision_id < ${to} and action = 'approve')`);

export type RejectedSale = {
  readonly sourceText: string;
  readonly amount: Cents;
  readonly rejectedReason: string;
  /** Its text is in English, because the service wrote it. */
  readonly isGoalBonus: boolean;
};

export const listRejected = (db: Queryable, { storeId, creatorId, from, to }: ActivityQuery, limit: number): Promise<RejectedSale[]> =>
  db.all(sql`
    select source_text, amount_cents as amount, rejected_reason, exists (
        select 1 from bonuses b
        where b.store_id = ${storeId} and b.commission_id = commissions.commission_id and b.goal_key is not null) as is_goal_bonus
    from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and state = 'rejected'
      and commission_id in (
        select commission_id from decisions
        where store_id = ${storeId} and decision_id >= ${from} and decision_id < ${to} and action = 'reject')
    order by commission_id limit ${limit}`);

import { earnedCentsExpression, salesTotals } from '../rollups/sales-totals-sql.ts';
import type { AttributionWhy } from '../contract/why.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type ComparedFilter = {
  readonly storeId: Id<'store'>;
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly programId: Id<'prog'> | null;
  readonly creatorId: { readonly id: Id<'crt'>; readonly publicId: string } | null;
  /** The latest orders are read. */
  readonly ordersMax: number;
};

export type ComparedRow = {
  readonly rule: AttributionWhy['rule'];
  readonly comparedBy: AttributionWhy['attributed_by'];
  readonly creatorId: Id<'crt'>;
  /** The public ID. */
  readonly otherId: string;
  readonly orders: bigint;
  readonly earnedCents: bigint;
  readonly otherCents: bigint;
};

/**
 * By the index orders_compared, which holds only orders with two creators. A partial refund reduces what the other creator would have
 * earned in proportion, and a rejection or reversal takes all of it.
 */
export const sumComparedOrders = (
  db: Queryable,
  { storeId, from, to, programId, creatorId, ordersMax }: ComparedFilter,
): Promise<ComparedRow[]> =>
  db.all(sql`
    select rule, compared_by, creator_id, other_id, count(*) as orders, coalesce(sum(earned_cents), 0) as earned_cents,
      coalesce(sum(case when is_lost then 0 else other_cents end), 0) as other_cents
    from (
      select o.attribution ->> 'rule' as rule, o.attribution -> 'compared' ->> 'by' as compared_by, o.creator_id,
        o.attribution -> 'compared' ->> 'creator_id' as other_id, c.earned_cents, c.is_lost,
        trunc((o.attribution -> 'compared' ->> 'commission_cents')::numeric
          * case when c.eligible_cents = 0 then 1 else (c.eligible_cents - c.refunded_cents)::numeric / c.eligible_cents end) as other_cents
      from orders o
      join (
        select store_id, commission_id, eligible_cents, refunded_cents, state in ('rejected', 'reversed') as is_lost,
          ${earnedCentsExpression} as earned_cents
        from commissions where store_id = ${storeId}
      ) as c on c.store_id = o.store_id and c.commission_id = o.commission_id
      where o.store_id = ${storeId} and o.attribution -> 'compared' is not null
        and o.occurred_at >= ${from} and o.occurred_at < ${to}
        ${programId === null ? emptySql : sql`and o.program_id = ${programId}`}
        ${
          creatorId === null
            ? emptySql
            : sql`
          and (o.creator_id = ${creatorId.id} or o.attribution -> 'compared' ->> 'creator_id' = ${creatorId.publicId})`
        }
      order by o.occurred_at desc limit ${ordersMax}
    ) as latest
    group by rule, compared_by, creator_id, other_id order by rule, compared_by, creator_id, other_id limit ${ordersMax}`);

type EarnedFilter = Pick<ComparedFilter, 'storeId' | 'programId'> & {
  readonly days: { readonly from: string; readonly to: string };
  readonly creatorIds: ReadonlyArray<Id<'crt'>>;
};

/** What creators earned by all their orders, by the index links_of_creator, then each link's days by primary key. */
export const earnedByCreator = (
  db: Queryable,
  { storeId, programId, days, creatorIds }: EarnedFilter,
): Promise<ReadonlyArray<{ readonly creatorId: Id<'crt'>; readonly earnedCents: bigint }>> =>
  db.all(sql`
    select l.creator_id, ${salesTotals}
    from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = ${storeId} and l.creator_id = any(${uuids(creatorIds)})
      ${programId === null ? emptySql : sql`and l.program_id = ${programId}`}
      and d.day between ${days.from}::date and ${days.to}::date
    group by l.creator_id`);

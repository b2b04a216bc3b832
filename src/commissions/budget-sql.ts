import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { dates, emptySql, sql, uuids } from '../db/sql.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';

export type BudgetOwner = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'> };

/** Other orders of the programs wait until this transaction ends. In the order of the IDs, so that two batches cannot deadlock. */
export const lockBudgets = (tx: Transaction, programs: readonly Pick<BudgetOwner, 'storeId' | 'programId'>[]): Promise<unknown> =>
  queryByStore(programs, (storeId, ofStore) =>
    tx.all(sql`
      select program_id from programs where store_id = ${storeId} and program_id = any(${uuids(ofStore.map(({ programId }) => programId))})
      order by program_id for no key update`),
  );

/** The amount that a creator, or all others, earned in one of the requested months (UTC), or in all others. */
export type EarnedUnderBudget = {
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'> | null;
  readonly month: string | null;
  readonly earnedCents: Cents;
};

type WantedBudgets = {
  readonly owners: readonly BudgetOwner[];
  readonly months: readonly string[];
  /** Null: all days. */
  readonly since: string | null;
};

/**
 * Sums the daily totals of the programs' links: what is called earned in reports, so that a rejection or a refund gives its part of the
 * budget back. By links_of_program, then the primary key of link_days.
 */
export const sumEarnedUnderBudgets = (db: Queryable, { owners, months, since }: WantedBudgets): Promise<EarnedUnderBudget[]> =>
  queryByStore(owners, (storeId, ofStore) =>
    db.all<EarnedUnderBudget>(sql`
      select program_id, creator_id, month, earned_cents from (
        select l.program_id, case when l.creator_id = any(${uuids([...new Set(ofStore.map(({ creatorId }) => creatorId))])})
            then l.creator_id end as creator_id,
          case when date_trunc('month', d.day::timestamp)::date = any(${dates([...months])})
            then to_char(d.day, 'YYYY-MM-01') end as month, ${salesTotals}
        from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
        where l.store_id = ${storeId} and l.program_id = any(${uuids([...new Set(ofStore.map(({ programId }) => programId))])})
          ${since === null ? emptySql : sql`and d.day >= ${since}::date`}
        group by 1, 2, 3
      ) as totals`),
  );

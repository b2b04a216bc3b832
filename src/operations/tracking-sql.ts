import type { Reason } from '../contract/reasons.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type UnauthenticatedCount = { readonly day: string; readonly reason: Reason; readonly count: bigint };

/** Some rows of each day, by primary key. */
export const listUnauthenticatedByDay = (db: Queryable, from: string): Promise<UnauthenticatedCount[]> =>
  db.all(sql`
    select to_char(day, 'YYYY-MM-DD') as day, reason, sum(count) as count from door_refusals where day >= ${from}::date
    group by door_refusals.day, reason order by door_refusals.day desc, count desc, reason`);

export type LastPostback = { readonly storeId: Id<'store'>; readonly at: Date; readonly reason: Reason; readonly status: number };

/** The newest line of each, by primary key. */
export const listLastPostbacks = (db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<LastPostback[]> =>
  queryByStore(
    storeIds.map((storeId) => ({ storeId })),
    (storeId) =>
      db.all<LastPostback>(sql`
        select store_id, at, reason, status::int as status from postback_log
        where store_id = ${storeId} order by postback_id desc limit 1`),
  );

export type RejectedCount = { readonly storeId: Id<'store'>; readonly count: bigint };

/** By postback_log_by_reason, each reason counted up to a limit: a store that is refused a million times costs what that many do. */
export const countRejected = (
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
  { reasons, fromId, most }: { readonly reasons: readonly Reason[]; readonly fromId: Id; readonly most: number },
): Promise<RejectedCount[]> =>
  queryByStore(
    storeIds.map((storeId) => ({ storeId })),
    (storeId) =>
      db.all<RejectedCount>(sql`
        select ${storeId}::uuid as store_id, sum(counted.count) as count
        from unnest(${texts(reasons)}) as known (reason) cross join lateral (
          select count(*) as count from (
            select 1 from postback_log
            where store_id = ${storeId} and reason = known.reason and postback_id >= ${fromId}::uuid limit ${most}) as found
        ) as counted`),
  );

import { commissionStates, type CommissionState } from '../commissions/commission-states.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import type { AuditRow } from '../people/audit-sql.ts';
import type { DayRange } from './day-range.ts';
import type { SalesTotals } from './sales-totals.ts';

export type CreatorKey = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

export type CreatorDay = SalesTotals & { readonly day: string };

/** By the index links_of_creator, then each link's days by primary key: a few rows a day. */
export const listCreatorDays = (db: Queryable, { storeId, creatorId }: CreatorKey, { from, to }: DayRange): Promise<CreatorDay[]> =>
  db.all(sql`
    select d.day, coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks,
      ${salesTotals}
    from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = ${storeId} and l.creator_id = ${creatorId} and d.day between ${from}::date and ${to}::date
    group by d.day order by d.day`);

export type StateTotals = { readonly state: CommissionState; readonly count: bigint; readonly amountCents: bigint };

/** Of the latest `most` commissions, by the index commissions_by_creator. */
export const listStateTotals = (db: Queryable, { storeId, creatorId }: CreatorKey, most: number): Promise<StateTotals[]> =>
  db.all(sql`
    select state, count(*) as count, sum(amount_cents) as amount_cents from (
      select state, amount_cents from commissions
      where store_id = ${storeId} and creator_id = ${creatorId} order by occurred_at desc, commission_id desc limit ${most}
    ) as latest group by state order by array_position(${texts(commissionStates)}, state)`);

type HistoryQuery = CreatorKey & {
  /** The creator's public ID, which the entry of a change of links or memberships has in its input. */
  readonly publicCreatorId: string;
  /** The ends of the paths that name the creator's memberships. */
  readonly memberPaths: readonly string[];
};

/**
 * The store's audit entries about one creator, newest first. Reads the store's log by the index audit_log_of_store until a page is full:
 * a log has few entries per day, and an index by creator would slow down every request that is logged.
 */
export const listCreatorHistory = (
  db: Queryable,
  { storeId, creatorId, publicCreatorId, memberPaths }: HistoryQuery,
  { after, limit }: Page,
): Promise<AuditRow[]> =>
  db.all(sql`
    select audit_entry_id, at, actor, actor_name, store_id, creator_id, action, subject, details, request_id from audit_log
    where store_id = ${storeId}
      and (creator_id = ${creatorId} or details ->> 'creator_id' = ${publicCreatorId}
        or substring(subject from '/members/.*$') = any(${texts(memberPaths)}))
      ${after === null ? emptySql : sql`and audit_entry_id < ${after[0]}`}
    order by audit_entry_id desc limit ${limit + 1}`);

import { beginningWith } from '../platform/database/like.ts';
import { joined, nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { noFilter, type CommissionFilter } from './filter.ts';

type Latest = {
  readonly storeId: Id<'store'>;
  readonly filter: CommissionFilter;
  readonly after: Page['after'];
  readonly limit: number;
  /** Only what was recorded by then. */
  readonly before?: Id<'com'>;
};

/**
 * The latest that match, by when they happened. By commissions_by_time, by state, by creator, by what is held, each sorted so. An order
 * or what begins with something is looked for day by day, the last one first, by commissions_by_day: orders are mostly numbered as time
 * goes by, so that a walk by time alone might pass millions of newer ones before the first that begins so. The times of a day say
 * nothing new; with them a state or a creator that is rarer than the beginning can be gone by instead. Days come sorted, and the last
 * one is taken whole ("with ties"), so that nothing is sorted before it is cut off.
 */
export function latest(wanted: Sql, { storeId, filter, after, limit, before }: Latest): Sql {
  const recorded = before === undefined ? nothing : sql`and commission_id < ${before}`;
  const found = sql`select ${wanted} from commissions where store_id = ${storeId} ${matching(filter)} ${beyond(after)} ${recorded}`;
  const sorted = sql`order by occurred_at desc, commission_id desc limit ${limit}`;
  if (filter.beginning === null && filter.orderId === null) return sql`${found} ${sorted}`;
  const times = matching({ ...noFilter, from: filter.from, to: filter.to });
  return sql`
    select found.* from (
      select of_day.* from (
        select last - back as day from (
          select (min(occurred_at) at time zone 'utc')::date as first, (max(occurred_at) at time zone 'utc')::date as last
          from commissions where store_id = ${storeId} ${times} ${beyond(after)}
        ) as ends cross join lateral generate_series(0, last - first) as back
        order by day desc
      ) as days cross join lateral (${found}
        and (occurred_at at time zone 'utc')::date = day
        and occurred_at >= day::timestamp at time zone 'utc' and occurred_at < (day + 1)::timestamp at time zone 'utc'
        ${sorted}
      ) as of_day
      order by day desc fetch first (${limit}::bigint) rows with ties
    ) as found
    ${sorted}`;
}

function beyond(after: Page['after']): Sql {
  if (after === null) return nothing;
  const [time, commissionId] = after;
  return sql`and (occurred_at, commission_id) < (${new Date(Number(time))}::timestamptz, ${commissionId}::uuid)`;
}

/** What follows `where store_id = …` in a question to commissions. All of it reads the row itself, so that a lock judges it again. */
export function matching({ state, held, creatorId, orderId, beginning, from, to, approvesItselfBy }: CommissionFilter): Sql {
  const conditions = [
    state === null ? null : sql`and state = ${state}`,
    heldCondition(held),
    creatorId === null ? null : creatorId === 'nobody' ? sql`and false` : sql`and creator_id = ${creatorId}`,
    orderId === null ? null : sql`and source_kind = 'order' and left(source_text, 100) = ${indexed(orderId)} and source_text = ${orderId}`,
    beginning === null ? null : beginsWith(beginning),
    from === null ? null : sql`and occurred_at >= ${from}`,
    to === null ? null : sql`and occurred_at < ${to}`,
    // As commissions_approving_themselves says it, so that it is found by that small index.
    approvesItselfBy === null ? null : sql`and state = 'pending' and held_reason is null and auto_approve_at <= ${approvesItselfBy}`,
  ];
  const asked = conditions.filter((condition) => condition !== null);
  return asked.length === 0 ? nothing : joined(asked, sql` `);
}

function heldCondition(held: CommissionFilter['held']): Sql | null {
  if (held === null) return null;
  if (held === true) return sql`and held_reason is not null`;
  return held === false ? sql`and held_reason is null` : sql`and held_reason = ${held}`;
}

/** As much of a merchant's id as stands in commissions_by_day, which both questions go by. */
const indexedLength = 100;
const indexed = (text: string): string => [...text].slice(0, indexedLength).join('');

function beginsWith(beginning: string): Sql {
  const start = indexed(beginning);
  const like = sql`and left(source_text, 100) like ${beginningWith(start)}`;
  return start === beginning ? like : sql`${like} and starts_with(source_text, ${beginning})`;
}

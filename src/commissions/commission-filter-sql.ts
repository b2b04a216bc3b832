import { containsText, prefixPattern } from '../db/like-pattern.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import type { Queryable } from '../db/database.ts';
import { joined, emptySql, sql, type Sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { findCreatorsNamed } from '../creators/search-creators-sql.ts';
import { noFilter, type CommissionFilter } from './commission-filter.ts';

export type CommissionPosition = { readonly occurredAt: Date; readonly commissionId: Id<'com'> };

const idColumn: SortColumn<CommissionPosition> = {
  expression: sql`commission_id`,
  type: 'uuid',
  value: ({ commissionId }) => commissionId,
};
/** Both directions of the index commissions_by_time. */
export const commissionSorts: ListSorts<CommissionPosition> = {
  columns: { occurred_at: { expression: sql`occurred_at`, type: 'time', value: ({ occurredAt }) => occurredAt } },
  unique: idColumn,
  defaultSort: '-occurred_at',
};

const latestFirst = orderOf(commissionSorts);

/** Only whether the earliest come first matters. */
export type TimeOrder = Pick<ListOrder<CommissionPosition>, 'isDescending'>;

type TimeQuery = {
  readonly storeId: Id<'store'>;
  readonly filter: CommissionFilter;
  readonly after: Page['after'];
  readonly limit: number;
  readonly order?: TimeOrder;
  /** Only commissions recorded before this one. */
  readonly before?: Id<'com'>;
};

/**
 * Selects the latest matching commissions by `occurred_at`, or the earliest. Uses the index commissions_by_time, or those by state,
 * creator, or hold, which have the same order. A search goes day by day, in the order of the list, by the indexes of `searchCondition`:
 * order numbers grow with time, so a scan by time could read millions of newer rows before the first match. The bounds on `occurred_at`
 * repeat the day, so that the planner can choose the index of a rarer state or creator instead. Days come sorted and the last day is read
 * completely ("with ties"), so that no sort happens before the limit.
 */
export async function selectByTime(
  db: Queryable,
  wanted: Sql,
  { storeId, filter, after, limit, order = latestFirst, before }: TimeQuery,
): Promise<Sql> {
  const byTime = { ...latestFirst, isDescending: order.isDescending };
  const days = order.isDescending ? sql`order by day desc` : sql`order by day`;
  const recorded = before === undefined ? emptySql : sql`and commission_id < ${before}`;
  const matching = sql`
    from commissions where store_id = ${storeId} ${await filterConditions(db, filter, storeId)} ${afterKey(byTime, after)} ${recorded}`;
  const found = sql`select ${wanted} ${matching}`;
  const sorted = sql`${orderBy(byTime)} limit ${limit}`;
  if (filter.search === null && filter.orderId === null && filter.source === null) {
    if (!isFilteredInIndex(filter)) return sql`${found} ${sorted}`;
    return sql`
      select ${wanted} from commissions
      where store_id = ${storeId} and commission_id = any(array(select commission_id ${matching} ${sorted})) ${sorted}`;
  }
  const times = await filterConditions(db, { ...noFilter, from: filter.from, to: filter.to }, storeId);
  return sql`
    select found.* from (
      select of_day.* from (
        select ${order.isDescending ? sql`last - step` : sql`first + step`} as day from (
          select (min(occurred_at) at time zone 'utc')::date as first, (max(occurred_at) at time zone 'utc')::date as last
          from commissions where store_id = ${storeId} ${times} ${afterKey(byTime, after)}
        ) as ends cross join lateral generate_series(0, last - first) as step
        ${days}
      ) as days cross join lateral (${found}
        and (occurred_at at time zone 'utc')::date = day
        and occurred_at >= day::timestamp at time zone 'utc' and occurred_at < (day + 1)::timestamp at time zone 'utc'
        ${sorted}
      ) as of_day
      ${days} fetch first (${limit}::bigint) rows with ties
    ) as found
    ${sorted}`;
}

/**
 * The index commissions_by_creator contains the state and the ID, so that only the rows of the page are read: a creator's sales are
 * scattered over the table, and reading all of 100,000 took twenty times as long (docs/decisions/0133).
 */
const isFilteredInIndex = ({ creatorId, state, sourceIdPart }: CommissionFilter): boolean =>
  creatorId !== null && (state !== null || sourceIdPart !== null);

/** Conditions to append to `where store_id = …`. They read only the row itself, so that PostgreSQL checks them again after a lock. */
export async function filterConditions(db: Queryable, filter: CommissionFilter, storeId: Id<'store'>): Promise<Sql> {
  const { state, held, creatorId, orderId, search, sourceIdPart, source, from, to, autoApproveBy } = filter;
  const conditions = [
    state === null ? null : sql`and state = ${state}`,
    heldCondition(held),
    creatorId === null ? null : creatorId === 'none' ? sql`and false` : sql`and creator_id = ${creatorId}`,
    orderId === null ? null : orderCondition(orderId),
    search === null ? null : searchCondition(search, await findCreatorsNamed(db, { storeId, text: search })),
    source === null ? null : source.isWhole ? wholeSource(source.text) : sql`and (${joined(endsOf(source.text), sql` or `)})`,
    sourceIdPart === null ? null : sql`and ${containsText(sql`source_text`, sourceIdPart)}`,
    from === null ? null : sql`and occurred_at >= ${from}`,
    to === null ? null : sql`and occurred_at < ${to}`,
    // The same condition as that of the index commissions_approving_themselves, so that the planner uses it.
    autoApproveBy === null ? null : sql`and state = 'pending' and held_reason is null and auto_approve_at <= ${autoApproveBy}`,
  ];
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? emptySql : joined(given, sql` `);
}

function heldCondition(held: CommissionFilter['held']): Sql | null {
  if (held === null) return null;
  if (held === true) return sql`and held_reason is not null`;
  return held === false ? sql`and held_reason is null` : sql`and held_reason = ${held}`;
}

/** The indexes commissions_by_id_start, commissions_by_name_start and commissions_by_end contain this many characters. */
const indexedLength = 100;
const indexedPrefix = (text: string): string => [...text].slice(0, indexedLength).join('');
const startOf = (column: Sql): Sql => sql`ltrim(lower(left(${column}, 100)), '#')`;

const orderCondition = (orderId: string): Sql => sql`
  and source_kind = 'order' and source_text = ${orderId}
  and ${startOf(sql`source_text`)} = ltrim(lower(${indexedPrefix(orderId)}::text), '#')`;

/**
 * Each condition has an index, which the planner combines. A part in the middle of an ID is not found: a trigram index cannot find the
 * latest matches in one day after another, see docs/decisions/0103-search-in-lists.md.
 */
function searchCondition(text: string, creatorsNamed: ReadonlyArray<Id<'crt'>>): Sql {
  const conditions = [...endsOf(text), sql`creator_id = any(${uuids(creatorsNamed)})`];
  return sql`and (${joined(conditions, sql` or `)})`;
}

/** Alternatives, of which there is always one. */
function endsOf(text: string): readonly Sql[] {
  const start = text.replace(/^#+/, '');
  const reversed = [...text].toReversed().join('');
  const conditions = [
    ...(start === ''
      ? []
      : [startsWith(sql`source_text`, start), sql`(source_name is not null and ${startsWith(sql`source_name`, start)})`]),
    ...(indexedPrefix(text) === text
      ? [sql`reverse(lower(right(coalesce(source_name, source_text), 100))) like lower(${prefixPattern(reversed)}::text)`]
      : []),
  ];
  return conditions.length === 0 ? [sql`false`] : conditions;
}

/** The ID or the name, ignoring case and a leading #. */
function wholeSource(text: string): Sql {
  const start = text.replace(/^#+/, '');
  const isWhole = (column: Sql): Sql => sql`
    (${startOf(column)} = lower(${indexedPrefix(start)}::text) and ltrim(lower(${column}), '#') = lower(${start}::text))`;
  return sql`and (${isWhole(sql`source_text`)} or (source_name is not null and ${isWhole(sql`source_name`)}))`;
}

function startsWith(column: Sql, text: string): Sql {
  const start = indexedPrefix(text);
  const like = sql`${startOf(column)} like lower(${prefixPattern(start)}::text)`;
  return start === text ? like : sql`(${like} and starts_with(ltrim(lower(${column}), '#'), lower(${text}::text)))`;
}

import type { Reason, Refusal } from '../contract/reasons.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { prefixPattern } from '../db/like-pattern.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import {
  bigints,
  booleans,
  byteas,
  dates,
  emptySql,
  inserting,
  ints,
  jsonbs,
  smallints,
  sql,
  type Sql,
  texts,
  timestamps,
  uuids,
} from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { searchInOrder } from '../db/search-in-order.ts';
import { firstIdAt, type Id } from '../core/ids.ts';
import type { LogEntry } from './log-entry.ts';

/** Older entries contain only this much of a longer ID. An index entry can hold 500 characters of any kind. */
export const formerSubjectLengthMax = 200;

export async function insertLogEntries(tx: Transaction, answered: readonly LogEntry[]): Promise<void> {
  // A 503 is not logged: the sender retries, and the reply to the retry is logged.
  const lines = answered.filter(({ status }) => status !== 503);
  if (lines.length === 0) return;
  const of = <Value>(value: (line: LogEntry) => Value) => lines.map(value);
  await insertRows(
    tx,
    inserting`
      insert into postback_log (store_id, postback_id, at, operation, status, reason, subject, is_test, is_replay, request_id,
        postback_key_id, latency_us, why, warnings, reply, body)
      ${[
        uuids(of(({ storeId }) => storeId)),
        uuids(of(({ postbackId }) => postbackId)),
        timestamps(of(({ at }) => at)),
        texts(of(({ operation }) => operation)),
        smallints(of(({ status }) => status)),
        texts(of(({ reason }) => reason)),
        texts(of(({ subject }) => subject)),
        booleans(of(({ isTest }) => isTest)),
        booleans(of(({ isReplay }) => isReplay)),
        texts(of(({ requestId }) => requestId)),
        uuids(of(({ postbackKeyId }) => postbackKeyId)),
        ints(of(({ latencyMs }) => Math.round(latencyMs * 1_000))),
        jsonbs(of(({ why }) => JSON.stringify(why))),
        jsonbs(of(({ warnings }) => JSON.stringify(warnings))),
        jsonbs(of(({ reply }) => JSON.stringify(reply))),
        byteas(of(({ body }) => body)),
      ]}`,
  );
}

export type UnauthenticatedCount = { readonly day: string; readonly reason: Refusal; readonly count: bigint };
/** This many processes can count without waiting for each other. */
const slots = 16;
const ownSlot = process.pid % slots;

export async function addUnauthenticatedCounts(db: Queryable, refusals: readonly UnauthenticatedCount[]): Promise<void> {
  const rows = sortedByKey(refusals, ({ day, reason }) => `${day} ${reason}`);
  await insertRows(
    db,
    inserting`
      insert into door_refusals as sums (day, reason, slot, count)
      ${[
        dates(rows.map(({ day }) => day)),
        texts(rows.map(({ reason }) => reason)),
        smallints(rows.map(() => ownSlot)),
        bigints(rows.map(({ count }) => count)),
      ]}
      on conflict (day, reason, slot) do update set count = sums.count + excluded.count`,
  );
}

export type StoredLogEntry = Omit<LogEntry, 'latencyMs'> & { readonly latencyUs: number };
export type LogFilter = {
  readonly status: number | null;
  readonly reason: string | null;
  readonly operation: string | null;
  /** The beginning of a subject. */
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

const columns = sql`store_id, postback_id, at, operation, status, reason, subject, is_test, is_replay, request_id, postback_key_id,
  latency_us, why, warnings, reply, body`;

const entryIdColumn: SortColumn<StoredLogEntry> = { expression: sql`postback_id`, type: 'uuid', value: ({ postbackId }) => postbackId };

/** The IDs grow with time. */
export const logSorts: ListSorts<StoredLogEntry> = { columns: { at: entryIdColumn }, unique: entryIdColumn, defaultSort: '-at' };

const newestFirst = orderOf(logSorts);

type LogPage = Page & { readonly order?: ListOrder<StoredLogEntry> };

/** Newest first by default. Uses the primary key, or the index on the reason. */
export async function listLogEntries(
  db: Queryable,
  storeId: Id<'store'>,
  filter: LogFilter,
  { after, limit, order = newestFirst }: LogPage,
): Promise<StoredLogEntry[]> {
  const { subject, ...others } = filter;
  const conditions = sql`${matching({ ...others, subject: null })} ${afterKey(order, after)}`;
  const sorted = orderBy(order);
  if (subject === null)
    return db.all(sql`
      select ${columns} from postback_log where store_id = ${storeId} ${conditions} ${sorted} limit ${limit + 1}`);
  const found = await searchInOrder<Pick<StoredLogEntry, 'postbackId'>>(db, {
    columns: sql`postback_id, subject`,
    rows: sql`from postback_log where store_id = ${storeId} ${conditions}`,
    condition: sql`subject like ${prefixPattern(subject)}`,
    sorted,
    limit: limit + 1,
  });
  const ids = found.map(({ postbackId }) => postbackId);
  return db.all(sql`
    select ${columns} from postback_log where store_id = ${storeId} and postback_id = any(${uuids(ids)}) ${sorted}`);
}

/** Counts at most `most` + 1. */
export async function countLogEntries(db: Queryable, storeId: Id<'store'>, filter: LogFilter, most: number): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (select 1 from postback_log where store_id = ${storeId} ${matching(filter)} limit ${most + 1}) as found`);
  return Number(count);
}

/** An entry's ID begins with its time, so every index that ends with the ID finds the entries of a time range. */
const matching = (filter: LogFilter): Sql => sql`
  ${when(filter.status, (status) => sql`and status = ${status}`)}
  ${when(filter.reason, (reason) => sql`and reason = ${reason}`)}
  ${when(filter.operation, (operation) => sql`and operation = ${operation}`)}
  ${when(filter.subject, (subject) => sql`and subject like ${prefixPattern(subject)}`)}
  ${when(filter.from, (from) => sql`and postback_id >= ${firstIdAt(from)}::uuid`)}
  ${when(filter.to, (to) => sql`and postback_id < ${firstIdAt(to)}::uuid`)}`;

export const findLogEntry = (
  db: Queryable,
  { storeId, postbackId }: { readonly storeId: Id<'store'>; readonly postbackId: Id<'post'> },
): Promise<StoredLogEntry | null> =>
  db.find(sql`select ${columns} from postback_log where store_id = ${storeId} and postback_id = ${postbackId}`);

export type ReasonCounts = {
  readonly reasons: readonly Reason[];
  readonly fromId: Id;
  readonly toId: Id;
  /** Counts at most this + 1 for each reason, so that a frequent reason costs no more. */
  readonly most: number;
};

/** The number of entries for each reason. An index-only scan of postback_log_by_reason. */
export const countsByReason = (
  db: Queryable,
  storeId: Id<'store'>,
  { reasons, fromId, toId, most }: ReasonCounts,
): Promise<Array<{ readonly reason: Reason; readonly count: bigint }>> =>
  db.all(sql`
    select reason, count from unnest(${texts(reasons)}) as known (reason) cross join lateral (
      select count(*) as count from (
        select 1 from postback_log
        where store_id = ${storeId} and reason = known.reason and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid
        limit ${most + 1}) as found
    ) as counted
    where count > 0 order by count desc, reason`);

export type LogEntriesAfter = { readonly after: Id; readonly except: readonly Id[]; readonly most: number };

/** Oldest first, for a feed of the log. Uses the primary key, and reads only the IDs of the excluded entries. */
export const logEntriesAfter = (db: Queryable, storeId: Id<'store'>, { after, except, most }: LogEntriesAfter): Promise<StoredLogEntry[]> =>
  db.all(sql`
    select ${columns} from postback_log
    where store_id = ${storeId} and postback_id > ${after}::uuid and postback_id <> all(${uuids(except)})
    order by postback_id limit ${most}`);

export type IdSpan = { readonly fromId: Id; readonly toId: Id; readonly most: number };

/** An index-only scan of the primary key. */
export async function logEntryIdsBetween(db: Queryable, storeId: Id<'store'>, { fromId, toId, most }: IdSpan): Promise<readonly Id[]> {
  const rows = await db.all<{ postbackId: Id }>(sql`
    select postback_id from postback_log
    where store_id = ${storeId} and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid
    order by postback_id desc limit ${most}`);
  return rows.map(({ postbackId }) => postbackId);
}

const when = <Value>(value: Value | null, fragment: (value: Value) => Sql): Sql => (value === null ? emptySql : fragment(value));

export type IdRange = { readonly fromId: string; readonly toId: string; readonly rowsMax: number };

/** Deletes the bodies of entries between two IDs, by the primary key. Returns how many had a body. */
export const deleteBodies = (db: Queryable, storeId: Id<'store'>, { fromId, toId, rowsMax }: IdRange): Promise<number> =>
  db.run(sql`
    update postback_log set body = null
    where store_id = ${storeId} and postback_id in (
      select postback_id from postback_log
      where store_id = ${storeId} and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid and body is not null
      limit ${rowsMax})`);

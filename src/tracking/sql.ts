import type { Reason, Refusal } from '../contract/reasons.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { beginningWith } from '../platform/database/like.ts';
import { nothing, prepared, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import { firstIdAt, type Id } from '../platform/ids.ts';
import type { PostbackLine } from './line.ts';

/** Lines of before hold only so much of a longer id; the whole one stood in the body. An index entry holds 500 letters of any kind. */
export const formerSubjectLengthMax = 200;

export async function keepPostbacks(tx: Transaction, answered: readonly PostbackLine[]): Promise<void> {
  // What is answered 503 leaves nothing behind: the sender comes again, and that answer has its line.
  const lines = answered.filter(({ status }) => status !== 503);
  if (lines.length === 0) return;
  const of = <Value>(value: (line: PostbackLine) => Value) => lines.map(value);
  await tx.run(prepared`
    insert into postback_log (store_id, postback_id, at, operation, status, reason, subject, is_test, is_replay, request_id,
      postback_key_id, latency_us, why, warnings, reply, body)
    select * from unnest(
      ${of(({ storeId }) => storeId)}::uuid[], ${of(({ postbackId }) => postbackId)}::uuid[], ${of(({ at }) => at)}::timestamptz[],
      ${of(({ operation }) => operation)}::text[], ${of(({ status }) => status)}::smallint[], ${of(({ reason }) => reason)}::text[],
      ${of(({ subject }) => subject)}::text[], ${of(({ isTest }) => isTest)}::boolean[],
      ${of(({ isReplay }) => isReplay)}::boolean[], ${of(({ requestId }) => requestId)}::text[],
      ${of(({ postbackKeyId }) => postbackKeyId)}::uuid[], ${of(({ latencyMs }) => Math.round(latencyMs * 1_000))}::int[],
      ${of(({ why }) => JSON.stringify(why))}::jsonb[], ${of(({ warnings }) => JSON.stringify(warnings))}::jsonb[],
      ${of(({ reply }) => JSON.stringify(reply))}::jsonb[], ${of(({ body }) => body)}::bytea[])`);
}

export type DoorRefusal = { readonly day: string; readonly reason: Refusal; readonly count: bigint };
/** How many processes can count without waiting for each other. */
const slots = 16;
const ownSlot = process.pid % slots;

export async function addDoorRefusals(db: Queryable, refusals: readonly DoorRefusal[]): Promise<void> {
  await db.run(sql`
    insert into door_refusals as sums (day, reason, slot, count)
    select day, reason, ${ownSlot}::smallint, count from unnest(
      ${refusals.map(({ day }) => day)}::date[], ${refusals.map(({ reason }) => reason)}::text[],
      ${refusals.map(({ count }) => count)}::bigint[]
    ) as fresh (day, reason, count)
    order by day, reason
    on conflict (day, reason, slot) do update set count = sums.count + excluded.count`);
}

export type KeptLine = Omit<PostbackLine, 'latencyMs'> & { readonly latencyUs: number };
export type LineFilter = {
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

/** Newest first. By primary key, by reason or by the subject's beginning: each has its index. */
export const listLines = (db: Queryable, storeId: Id<'store'>, filter: LineFilter, { after, limit }: Page): Promise<KeptLine[]> =>
  db.all(sql`
    select ${columns} from postback_log
    where store_id = ${storeId} ${matching(filter)}
      ${when(after, (position) => sql`and postback_id < ${position[0]}::uuid`)}
    order by postback_id desc limit ${limit + 1}`);

/** To one beyond `most`. */
export async function countLines(db: Queryable, storeId: Id<'store'>, filter: LineFilter, most: number): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (select 1 from postback_log where store_id = ${storeId} ${matching(filter)} limit ${most + 1}) as found`);
  return Number(count);
}

const matching = (filter: LineFilter): Sql => sql`
  ${when(filter.status, (status) => sql`and status = ${status}`)}
  ${when(filter.reason, (reason) => sql`and reason = ${reason}`)}
  ${when(filter.operation, (operation) => sql`and operation = ${operation}`)}
  ${when(filter.subject, (subject) => sql`and subject like ${beginningWith(subject)}`)}
  ${when(filter.from, (from) => sql`and postback_id >= ${lineAt(from)}::uuid`)}
  ${when(filter.to, (to) => sql`and postback_id < ${lineAt(to)}::uuid`)}`;

/** A line's id begins with its time, so that the lines of a time are found by every index that ends with the id. */
const lineAt = (time: Date): Id => firstIdAt(new Date(Math.max(0, time.getTime())));

export const findLine = (
  db: Queryable,
  { storeId, postbackId }: { readonly storeId: Id<'store'>; readonly postbackId: Id<'post'> },
): Promise<KeptLine | null> =>
  db.find(sql`select ${columns} from postback_log where store_id = ${storeId} and postback_id = ${postbackId}`);

export type ReasonCounts = {
  readonly reasons: readonly Reason[];
  readonly fromId: Id;
  readonly toId: Id;
  /** Each is counted to one beyond this, so that a reason that is answered a million times costs what this many do. */
  readonly most: number;
};

/** How many lines have each reason. By postback_log_by_reason alone, in which an id's time stands. */
export const countsByReason = (
  db: Queryable,
  storeId: Id<'store'>,
  { reasons, fromId, toId, most }: ReasonCounts,
): Promise<Array<{ readonly reason: Reason; readonly count: bigint }>> =>
  db.all(sql`
    select reason, count from unnest(${reasons}::text[]) as known (reason) cross join lateral (
      select count(*) as count from (
        select 1 from postback_log
        where store_id = ${storeId} and reason = known.reason and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid
        limit ${most + 1}) as found
    ) as counted
    where count > 0 order by count desc, reason`);

export type LinesWanted = { readonly after: Id; readonly except: readonly Id[]; readonly most: number };

/** Oldest first, for whoever follows the log. By primary key; of what is left out nothing but the id is looked at. */
export const linesAfter = (db: Queryable, storeId: Id<'store'>, { after, except, most }: LinesWanted): Promise<KeptLine[]> =>
  db.all(sql`
    select ${columns} from postback_log
    where store_id = ${storeId} and postback_id > ${after}::uuid and postback_id <> all(${except}::uuid[])
    order by postback_id limit ${most}`);

export type IdSpan = { readonly fromId: Id; readonly toId: Id; readonly most: number };

/** By primary key alone. */
export async function lineIdsBetween(db: Queryable, storeId: Id<'store'>, { fromId, toId, most }: IdSpan): Promise<readonly Id[]> {
  const rows = await db.all<{ postbackId: Id }>(sql`
    select postback_id from postback_log
    where store_id = ${storeId} and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid
    order by postback_id desc limit ${most}`);
  return rows.map(({ postbackId }) => postbackId);
}

const when = <Value>(value: Value | null, fragment: (value: Value) => Sql): Sql => (value === null ? nothing : fragment(value));

export type Stretch = { readonly fromId: string; readonly toId: string; readonly rowsMax: number };

/** Between two ids of lines: an id begins with its time, so the primary key finds them. Returns how many had a body. */
export const forgetBodies = (db: Queryable, storeId: Id<'store'>, { fromId, toId, rowsMax }: Stretch): Promise<number> =>
  db.run(sql`
    update postback_log set body = null
    where store_id = ${storeId} and postback_id in (
      select postback_id from postback_log
      where store_id = ${storeId} and postback_id >= ${fromId}::uuid and postback_id < ${toId}::uuid and body is not null
      limit ${rowsMax})`);

import type { Queued, QueueStore } from './queue.ts';
import { operations } from './reports.ts';

/** `pool.query` of `pg` fits, bound to its pool; so does any function that takes `$1` parameters and returns rows. */
export type Query = (text: string, parameters: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;

/** The table of queued reports. For your migrations, or `createTable()`. */
export const queueTable = `
create table if not exists tributary_postbacks (
  id text primary key,
  number bigint generated always as identity,
  lane text,
  operation text not null,
  body text not null,
  due_at timestamptz not null,
  failures integer not null default 0,
  refused_at timestamptz,
  reason text,
  message text
)`;
const queueIndex = `create index if not exists tributary_postbacks_lane on tributary_postbacks (lane, number) where refused_at is null`;

/**
 * Stores reports in a table of your database, for any number of processes. Given the `query` of an open transaction, `add` writes in it:
 * the order and its report are committed together, or neither. Rejected reports stay in the table with their response.
 */
export function createPostgresStore(query: Query): QueueStore & { readonly createTable: () => Promise<void> } {
  return {
    async createTable() {
      await query(queueTable, []);
      await query(queueIndex, []);
    },
    async add({ id, lane, operation, body }, dueAt) {
      // A corrected report replaces a rejected one.
      const { rows } = await query(
        `insert into tributary_postbacks (id, lane, operation, body, due_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set lane = excluded.lane, operation = excluded.operation, body = excluded.body,
           due_at = excluded.due_at, failures = 0, refused_at = null, reason = null, message = null
         where tributary_postbacks.refused_at is not null
         returning id`,
        [id, lane, operation, body, dueAt.toISOString()],
      );
      return rows.length > 0;
    },
    async take({ now, leaseMs, most }) {
      const { rows } = await query(
        `update tributary_postbacks set due_at = $2 where id in (
           select id from tributary_postbacks as mine
           where refused_at is null and due_at <= $1
             and not exists (select from tributary_postbacks as before
               where before.lane = mine.lane and before.number < mine.number and before.refused_at is null)
           order by number limit $3 for update skip locked)
         returning id, coalesce(lane, '') as lane, operation, body, failures`,
        [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString(), most],
      );
      return rows.filter(isQueued);
    },
    async remove({ id }) {
      await query(`delete from tributary_postbacks where id = $1`, [id]);
    },
    async postpone({ id }, { dueAt, lane }) {
      // A report that was taken without a lane has none: reports that left their lane must not wait for one another.
      await query(`update tributary_postbacks set due_at = $2, lane = nullif($3, ''), failures = failures + 1 where id = $1`, [
        id,
        dueAt.toISOString(),
        lane,
      ]);
    },
    async refuse({ id }, { at, reason, message }) {
      await query(`update tributary_postbacks set refused_at = $2, reason = $3, message = $4 where id = $1`, [
        id,
        at.toISOString(),
        reason,
        message,
      ]);
    },
  };
}

export function isQueued(row: unknown): row is Queued {
  if (typeof row !== 'object' || row === null) return false;
  const isText = ['id', 'lane', 'body'].every((name) => typeof Reflect.get(row, name) === 'string');
  return isText && operations.some((operation) => operation === Reflect.get(row, 'operation'));
}

import type { Connection, Sql } from './plugin-connection.ts';
import { isQueued } from './postgres-store.ts';
import { createQueue, type Queue, type QueueStore } from './queue.ts';
import type { Result } from './send.ts';

const openMax = 20;
/** Answers to a conversion that say that no creator earns the order, such as a second order after one click. */
const unearned = `'missing_referral_click', 'referral_click_already_converted', 'attribution_window_expired'`;
const waitMs = 20_000;
const pauseMs = 250;

/** The queue of a plugin. Start it in each process that sends reports. */
export const createReportQueue = (sql: Sql, connection: Connection, onError: (error: unknown) => void): Queue =>
  createQueue({
    tributary: connection,
    store: createReportStore(sql),
    onResult: (result) => void noteResult(sql, result).catch(onError),
    onError,
  });

/**
 * The queue's reports in the table `tributary_report` of a plugin. Unlike `postgres-store` it keeps accepted reports: an order that is
 * compared again is not reported again, and its page shows what was reported.
 */
function createReportStore(sql: Sql): QueueStore {
  return {
    async add({ id, lane, operation, body }, dueAt) {
      // A corrected report replaces a rejected one.
      const rows = await sql(
        `insert into tributary_report (id, lane, operation, body, order_id, due_at) values (?, ?, ?, ?, ?, ?)
         on conflict (id) do update set lane = excluded.lane, body = excluded.body, due_at = excluded.due_at, failures = 0,
           status = 'waiting', reason = null, message = null, request_id = null, updated_at = now()
         where tributary_report.status = 'refused' and tributary_report.body <> excluded.body
         returning id`,
        [id, lane, operation, body, orderIdOf(body), dueAt],
      );
      return rows.length > 0;
    },
    async take({ now, leaseMs, most }) {
      const rows = await sql(
        `update tributary_report set due_at = ? where id in (
           select id from tributary_report as mine
           where status = 'waiting' and due_at <= ?
             and not exists (select from tributary_report as before
               where before.lane = mine.lane and before.number < mine.number and before.status = 'waiting')
           order by number limit ? for update skip locked)
         returning id, coalesce(lane, '') as lane, operation, body, failures`,
        [new Date(now.getTime() + leaseMs), now, most],
      );
      return rows.filter(isQueued);
    },
    async remove({ id }) {
      await sql(`update tributary_report set status = 'accepted', updated_at = now() where id = ?`, [id]);
    },
    async postpone({ id }, { dueAt, lane }) {
      await sql(`update tributary_report set due_at = ?, lane = nullif(?, ''), failures = failures + 1, updated_at = now() where id = ?`, [
        dueAt,
        lane,
        id,
      ]);
    },
    async refuse({ id }, { reason, message }) {
      await sql(`update tributary_report set status = 'refused', reason = ?, message = ?, updated_at = now() where id = ?`, [
        reason,
        message,
        id,
      ]);
    },
  };
}

/** Keeps the last response with its report. */
async function noteResult(sql: Sql, result: Result): Promise<void> {
  if (!('postback' in result)) return;
  const { operation, body } = result.postback;
  await sql(`update tributary_report set reason = ?, message = ?, request_id = ? where order_id = ? and operation = ? and body = ?`, [
    result.reason,
    result.message,
    result.requestId,
    orderIdOf(body),
    operation,
    body,
  ]);
}

/** The reports of an order, oldest first. */
export const reportsOfOrder = (sql: Sql, orderId: string) =>
  sql(
    `select operation, status, reason, message, failures, created_at, updated_at from tributary_report where order_id = ? order by number`,
    [orderId],
  );

/** The body of the order's conversion, or null if the order was not reported: it may have been edited since. */
export async function conversionOfOrder(sql: Sql, orderId: string): Promise<unknown> {
  const [row] = await sql(`select body from tributary_report where order_id = ? and operation = 'conversion'`, [orderId]);
  return row === undefined ? null : JSON.parse(String(row['body']));
}

/**
 * How many reports there are of each status, and those that wait or were rejected. Orders that no creator earns are neither: there is
 * nothing to fix, and the service does not know them when they are refunded.
 */
export async function reportsHealth(sql: Sql) {
  const counted = `(status <> 'refused' or not exists (select from tributary_report as sale where sale.order_id = report.order_id
    and sale.operation = 'conversion' and sale.status = 'refused' and sale.reason in (${unearned})))`;
  const [counts] = await sql(
    `select count(*) filter (where status = 'waiting')::int as waiting, count(*) filter (where status = 'refused')::int as refused,
       count(*) filter (where status = 'accepted')::int as accepted, min(created_at) filter (where status = 'waiting') as waiting_since
     from tributary_report as report where ${counted}`,
    [],
  );
  const open = await sql(
    `select order_id, operation, status, reason, message, failures, created_at from tributary_report as report
     where status <> 'accepted' and ${counted} order by number desc limit ?`,
    [openMax],
  );
  return { ...counts, open };
}

/** Makes waiting reports due now, for example after a key was replaced. Returns how many. */
export async function makeReportsDue(sql: Sql): Promise<number> {
  return (await sql(`update tributary_report set due_at = now() where status = 'waiting' returning id`, [])).length;
}

/** Sends until a report of a test order is accepted, and returns the reason of the response. Throws if it is not. */
export async function untilAccepted(
  sql: Sql,
  queue: Queue,
  report: { readonly orderId: string; readonly operation: string },
): Promise<string> {
  const endsAt = Date.now() + waitMs;
  for (;;) {
    await queue.work();
    const [row] = await sql('select status, reason, message from tributary_report where order_id = ? and operation = ?', [
      report.orderId,
      report.operation,
    ]);
    // The reason is noted after the status.
    if (row?.['status'] === 'accepted' && typeof row['reason'] === 'string') return row['reason'];
    if (row === undefined || row['status'] === 'refused' || Date.now() > endsAt)
      throw new Error(typeof row?.['message'] === 'string' ? row['message'] : 'The test order was not reported.');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function orderIdOf(body: string): string {
  const json: unknown = JSON.parse(body);
  const id: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'order_id') : '';
  return typeof id === 'string' ? id : '';
}

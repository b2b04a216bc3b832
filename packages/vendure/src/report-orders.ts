import type { ID, RequestContext } from '@vendure/core';
import { messageOf } from '@tributary/node/plugin-connection';
import { conversionOfOrder } from '@tributary/node/plugin-reports';
import { changedOrders, loadOrder } from './load-order.ts';
import { mayNameCreator, reportsOf, type Report, type VendureOrder } from './order-reports.ts';
import type { Codes } from './codes.ts';
import type { Tributary } from './tributary.ts';

/** A transaction that was open at the last check may have an earlier time. */
const overlapMs = 600_000;
const checkSeconds = 45;
const codesAgeMsMax = 60_000;

/** Adds to the queue what was not reported yet about an order. It is safe to run at any time and any number of times. */
export async function reportOrder(tributary: Tributary, codes: Codes, id: ID): Promise<number> {
  const ctx = await tributary.context();
  let order = await loadOrder(tributary, ctx, id);
  // The code of a creator may be newer than the last look at the codes.
  if (order !== null && mayNameCreator(order) && tributary.areCodesOld(codesAgeMsMax)) {
    await codes.sync(ctx);
    order = await loadOrder(tributary, ctx, id);
  }
  return order === null ? 0 : addReports(tributary, order);
}

export async function addReports(tributary: Tributary, order: VendureOrder): Promise<number> {
  const { options, queue } = tributary;
  const recordedCents = await recordedCentsOf(tributary, order.code);
  let added = 0;
  for (const report of reportsOf(order, { everyOrder: options.everyOrder ?? false, recordedCents })) {
    const { is } = await add(queue.conversions, report);
    if (is === 'added') added += 1;
  }
  return added;
}

function add(conversions: Tributary['queue']['conversions'], { operation, fields }: Report) {
  if (operation === 'conversion') return conversions.record(fields);
  if (operation === 'order_refund') return conversions.refund(fields);
  return conversions.reverse(fields);
}

/** The order may have been modified since. */
async function recordedCentsOf({ sql }: Tributary, code: string): Promise<number | null> {
  const recorded = await conversionOfOrder(sql, code);
  const cents: unknown = typeof recorded === 'object' && recorded !== null ? Reflect.get(recorded, 'order_subtotal_cents') : null;
  return typeof cents === 'number' ? cents : null;
}

/**
 * Looks at all orders that were paid, refunded, or canceled since the last check, about once a minute in one process of all. It makes
 * up for events that were lost when Vendure was stopped.
 */
export async function reportMissedOrders(tributary: Tributary, codes: Codes): Promise<number> {
  const { connection, sql } = tributary;
  const [begun] = await sql(
    `update tributary_connection set check_began_at = now()
     where check_began_at is null or check_began_at < now() - make_interval(secs => ?) returning checked_until`,
    [checkSeconds],
  );
  if (begun === undefined) return 0;
  const now = new Date();
  const since = new Date(new Date(String(begun['checked_until'])).getTime() - overlapMs);
  const ctx: RequestContext = await tributary.context();
  const failures: string[] = [];
  let added = 0;
  for (const id of await changedOrders(tributary, ctx, since)) {
    try {
      added += await reportOrder(tributary, codes, id);
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  // The next check looks at the same orders again.
  if (failures[0] !== undefined) throw new Error(failures[0]);
  await connection.setCheckedUntil(now);
  return added;
}

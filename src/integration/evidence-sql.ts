import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

// The evidence of an integration. Each query finds one row, by an index that ends with its time or among the few rows of a store.

export const lastUsedKey = (db: Queryable, storeId: Id<'store'>): Promise<{ readonly last4: string; readonly usedAt: Date } | null> =>
  db.find(sql`
    select last4, last_used_at as used_at from postback_keys
    where store_id = ${storeId} and last_used_at is not null order by last_used_at desc limit 1`);

export const lastOpenedTestLink = (db: Queryable, storeId: Id<'store'>): Promise<{ readonly openedAt: Date } | null> =>
  db.find(sql`
    select opened_at from test_links where store_id = ${storeId} and opened_at is not null order by opened_at desc limit 1`);

/** Uses test_orders_by_time. */
export const lastTestOrder = (db: Queryable, storeId: Id<'store'>): Promise<{ readonly orderId: string; readonly at: Date } | null> =>
  db.find(sql`
    select order_id, recorded_at as at from test_orders where store_id = ${storeId} order by recorded_at desc limit 1`);

/** Of a test order or a real one. Uses postback_log_accepted_reversals. */
export const lastAcceptedReversal = (
  db: Queryable,
  storeId: Id<'store'>,
): Promise<{ readonly orderId: string | null; readonly at: Date } | null> =>
  db.find(sql`
    select subject as order_id, at from postback_log
    where store_id = ${storeId} and operation = 'reversal' and status = 200 order by postback_id desc limit 1`);

/** Whether an approved member of a published program has a link. */
export async function hasLinkThatEarns(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  const row = await db.find(sql`
    select 1 as one from programs p
    join members m on m.store_id = p.store_id and m.program_id = p.program_id and m.status = 'approved'
    join links l on l.store_id = m.store_id and l.member_id = m.member_id
    where p.store_id = ${storeId} and p.status = 'published' limit 1`);
  return row !== null;
}

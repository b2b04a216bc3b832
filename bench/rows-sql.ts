import type { Queryable } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Id } from '../src/core/ids.ts';
import { invariant } from '../src/core/invariant.ts';

/** The number of clicks, which must equal their daily count. */
export async function clicksOf(db: Queryable, storeId: Id<'store'>): Promise<number> {
  const { clicks, rollups } = await db.one<{ clicks: bigint; rollups: bigint }>(sql`
    select (select count(*) from clicks where store_id = ${storeId}) as clicks,
      (select coalesce(sum(count), 0) from link_days where store_id = ${storeId} and what = 'click') as rollups`);
  return clicks === rollups ? Number(clicks) : Number.NaN;
}

/** The number of orders, which must each have all their rows. */
export async function ordersOf(db: Queryable, storeId: Id<'store'>): Promise<number> {
  const rows = await db.all<{ what: string; count: bigint }>(sql`
    select 'orders' as what, count(*) as count from orders where store_id = ${storeId}
    union all select 'claims', count(*) from click_claims where store_id = ${storeId}
    union all select 'commissions', count(*) from commissions where store_id = ${storeId}
    union all select 'transfers', count(*) from transfers where store_id = ${storeId}
    union all select 'figures', sum(count) from link_days where store_id = ${storeId} and what = 'order'
    union all select 'lines', count(*) from postback_log where store_id = ${storeId} and status = 200`);
  const counts = new Set(rows.map(({ count }) => count));
  invariant(
    counts.size === 1,
    `an order has its claim, commission, transfer, figure and line: ${rows.map(({ what, count }) => `${what} ${count}`).join(', ')}`,
  );
  return Number(rows[0]?.count);
}

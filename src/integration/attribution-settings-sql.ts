import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { SeenOrders } from './lint-attribution.ts';

export type CodeCount = { readonly programId: Id<'prog'>; readonly codes: bigint; readonly limitedCodes: bigint };

/** The codes that can earn at this time, by the index discount_codes_of_program. */
export const countEarningCodes = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<CodeCount[]> =>
  db.all(sql`
    select program_id, count(*) as codes, count(orders_per_customer) as limited_codes from discount_codes
    where store_id = ${storeId} and not is_shared and paused_at is null and ended_at is null
      and (valid_until is null or valid_until > ${now})
    group by program_id`);

export type LeadKinds = { readonly programId: Id<'prog'>; readonly kinds: readonly string[] };

/** The kinds of the latest leads, by the index leads_by_id. */
export const seenLeadKinds = (db: Queryable, storeId: Id<'store'>, most: number): Promise<LeadKinds[]> =>
  db.all(sql`
    select program_id, array_agg(distinct kind) as kinds
    from (select program_id, kind from leads where store_id = ${storeId} order by lead_id desc limit ${most}) as latest
    group by program_id`);

/** What the latest orders named, by the index of commissions by time, then each order by its transaction. */
export async function seenInOrders(db: Queryable, storeId: Id<'store'>, most: number): Promise<SeenOrders> {
  const { orders, withCustomer, withCode } = await db.one<{ readonly [Name in keyof SeenOrders]: bigint }>(sql`
    select count(*) as orders, count(o.customer_id) as with_customer, count(coalesce(o.discount_code, o.discount_codes)) as with_code
    from (
      select store_id, source_id from commissions
      where store_id = ${storeId} and source_kind = 'order'
      order by occurred_at desc, commission_id desc limit ${most}
    ) as latest
    join orders o on o.store_id = latest.store_id and o.transaction_id = latest.source_id`);
  return { orders: Number(orders), withCustomer: Number(withCustomer), withCode: Number(withCode) };
}

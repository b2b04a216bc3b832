import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { DayRange } from './day-range.ts';

export type UsedCode = {
  readonly codeId: Id<'code'>;
  readonly code: string;
  readonly programId: Id<'prog'>;
  readonly memberId: Id<'mem'>;
  readonly creatorId: Id<'crt'>;
  readonly isPaused: boolean;
  readonly createdAt: Date;
  readonly orders: bigint;
  readonly ordersBefore: bigint;
  readonly storeId: Id<'store'>;
};

type Use = {
  readonly storeId: Id<'store'>;
  readonly range: DayRange;
  readonly before: DayRange;
  readonly ordersMin: number;
  readonly most: number;
};

/** The codes with the most orders, by the primary key of `link_days`: a few rows for each code and day. Ended codes earn nothing anymore. */
export const listUsedCodes = (db: Queryable, { storeId, range, before, ordersMin, most }: Use): Promise<UsedCode[]> =>
  db.all(sql`
    select c.store_id, c.code_id, c.code, c.program_id, c.member_id, c.creator_id, c.paused_at is not null as is_paused, c.created_at,
      uses.orders, uses.orders_before
    from discount_codes c
    join (
      select c.code_id, sum(d.count) filter (where d.day >= ${range.from}::date) as orders,
        coalesce(sum(d.count) filter (where d.day <= ${before.to}::date), 0) as orders_before
      from discount_codes c
      join link_days d on d.store_id = c.store_id and d.link_number = c.link_number
      where c.store_id = ${storeId} and c.ended_at is null and d.what = 'order'
        and d.day between ${before.from}::date and ${range.to}::date
      group by c.code_id
    ) as uses on uses.code_id = c.code_id
    where c.store_id = ${storeId} and uses.orders >= ${ordersMin}
    order by uses.orders desc, c.code_id limit ${most}`);

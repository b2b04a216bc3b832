import { salesTotals } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Period } from './period.ts';
import { dayOf } from '../core/time.ts';

/** Sales and earnings of a month, by the same definition and rows as everywhere else. */
export type MonthlySales = { readonly orders: bigint; readonly revenueCents: bigint; readonly earnedCents: bigint };

export const monthlySalesOfStore = (db: Queryable, storeId: Id<'store'>, { from, to }: Period): Promise<MonthlySales> =>
  db.one(sql`
    select ${salesTotals} from store_days d
    where d.store_id = ${storeId} and d.day >= ${dayOf(from)}::date and d.day < ${dayOf(to)}::date`);

type OfCreator = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** By the index links_of_creator of each store, then each link's days by primary key. */
export const monthlySalesOfCreator = (db: Queryable, { creatorId, storeIds }: OfCreator, { from, to }: Period): Promise<MonthlySales> =>
  db.one(sql`
    select ${salesTotals} from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = any(${uuids(storeIds)}) and l.creator_id = ${creatorId}
      and d.day >= ${dayOf(from)}::date and d.day < ${dayOf(to)}::date`);

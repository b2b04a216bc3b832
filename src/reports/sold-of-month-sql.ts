import { soldOfDays } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Period } from './period.ts';

/** What was sold and earned in a month, by the same definition and from the same rows as on every other screen. */
export type SoldOfMonth = { readonly orders: bigint; readonly revenueCents: bigint; readonly earnedCents: bigint };

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export const soldByStore = (db: Queryable, storeId: Id<'store'>, { from, to }: Period): Promise<SoldOfMonth> =>
  db.one(sql`
    select ${soldOfDays} from store_days d
    where d.store_id = ${storeId} and d.day >= ${dayOf(from)}::date and d.day < ${dayOf(to)}::date`);

type OfCreator = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** By links_of_creator of each store, then the days of each link by primary key. */
export const soldByCreator = (db: Queryable, { creatorId, storeIds }: OfCreator, { from, to }: Period): Promise<SoldOfMonth> =>
  db.one(sql`
    select ${soldOfDays} from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = any(${storeIds}::uuid[]) and l.creator_id = ${creatorId}
      and d.day >= ${dayOf(from)}::date and d.day < ${dayOf(to)}::date`);

import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import type { DayRange } from './day-range.ts';
import type { SalesTotals } from './sales-totals.ts';

export type ResultsKey = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  /** The code of one of the creator's links; null for all of them. */
  readonly code: string | null;
};

/** The days of the creator's links, with the alias `d`. */
export const rowsOfCreator = ({ creatorId, storeIds, code }: ResultsKey, { from, to }: DayRange) => sql`
  from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
  where l.store_id = any(${uuids(storeIds)}) and l.creator_id = ${creatorId} and d.day between ${from}::date and ${to}::date
    ${code === null ? emptySql : sql`and l.code = ${code}`}`;

const clicks = sql`coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks`;

/** By the index links_of_creator of each store, then each link's days by primary key: a few rows per link and day. */
export const listResultDays = (db: Queryable, key: ResultsKey, range: DayRange): Promise<Array<SalesTotals & { readonly day: string }>> =>
  db.all(sql`select d.day, ${clicks}, ${salesTotals} ${rowsOfCreator(key, range)} group by d.day order by d.day`);

export type LinkResults = SalesTotals & {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
  readonly code: string;
};

/** One row for each link with results, those that earned most first. */
export const listResultLinks = (db: Queryable, key: ResultsKey, range: DayRange): Promise<LinkResults[]> =>
  db.all(sql`
    select l.store_id, l.program_id, l.link_number, l.code, ${clicks}, ${salesTotals} ${rowsOfCreator(key, range)}
    group by l.store_id, l.program_id, l.link_number, l.code
    order by earned_cents desc, orders desc, clicks desc, l.code`);

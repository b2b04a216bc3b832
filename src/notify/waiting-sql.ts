import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

const countedMax = 10_000;

/** Mails that are not out yet, those that failed for now among them. By mails_waiting, an index of nothing else; counted up to a limit. */
export const mailsWaiting = (db: Queryable): Promise<{ readonly count: bigint; readonly oldest: Date | null }> =>
  db.one(sql`
    select count(*) as count, min(made_at) as oldest
    from (select made_at from mails where state = 'waiting' order by try_at limit ${countedMax}) as waiting`);

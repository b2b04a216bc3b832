import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** All that was written to somebody, sent or not. */
export const deleteMailsTo = (db: Queryable, address: string): Promise<number> =>
  db.run(sql`delete from mails where to_address = ${address}`);

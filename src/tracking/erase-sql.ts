import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { subjectLengthMax } from './sql.ts';

/** The bodies of every report about these orders, whatever became of them. By postback_log_by_subject. */
export const eraseBodiesOf = (
  db: Queryable,
  { storeId, orderIds }: { readonly storeId: Id<'store'>; readonly orderIds: readonly string[] },
): Promise<number> =>
  db.run(sql`
    update postback_log set body = null
    where store_id = ${storeId} and subject = any(${orderIds.map((id) => id.slice(0, subjectLengthMax).toWellFormed())}::text[])
      and body is not null`);

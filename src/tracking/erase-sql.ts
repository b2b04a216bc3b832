import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { formerSubjectLengthMax } from './sql.ts';

/** The bodies of every report about these orders, whatever became of them. By postback_log_by_subject. */
export const eraseBodiesOf = (
  db: Queryable,
  { storeId, orderIds }: { readonly storeId: Id<'store'>; readonly orderIds: readonly string[] },
): Promise<number> =>
  db.run(sql`
    update postback_log set body = null
    where store_id = ${storeId} and subject = any(${orderIds.flatMap(subjectsOf)}::text[])
      and body is not null`);

/** As a line has it today, and as one of before has it. */
const subjectsOf = (orderId: string): readonly string[] =>
  orderId.length > formerSubjectLengthMax ? [orderId, orderId.slice(0, formerSubjectLengthMax).toWellFormed()] : [orderId];

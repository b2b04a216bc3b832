import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { formerSubjectLengthMax } from './log-sql.ts';

/** Deletes the bodies of every report about these orders, with any outcome. Uses postback_log_by_subject. */
export const eraseBodiesOf = (
  db: Queryable,
  { storeId, orderIds }: { readonly storeId: Id<'store'>; readonly orderIds: readonly string[] },
): Promise<number> =>
  db.run(sql`
    update postback_log set body = null
    where store_id = ${storeId} and subject = any(${texts(orderIds.flatMap(subjectsOf))})
      and body is not null`);

/** The subject as new and as older entries store it. */
const subjectsOf = (orderId: string): readonly string[] =>
  orderId.length > formerSubjectLengthMax ? [orderId, orderId.slice(0, formerSubjectLengthMax).toWellFormed()] : [orderId];

import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type DecidedCommission = {
  readonly commissionId: Id<'com'>;
  readonly action: 'approve' | 'reject';
  readonly decidedAt: Date;
  readonly recordedAt: Date;
};

type Asked = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  /** How many of the store's latest decisions are looked through: anybody may ask, so it has an end. */
  readonly looked: number;
  readonly limit: number;
};

/** The latest first. By the primary key of decisions, then by that of commissions. */
export const decidedOfProgram = (db: Queryable, { storeId, programId, looked, limit }: Asked): Promise<DecidedCommission[]> =>
  db.all(sql`
    select d.commission_id, d.action, d.at as decided_at, c.recorded_at
    from (
      select decision_id, commission_id, action, at from decisions
      where store_id = ${storeId} and action in ('approve', 'reject') order by decision_id desc limit ${looked}
    ) as d
    join commissions c on c.store_id = ${storeId} and c.commission_id = d.commission_id
    where c.program_id = ${programId}
    order by d.decision_id desc limit ${limit}`);

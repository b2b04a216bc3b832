import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type DecidedCommission = {
  readonly commissionId: Id<'com'>;
  readonly action: 'approve' | 'reject';
  readonly decidedAt: Date;
  readonly recordedAt: Date;
};

type ProgramDecisionsQuery = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  /** How many of the store's latest decisions are read. The endpoint is public, so it needs a limit. */
  readonly looked: number;
  readonly limit: number;
};

/** Latest first, by the primary keys of decisions and commissions. */
export const listProgramDecisions = (
  db: Queryable,
  { storeId, programId, looked, limit }: ProgramDecisionsQuery,
): Promise<DecidedCommission[]> =>
  db.all(sql`
    select d.commission_id, d.action, d.at as decided_at, c.recorded_at
    from (
      select decision_id, commission_id, action, at from decisions
      where store_id = ${storeId} and action in ('approve', 'reject') order by decision_id desc limit ${looked}
    ) as d
    join commissions c on c.store_id = ${storeId} and c.commission_id = d.commission_id
    where c.program_id = ${programId}
    order by d.decision_id desc limit ${limit}`);

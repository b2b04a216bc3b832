import { insertStoreEvents } from '../notify/store-events-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { CommissionKey } from './commissions-sql.ts';

export type DecisionAction = 'approve' | 'reject' | 'hold' | 'release' | 'reopen';

/** One decision on many commissions. Each commission gets its own decision ID, because each decision is the source of its own transfers. */
export type NewDecisions = {
  readonly storeId: Id<'store'>;
  readonly decided: ReadonlyArray<{ readonly decisionId: Id<'dec'>; readonly commissionId: Id<'com'> }>;
  readonly action: DecisionAction;
  readonly reason: string | null;
  readonly note: string | null;
  readonly by: string;
  readonly byName: string;
  readonly at: Date;
};

/** The webhook events of the store. */
const eventTypes = {
  approve: 'commission.approved',
  reject: 'commission.rejected',
  hold: 'commission.held',
  release: 'commission.released',
  reopen: 'commission.reopened',
} as const satisfies Readonly<Record<DecisionAction, string>>;

export async function insertDecisions(
  tx: Transaction,
  { storeId, decided, action, reason, note, by, byName, at }: NewDecisions,
): Promise<void> {
  const written = await tx.run(sql`
    insert into decisions (store_id, decision_id, commission_id, action, reason, note, decided_by, decided_by_name, at)
    select ${storeId}::uuid, decision_id, commission_id, ${action}, ${reason}, ${note}, ${by}, ${byName}, ${at}::timestamptz
    from unnest(${uuids(decided.map(({ decisionId }) => decisionId))}, ${uuids(decided.map(({ commissionId }) => commissionId))})
      as fresh (decision_id, commission_id)`);
  invariant(written === decided.length, 'every decision is inserted once');
  await insertStoreEvents(tx, {
    storeId,
    type: eventTypes[action],
    at,
    // The ID instead of the name, because a sent event cannot be erased.
    detail: { reason, note, decided_by: by },
    subjectIds: decided.map(({ commissionId }) => commissionId),
  });
}

export type Decision = {
  readonly decisionId: Id<'dec'>;
  readonly action: DecisionAction;
  readonly reason: string | null;
  readonly note: string | null;
  readonly decidedBy: string;
  readonly decidedByName: string;
  readonly at: Date;
};

/** Newest first, by the index decisions_of_commission. */
export function listDecisions(db: Queryable, { storeId, commissionId }: CommissionKey, { after, limit }: Page): Promise<Decision[]> {
  return db.all(sql`
    select decision_id, action, reason, note, decided_by, decided_by_name, at from decisions
    where store_id = ${storeId} and commission_id = ${commissionId} ${after === null ? emptySql : sql`and decision_id < ${after[0]}`}
    order by decision_id desc limit ${limit + 1}`);
}

type DecisionRangeQuery = { readonly first: Id<'dec'>; readonly last: Id<'dec'>; readonly limit: number };

/** Uses the primary key. */
export async function listCommissionsInRange(
  db: Queryable,
  storeId: Id<'store'>,
  { first, last, limit }: DecisionRangeQuery,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select distinct commission_id from (
      select commission_id from decisions where store_id = ${storeId} and decision_id between ${first} and ${last}
      order by decision_id limit ${limit}) as decided`);
  return rows.map(({ commissionId }) => commissionId);
}

export type DecisionToUndo = {
  readonly commissionId: Id<'com'>;
  readonly action: DecisionAction;
  /** A later decision on the same commission, of the same kind (state or hold), exists. */
  readonly isSuperseded: boolean;
  readonly before: Pick<Decision, 'action' | 'reason' | 'note'> | null;
};

/**
 * The decisions of a range, each with the previous one of the same kind (state or hold). The caller must have locked the commissions.
 * Uses the primary key, then the index decisions_of_commission.
 */
export const listDecisionsToUndo = (
  db: Queryable,
  storeId: Id<'store'>,
  { first, last, limit }: DecisionRangeQuery,
): Promise<DecisionToUndo[]> =>
  db.all(sql`
    select d.commission_id, d.action, p.before, exists (
        select 1 from decisions l where l.store_id = ${storeId} and l.commission_id = d.commission_id and l.decision_id > d.decision_id
          and (l.action in ('hold', 'release')) = (d.action in ('hold', 'release'))) as is_superseded
    from decisions d left join lateral (
      select json_build_object('action', action, 'reason', reason, 'note', note) as before from decisions
      where store_id = ${storeId} and commission_id = d.commission_id and decision_id < d.decision_id
        and (action in ('hold', 'release')) = (d.action in ('hold', 'release'))
      order by decision_id desc limit 1) as p on true
    where d.store_id = ${storeId} and d.decision_id between ${first} and ${last}
    order by d.decision_id limit ${limit}`);

import { tellEvents } from '../notify/events-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { CommissionKey } from './sql.ts';

export type DecisionWord = 'approve' | 'reject' | 'hold' | 'release' | 'reopen';

/** The same decision on many commissions: each has an id of its own, because each is a fact that moves its own money. */
export type NewDecisions = {
  readonly storeId: Id<'store'>;
  readonly decided: ReadonlyArray<{ readonly decisionId: Id<'dec'>; readonly commissionId: Id<'com'> }>;
  readonly action: DecisionWord;
  readonly reason: string | null;
  readonly note: string | null;
  readonly by: string;
  readonly byName: string;
  readonly at: Date;
};

/** What the store's own programs are told of it. */
const eventOf = {
  approve: 'commission.approved',
  reject: 'commission.rejected',
  hold: 'commission.held',
  release: 'commission.released',
  reopen: 'commission.reopened',
} as const satisfies Readonly<Record<DecisionWord, string>>;

/** Their ids were minted just now, so nobody else can have written them. */
export async function keepDecisions(
  tx: Transaction,
  { storeId, decided, action, reason, note, by, byName, at }: NewDecisions,
): Promise<void> {
  const written = await tx.run(sql`
    insert into decisions (store_id, decision_id, commission_id, action, reason, note, decided_by, decided_by_name, at)
    select ${storeId}::uuid, decision_id, commission_id, ${action}, ${reason}, ${note}, ${by}, ${byName}, ${at}::timestamptz
    from unnest(${decided.map(({ decisionId }) => decisionId)}::uuid[], ${decided.map(({ commissionId }) => commissionId)}::uuid[])
      as fresh (decision_id, commission_id)`);
  must(written === decided.length, 'every decision is kept once');
  await tellEvents(tx, {
    storeId,
    type: eventOf[action],
    at,
    // An id, not the name: what was told cannot be taken back from whoever is erased.
    detail: { reason, note, decided_by: by },
    subjectIds: decided.map(({ commissionId }) => commissionId),
  });
}

export type Decision = {
  readonly decisionId: Id<'dec'>;
  readonly action: DecisionWord;
  readonly reason: string | null;
  readonly note: string | null;
  readonly decidedBy: string;
  readonly decidedByName: string;
  readonly at: Date;
};

/** Newest first, by decisions_of_commission. */
export function decisionsOf(db: Queryable, { storeId, commissionId }: CommissionKey, { after, limit }: Page): Promise<Decision[]> {
  return db.all(sql`
    select decision_id, action, reason, note, decided_by, decided_by_name, at from decisions
    where store_id = ${storeId} and commission_id = ${commissionId} ${after === null ? nothing : sql`and decision_id < ${after[0]}`}
    order by decision_id desc limit ${limit + 1}`);
}

type Stretch = { readonly first: Id<'dec'>; readonly last: Id<'dec'>; readonly limit: number };

/** What was decided on from one decision to another. By primary key. */
export async function decidedInStretch(
  db: Queryable,
  storeId: Id<'store'>,
  { first, last, limit }: Stretch,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select distinct commission_id from (
      select commission_id from decisions where store_id = ${storeId} and decision_id between ${first} and ${last}
      order by decision_id limit ${limit}) as decided`);
  return rows.map(({ commissionId }) => commissionId);
}

export type DecisionToUndo = {
  readonly commissionId: Id<'com'>;
  readonly action: DecisionWord;
  readonly isOvertaken: boolean;
  readonly before: Pick<Decision, 'action' | 'reason' | 'note'> | null;
};

/**
 * The decisions of a stretch, each with the one before it that was about the same, the state or the hold, and whether another one
 * came after. Who calls this holds the commissions: nobody decides meanwhile. By primary key, then by decisions_of_commission.
 */
export const decisionsToUndo = (db: Queryable, storeId: Id<'store'>, { first, last, limit }: Stretch): Promise<DecisionToUndo[]> =>
  db.all(sql`
    select d.commission_id, d.action, p.before, exists (
        select 1 from decisions l where l.store_id = ${storeId} and l.commission_id = d.commission_id and l.decision_id > d.decision_id
          and (l.action in ('hold', 'release')) = (d.action in ('hold', 'release'))) as is_overtaken
    from decisions d left join lateral (
      select json_build_object('action', action, 'reason', reason, 'note', note) as before from decisions
      where store_id = ${storeId} and commission_id = d.commission_id and decision_id < d.decision_id
        and (action in ('hold', 'release')) = (d.action in ('hold', 'release'))
      order by decision_id desc limit 1) as p on true
    where d.store_id = ${storeId} and d.decision_id between ${first} and ${last}
    order by d.decision_id limit ${limit}`);

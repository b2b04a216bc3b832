import type { Transaction } from '../db/database.ts';
import { joined, sql, type Sql, uuids } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import {
  commissionTransitions,
  earnedStates,
  lostStates,
  unbilledStates,
  uncollectedStates,
  unpaidStates,
  type CommissionEvent,
} from './commission-states.ts';

/** For a `where` clause: the event may happen in this state. `column` is needed only where two tables have a `state`. */
export const allows = (event: CommissionEvent, column?: Sql): Sql => inStates(commissionTransitions[event].from, column);

/** The state after the event, as a value. */
export const stateAfter = (event: CommissionEvent): Sql => stateAfterSql(commissionTransitions[event]);

/** Earned, and neither paid nor lost. Only such a commission can be put on hold. */
export const isUnpaid = inStates(unpaidStates);
/** Earned, not lost, and not collected from the store. */
export const isUncollected = inStates(uncollectedStates);
/** Earned, not lost, and not on an invoice. */
export const isUnbilled = inStates(unbilledStates);
/** Approved, whether invoiced, collected, or paid since. */
export const isEarned = inStates(earnedStates);
/** Rejected or reversed. */
export const isLost = inStates(lostStates);

export type CommissionKeys = { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> };

type Details = {
  /** Other columns that the event sets. */
  readonly set?: Sql;
  /** What must hold besides the state. */
  readonly where?: Sql;
};

/**
 * Changes the state of commissions that the caller has locked and decided on. The table of transitions is checked here once more: a
 * row that does not match is our own bug and ends the transaction.
 */
export const transitionCommissions = (
  tx: Transaction,
  keys: CommissionKeys,
  event: CommissionEvent,
  { set, where }: Details = {},
): Promise<void> =>
  updateCommissions(tx, keys, {
    set: set === undefined ? sql`state = ${stateAfter(event)}` : joined([sql`state = ${stateAfter(event)}`, set], sql`, `),
    where: where === undefined ? allows(event) : sql`${allows(event)} and ${where}`,
  });

/** Changes columns of commissions that the caller has locked, and requires that all of them match. */
export async function updateCommissions(
  tx: Transaction,
  { storeId, commissionIds }: CommissionKeys,
  { set, where }: { readonly set: Sql; readonly where: Sql },
): Promise<void> {
  if (commissionIds.length === 0) return;
  const updated = await tx.run(sql`
    update commissions set ${set}
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)}) and ${where}`);
  invariant(updated === commissionIds.length, 'a locked commission is still in the state that the decision was based on');
}

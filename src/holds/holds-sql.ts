import type { Queryable, Transaction } from '../db/database.ts';
import { sql, type Sql, uuids } from '../db/sql.ts';
import { newId, type Id } from '../core/ids.ts';

/** The scope of a hold: all payouts of a creator, a whole store, one invoice, or one creator's commissions in a store. */
export type HoldScope =
  | { readonly of: 'creator'; readonly creatorId: Id<'crt'> }
  | { readonly of: 'store'; readonly storeId: Id<'store'> }
  | { readonly of: 'invoice'; readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> }
  | { readonly of: 'pair'; readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly blocksBilling: boolean };

type NewHold = { readonly scope: HoldScope; readonly caseId: Id<'case'>; readonly at: Date };

export async function insertHold(tx: Transaction, { scope, caseId, at }: NewHold): Promise<void> {
  const holdId = newId(at);
  if (scope.of === 'creator') {
    await tx.run(sql`
      insert into creator_holds (creator_id, hold_id, case_id, began_at) values (${scope.creatorId}, ${holdId}, ${caseId}, ${at})`);
    return;
  }
  const invoiceId = scope.of === 'invoice' ? scope.invoiceId : null;
  const [creatorId, blocksBilling] = scope.of === 'pair' ? [scope.creatorId, scope.blocksBilling] : [null, false];
  await tx.run(sql`
    insert into payout_holds (store_id, hold_id, case_id, invoice_id, creator_id, blocks_billing, began_at)
    values (${scope.storeId}, ${holdId}, ${caseId}, ${invoiceId}, ${creatorId}, ${blocksBilling}, ${at})`);
}

type OfCase = { readonly caseId: Id<'case'>; readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };

export async function releaseHolds(tx: Transaction, { caseId, storeId, creatorId }: OfCase, at: Date): Promise<void> {
  if (storeId !== null)
    await tx.run(sql`
      update payout_holds set released_at = ${at} where store_id = ${storeId} and case_id = ${caseId} and released_at is null`);
  if (creatorId !== null)
    await tx.run(sql`
      update creator_holds set released_at = ${at} where creator_id = ${creatorId} and case_id = ${caseId} and released_at is null`);
}

export async function isCreatorOnHold(db: Queryable, creatorId: Id<'crt'>): Promise<boolean> {
  return (await db.find(sql`select 1 as one from creator_holds where creator_id = ${creatorId} and released_at is null limit 1`)) !== null;
}

/** Those of the stores that have a hold, nearly always none. By payout_holds_active. */
export async function listStoresOnHold(db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from payout_holds where store_id = any(${uuids(storeIds)}) and released_at is null order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

/**
 * Whether a commission (`commissions c`) is on hold, for queries of other modules. By payout_holds_active, which is empty for most
 * stores. A query of one store that locks names the store here too: a cluster locks rows only on one machine, and does not infer it.
 */
export const isOnHoldSql = (storeId: Id<'store'> | Sql): Sql => sql`
  exists (select 1 from payout_holds h where h.store_id = ${storeId} and h.released_at is null
    and (h.invoice_id is null or h.invoice_id = c.invoice_id) and (h.creator_id is null or h.creator_id = c.creator_id))`;

/** Whether a hold keeps a commission (`commissions`) out of invoices. The store as for `isOnHoldSql`. */
export const isBlockedFromBillingSql = (storeId: Id<'store'> | Sql): Sql => sql`
  exists (select 1 from payout_holds h where h.store_id = ${storeId} and h.released_at is null and h.blocks_billing
    and h.creator_id = commissions.creator_id)`;

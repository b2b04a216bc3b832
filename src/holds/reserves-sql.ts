import type { Queryable, Transaction } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type ReserveRow = {
  readonly storeId: Id<'store'>;
  readonly firstChargedAt: Date;
  readonly paidInvoices: number;
  readonly releasedAt: Date | null;
};

export const listReserveFacts = (db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<ReserveRow[]> =>
  db.all(sql`
    select store_id, first_charged_at, paid_invoices, released_at from store_reserves where store_id = any(${uuids(storeIds)})`);

/** An invoice was paid by a charge: the first one starts the reserve period. */
export async function countPaidInvoice(tx: Transaction, storeId: Id<'store'>, at: Date): Promise<void> {
  await tx.run(sql`
    insert into store_reserves (store_id, first_charged_at, paid_invoices) values (${storeId}, ${at}, 1)
    on conflict (store_id) do update set paid_invoices = store_reserves.paid_invoices + 1`);
}

/** If nothing was charged yet, the store never has a reserve period. */
export async function releaseReserve(tx: Transaction, storeId: Id<'store'>, at: Date): Promise<void> {
  await tx.run(sql`
    insert into store_reserves (store_id, first_charged_at, paid_invoices, released_at) values (${storeId}, ${at}, 0, ${at})
    on conflict (store_id) do update set released_at = coalesce(store_reserves.released_at, excluded.released_at)`);
}

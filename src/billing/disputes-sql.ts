import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { ChargeKey } from './charges-sql.ts';
import type { InvoiceKey } from './invoice.ts';

export type Dispute = InvoiceKey & { readonly disputeId: Id<'dsp'>; readonly chargeId: Id<'chg'> };
type NewDispute = Dispute & {
  readonly newsId: string;
  readonly why: string;
  readonly lostAt: Date;
  readonly at: Date;
  /** It took back what paid nothing here: there is nothing to undo. */
  readonly undoneAt: Date | null;
};

/** False where that charge was taken back before: it happens once, by whatever news it is told. */
export async function insertDispute(tx: Transaction, lost: NewDispute): Promise<boolean> {
  const written = await tx.run(sql`
    insert into disputes (store_id, dispute_id, charge_id, invoice_id, news_id, why, lost_at, at, undone_at)
    values (${lost.storeId}, ${lost.disputeId}, ${lost.chargeId}, ${lost.invoiceId}, ${lost.newsId}, ${lost.why}, ${lost.lostAt},
      ${lost.at}, ${lost.undoneAt})
    on conflict do nothing`);
  return written === 1;
}

type Owed = { readonly invoiceId: Id<'inv'>; readonly due: Cents };

/**
 * Another charge of the invoice that brought just what was due, and was neither taken nor given back: then that one pays it, and is
 * stray no more. One of another amount is still to be sent back. False: there is none. It may be given back at this very moment,
 * which is judged once more of the row itself.
 */
export async function letAnotherPay(tx: Transaction, { storeId, chargeId }: ChargeKey, { invoiceId, due }: Owed): Promise<boolean> {
  const found = await tx.run(sql`
    update charges set stray_at = null where store_id = ${storeId} and given_back_at is null and charge_id = (
      select c.charge_id from charges c
      where c.store_id = ${storeId} and c.invoice_id = ${invoiceId} and c.charge_id <> ${chargeId} and c.state = 'succeeded'
        and c.amount_cents = ${due} and c.given_back_at is null
        and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)
      order by c.stray_at nulls first, c.charge_id limit 1)`);
  return found === 1;
}

/** Lost, and not all of the invoice's commissions went back yet. Of one store, or of all: by disputes_to_undo. */
export const disputesToUndo = (db: Queryable, storeId: Id<'store'> | null, limit: number): Promise<Dispute[]> =>
  db.all(sql`
    select store_id, dispute_id, charge_id, invoice_id from disputes
    where undone_at is null ${storeId === null ? nothing : sql`and store_id = ${storeId}`}
    order by store_id, dispute_id limit ${limit}`);

export async function markUndone(tx: Transaction, { storeId, disputeId }: Dispute, at: Date): Promise<void> {
  await tx.run(sql`update disputes set undone_at = ${at} where store_id = ${storeId} and dispute_id = ${disputeId}`);
}

import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { ChargeKey } from './charges-sql.ts';
import type { InvoiceKey } from './invoice.ts';

export type Dispute = InvoiceKey & { readonly disputeId: Id<'dsp'>; readonly chargeId: Id<'chg'> };

type NewDispute = Dispute & {
  readonly eventId: string;
  readonly why: string;
  readonly lostAt: Date;
  readonly at: Date;
  /** Set from the start if the reversed charge paid no invoice: there is nothing to undo. */
  readonly undoneAt: Date | null;
};

/** False: the charge was reversed before. It is reversed once, whichever event reports it. */
export async function insertDispute(tx: Transaction, lost: NewDispute): Promise<boolean> {
  const written = await tx.run(sql`
    insert into disputes (store_id, dispute_id, charge_id, invoice_id, news_id, why, lost_at, at, undone_at)
    values (${lost.storeId}, ${lost.disputeId}, ${lost.chargeId}, ${lost.invoiceId}, ${lost.eventId}, ${lost.why}, ${lost.lostAt},
      ${lost.at}, ${lost.undoneAt})
    on conflict do nothing`);
  return written === 1;
}

export const isChargeTakenBack = async (db: Queryable, { storeId, chargeId }: ChargeKey): Promise<boolean> =>
  (await db.find(sql`select 1 as one from disputes where store_id = ${storeId} and charge_id = ${chargeId}`)) !== null;

type AmountOwed = { readonly invoiceId: Id<'inv'>; readonly due: Cents };

/**
 * Assigns another successful charge of exactly the due amount, which was neither reversed nor returned, to the invoice, so that it is
 * no longer unmatched. False: there is none. The update checks the row again, because an operator may mark it returned at the same time.
 */
export async function assignAnotherCharge(
  tx: Transaction,
  { storeId, chargeId }: ChargeKey,
  { invoiceId, due }: AmountOwed,
): Promise<boolean> {
  const found = await tx.run(sql`
    update charges set stray_at = null where store_id = ${storeId} and given_back_at is null and charge_id = (
      select c.charge_id from charges c
      where c.store_id = ${storeId} and c.invoice_id = ${invoiceId} and c.charge_id <> ${chargeId} and c.state = 'succeeded'
        and c.amount_cents = ${due} and c.given_back_at is null
        and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)
      order by c.stray_at nulls first, c.charge_id limit 1)`);
  return found === 1;
}

/** Lost disputes whose commissions were not all reversed, of one store or of all. By disputes_to_undo. */
export const listDisputesToUndo = (db: Queryable, storeId: Id<'store'> | null, limit: number): Promise<Dispute[]> =>
  db.all(sql`
    select store_id, dispute_id, charge_id, invoice_id from disputes
    where undone_at is null ${storeId === null ? emptySql : sql`and store_id = ${storeId}`}
    order by store_id, dispute_id limit ${limit}`);

export async function markUndone(tx: Transaction, { storeId, disputeId }: Dispute, at: Date): Promise<void> {
  await tx.run(sql`update disputes set undone_at = ${at} where store_id = ${storeId} and dispute_id = ${disputeId}`);
}

export type Loss = ChargeKey &
  InvoiceKey & { readonly lossId: Id<'dsp'>; readonly caseId: Id<'case'>; readonly amountCents: Cents; readonly at: Date };

export async function insertLoss(tx: Transaction, loss: Loss): Promise<void> {
  await tx.run(sql`
    insert into charge_losses (store_id, loss_id, charge_id, invoice_id, case_id, amount_cents, at)
    values (${loss.storeId}, ${loss.lossId}, ${loss.chargeId}, ${loss.invoiceId}, ${loss.caseId}, ${loss.amountCents}, ${loss.at})`);
}

/** The amount of a charge that is booked as a loss. */
export async function sumLosses(db: Queryable, { storeId, chargeId }: ChargeKey): Promise<Cents> {
  const { amount } = await db.one<{ amount: Cents }>(sql`
    select coalesce(sum(amount_cents), 0) as amount from charge_losses where store_id = ${storeId} and charge_id = ${chargeId}`);
  return amount;
}

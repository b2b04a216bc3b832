import type { ChargeKey } from '../billing/charges-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { WarningKind, WarningState } from './decide-warning.ts';

export type Warning = {
  readonly state: WarningState;
  readonly caseId: Id<'case'> | null;
  readonly amountCents: Cents | null;
};

export type WarnedCharge = { readonly invoiceId: Id<'inv'>; readonly isUnmatched: boolean };

/** Serializes events about one charge. Does not lock the invoice, because billing locks that before the charge. */
export const lockWarnedCharge = (tx: Transaction, { storeId, chargeId }: ChargeKey): Promise<WarnedCharge | null> =>
  tx.find(sql`
    select invoice_id, stray_at is not null as is_unmatched from charges
    where store_id = ${storeId} and charge_id = ${chargeId} for no key update`);

type Key = ChargeKey & { readonly kind: WarningKind };

export const findWarning = (db: Queryable, { storeId, chargeId, kind }: Key): Promise<Warning | null> =>
  db.find(sql`
    select state, case_id, amount_cents from charge_warnings
    where store_id = ${storeId} and charge_id = ${chargeId} and kind = ${kind}`);

type StoredWarning = Key & Warning & { readonly invoiceId: Id<'inv'>; readonly why: string; readonly reportedAt: Date; readonly at: Date };

export async function saveWarning(tx: Transaction, kept: StoredWarning): Promise<void> {
  await tx.run(sql`
    insert into charge_warnings (store_id, charge_id, kind, invoice_id, state, case_id, why, amount_cents, first_reported_at, changed_at)
    values (${kept.storeId}, ${kept.chargeId}, ${kept.kind}, ${kept.invoiceId}, ${kept.state}, ${kept.caseId}, ${kept.why},
      ${kept.amountCents}, ${kept.reportedAt}, ${kept.at})
    on conflict (store_id, charge_id, kind) do update set state = excluded.state,
      case_id = coalesce(excluded.case_id, charge_warnings.case_id), why = excluded.why,
      amount_cents = greatest(charge_warnings.amount_cents, excluded.amount_cents), changed_at = excluded.changed_at`);
}

export type ReportedRefund = { readonly chargeId: Id<'chg'>; readonly refundedCents: Cents | null };

/** The refunds of a case, nearly always one. By primary key. */
export const listRefundsOfCase = (
  db: Queryable,
  {
    storeId,
    caseId,
    chargeIds,
  }: { readonly storeId: Id<'store'>; readonly caseId: Id<'case'>; readonly chargeIds: ReadonlyArray<Id<'chg'>> },
): Promise<ReportedRefund[]> =>
  db.all(sql`
    select charge_id, amount_cents as refunded_cents from charge_warnings
    where store_id = ${storeId} and charge_id = any(${uuids(chargeIds)}) and case_id = ${caseId} and kind = 'refund' order by charge_id`);

/** Marks the warnings of a released case. */
export async function releaseWarnings(tx: Transaction, storeId: Id<'store'>, caseId: Id<'case'>, at: Date): Promise<void> {
  await tx.run(sql`
    update charge_warnings set state = 'released', changed_at = ${at} where store_id = ${storeId} and case_id = ${caseId}`);
}

import { invoiceName } from '../billing/invoice.ts';
import type { StoreEvent } from '../notify/events-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/http/fields.ts';
import { jsonText } from '../platform/http/json.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { toldCommissions, toldInvoices, type ToldCommission, type ToldInvoice } from './found-sql.ts';

type Told = Omit<StoreEvent, 'eventId'>;

/**
 * The body of each event, in the order given. It says what does not change any more: what a thing has become since then,
 * a program asks by its id.
 */
export async function bodiesOf(db: Queryable, storeId: Id<'store'>, events: readonly Told[]): Promise<readonly string[]> {
  const idsOf = (kind: string) => events.filter(({ type }) => type.startsWith(kind)).map(({ subjectId }) => subjectId);
  const [ofCommissions, ofInvoices] = [idsOf('commission.'), idsOf('invoice.')];
  const commissions = byId(
    ofCommissions.length === 0 ? [] : await toldCommissions(db, storeId, ofCommissions),
    ({ commissionId }) => commissionId,
  );
  const invoices = ofInvoices.length === 0 ? [] : await toldInvoices(db, storeId, ofInvoices);
  const bySubject = byId(invoices, ({ subjectId }) => subjectId);
  // An invoice that was charged in vain is told by both names in one look.
  const byInvoice = byId(invoices, ({ invoiceId }) => invoiceId);
  return events.map((event) => {
    const { type, at, subjectId } = event;
    const invoice = bySubject.get(subjectId) ?? byInvoice.get(subjectId) ?? null;
    return jsonText({ type, timestamp: isoTime(at), data: dataOf(event, storeId, commissions.get(subjectId) ?? null, invoice) });
  });
}

const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [idOf(row), row]));

function dataOf({ type, detail }: Told, storeId: Id<'store'>, commission: ToldCommission | null, invoice: ToldInvoice | null): object {
  if (type.startsWith('commission.')) {
    must(commission, 'commissions are never deleted');
    const reversal = type === 'commission.reversed' ? { reason: commission.reversalReason } : {};
    return { ...showCommission(commission), ...detail, ...reversal };
  }
  if (type.startsWith('invoice.')) {
    must(invoice, 'what was issued is never deleted');
    return { ...showBill(invoice), ...(type === 'invoice.failed' ? showCharge(invoice) : {}) };
  }
  return { store_id: publicId('store', storeId), ...detail };
}

const showCommission = (commission: ToldCommission) => ({
  commission_id: publicId('com', commission.commissionId),
  program_id: publicId('prog', commission.programId),
  creator_id: publicId('crt', commission.creatorId),
  order_id: commission.sourceKind === 'order' ? commission.sourceText : null,
  invoice_id: commission.sourceKind === 'invoice' ? commission.sourceText : null,
  eligible_cents: commission.eligibleCents,
  amount_cents: commission.amountCents,
  occurred_at: isoTime(commission.occurredAt),
  recorded_at: isoTime(commission.recordedAt),
  hold_until: isoTime(commission.holdUntil),
});

const showBill = (bill: ToldInvoice) => ({
  invoice_id: publicId('inv', bill.invoiceId),
  number: invoiceName(bill.number),
  issued_at: isoTime(bill.issuedAt),
  lines_count: bill.linesCount,
  lines_cents: bill.linesCents,
  fee_cents: bill.feeCents,
  credit_cents: bill.creditCents,
  total_cents: bill.totalCents,
});

const showCharge = ({ chargeId, chargedCents, message }: ToldInvoice) => ({
  charge_id: chargeId === null ? null : publicId('chg', chargeId),
  charged_cents: chargedCents,
  message,
});

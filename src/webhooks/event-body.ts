import { invoiceName } from '../billing/invoice.ts';
import type { StoreEvent } from '../notify/store-events-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime } from '../http/fields.ts';
import { jsonText } from '../core/json.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { listCommissionsOfEvents, listInvoicesOfEvents, type CommissionOfEvent, type InvoiceOfEvent } from './collect-events-sql.ts';

type NewEvent = Omit<StoreEvent, 'eventId'>;

/** The bodies of events, in the given order. They contain what never changes; a program reads the current state by ID. */
export async function renderEventBodies(db: Queryable, storeId: Id<'store'>, events: readonly NewEvent[]): Promise<readonly string[]> {
  const idsOf = (kind: string) => events.filter(({ type }) => type.startsWith(kind)).map(({ subjectId }) => subjectId);
  const [ofCommissions, ofInvoices] = [idsOf('commission.'), idsOf('invoice.')];
  const commissions = byId(
    ofCommissions.length === 0 ? [] : await listCommissionsOfEvents(db, storeId, ofCommissions),
    ({ commissionId }) => commissionId,
  );
  const invoices = ofInvoices.length === 0 ? [] : await listInvoicesOfEvents(db, storeId, ofInvoices);
  const bySubject = byId(invoices, ({ subjectId }) => subjectId);
  // A failed charge of an invoice may be in one poll with another event of the same invoice.
  const byInvoice = byId(invoices, ({ invoiceId }) => invoiceId);
  return events.map((event) => {
    const { type, at, subjectId } = event;
    const invoice = bySubject.get(subjectId) ?? byInvoice.get(subjectId) ?? null;
    return jsonText({ type, timestamp: isoTime(at), data: dataOf(event, storeId, commissions.get(subjectId) ?? null, invoice) });
  });
}

const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [idOf(row), row]));

function dataOf(
  { type, detail }: NewEvent,
  storeId: Id<'store'>,
  commission: CommissionOfEvent | null,
  invoice: InvoiceOfEvent | null,
): object {
  if (type.startsWith('commission.')) {
    invariant(commission, 'commissions are never deleted');
    const reversal = type === 'commission.reversed' ? { reason: commission.reversalReason } : {};
    return { ...showCommission(commission), ...detail, ...reversal };
  }
  if (type.startsWith('invoice.')) {
    invariant(invoice, 'issued invoices are never deleted');
    return { ...showInvoice(invoice), ...(type === 'invoice.failed' ? showCharge(invoice) : {}) };
  }
  return { store_id: publicId('store', storeId), ...detail };
}

const showCommission = (commission: CommissionOfEvent) => ({
  commission_id: publicId('com', commission.commissionId),
  program_id: publicId('prog', commission.programId),
  creator_id: publicId('crt', commission.creatorId),
  order_id: commission.sourceKind === 'order' ? commission.sourceText : null,
  invoice_id: commission.sourceKind === 'invoice' ? commission.sourceText : null,
  ...(commission.sourceKind === 'lead' ? { lead_id: commission.sourceText, lead_kind: commission.leadKind } : {}),
  eligible_cents: commission.eligibleCents,
  amount_cents: commission.amountCents,
  occurred_at: isoTime(commission.occurredAt),
  recorded_at: isoTime(commission.recordedAt),
  hold_until: isoTime(commission.holdUntil),
  ...creditedCode(commission),
  ...(commission.bonusReason === null ? {} : { bonus: { reason: commission.bonusReason, order_id: commission.bonusOrderId } }),
});

/** Only for an order or a lead that a discount code or a returning customer earned. */
const creditedCode = ({ attribution }: CommissionOfEvent) =>
  attribution === null || attribution.attributed_by === 'click'
    ? {}
    : { attributed_by: attribution.attributed_by, ...(attribution.discount_code ? { credited_code: attribution.discount_code } : {}) };

const showInvoice = (invoice: InvoiceOfEvent) => ({
  invoice_id: publicId('inv', invoice.invoiceId),
  number: invoiceName(invoice.number),
  issued_at: isoTime(invoice.issuedAt),
  lines_count: invoice.linesCount,
  lines_cents: invoice.linesCents,
  fee_cents: invoice.feeCents,
  credit_cents: invoice.creditCents,
  total_cents: invoice.totalCents,
});

const showCharge = ({ chargeId, chargedCents, message }: InvoiceOfEvent) => ({
  charge_id: chargeId === null ? null : publicId('chg', chargeId),
  charged_cents: chargedCents,
  message,
});

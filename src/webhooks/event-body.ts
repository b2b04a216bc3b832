import { showInvoice } from '../billing/invoice-json.ts';
import { findInvoice } from '../billing/invoices-sql.ts';
import type { StoreEvent } from '../notify/events-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/http/fields.ts';
import { jsonText } from '../platform/http/json.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { toldCharges, toldCommissions, type ToldCharge, type ToldCommission } from './found-sql.ts';

/**
 * The body of each event, in the order given. It says what does not change any more: what a thing has become since then,
 * a program asks by its id.
 */
export async function bodiesOf(db: Queryable, storeId: Id<'store'>, events: ReadonlyArray<Omit<StoreEvent, 'eventId'>>) {
  const idsOf = (kind: RegExp) => events.filter(({ type }) => kind.test(type)).map(({ subjectId }) => subjectId);
  const commissions = byId(await toldCommissions(db, storeId, idsOf(/^commission\./)), ({ commissionId }) => commissionId);
  const charges = byId(await toldCharges(db, storeId, idsOf(/^invoice\.failed$/)), ({ chargeId }) => chargeId);
  const bodies: string[] = [];
  for (const event of events) {
    const { type, at, subjectId } = event;
    const charge = charges.get(subjectId) ?? null;
    const data = type.startsWith('invoice.')
      ? await invoiceData(db, storeId, { invoiceId: charge?.invoiceId ?? subjectId, charge })
      : dataOf(event, storeId, commissions.get(subjectId) ?? null);
    bodies.push(jsonText({ type, timestamp: isoTime(at), data }));
  }
  return bodies;
}

const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [idOf(row), row]));

function dataOf(event: Omit<StoreEvent, 'eventId'>, storeId: Id<'store'>, commission: ToldCommission | null) {
  if (event.type.startsWith('commission.')) {
    must(commission, 'commissions are never deleted');
    return { ...showCommission(commission), ...event.detail, ...reversalOf(event.type, commission) };
  }
  return { store_id: publicId('store', storeId), ...event.detail };
}

const reversalOf = (type: string, { reversalReason }: ToldCommission) =>
  type === 'commission.reversed' ? { reason: reversalReason } : {};

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

async function invoiceData(
  db: Queryable,
  storeId: Id<'store'>,
  { invoiceId, charge }: { readonly invoiceId: Id; readonly charge: ToldCharge | null },
) {
  const invoice = await findInvoice(db, { storeId, invoiceId: invoiceId as Id<'inv'> });
  must(invoice, 'an issued invoice stays');
  const { id, number, issued_at, lines_count, lines_cents, fee_cents, credit_cents, total_cents } = showInvoice(invoice);
  const bill = { invoice_id: id, number, issued_at, lines_count, lines_cents, fee_cents, credit_cents, total_cents };
  if (charge === null) return bill;
  const { chargeId, amountCents, message } = charge;
  return { ...bill, charge_id: publicId('chg', chargeId), charged_cents: amountCents, message };
}

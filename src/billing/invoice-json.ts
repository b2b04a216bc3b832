import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import type { Charge } from './charges-sql.ts';
import { openChargeStates } from './charge-states.ts';
import { type CreditedSoFar, creditNoteName, dueOf, type Invoice, invoiceName } from './invoice.ts';
import { shownInvoiceStates } from './invoice-states.ts';
import type { InvoiceLine } from './invoices-sql.ts';

export const invoiceFields = {
  id: T.String(),
  number: T.String({ description: 'Numbered per store, without gaps' }),
  state: T.Enum([...shownInvoiceStates], { title: 'InvoiceState' }),
  issued_at: T.String(),
  lines_count: T.Integer(),
  lines_cents: centsField('The sum of its commissions'),
  fee_basis_points: T.Integer(),
  fee_cents: centsField('The platform fee, at the rate on the day of issue'),
  credit_cents: centsField('Credit of the store that was applied'),
  total_cents: centsField('Commissions and fee minus credit, as issued; never changes'),
  next_charge_at: orNull(T.String({ description: 'Null if it is not charged automatically' })),
  failures: T.Integer({ description: 'How many charges failed in a row' }),
  paid_at: orNull(T.String()),
  past_due_at: orNull(T.String()),
  charged_back_at: orNull(T.String()),
  voided_at: orNull(T.String()),
};
export const invoiceJson = namedObject('Invoice', invoiceFields);
export type InvoiceJson = Static<typeof invoiceJson>;

export const showInvoice = (invoice: Invoice): InvoiceJson => ({
  id: publicId('inv', invoice.invoiceId),
  number: invoiceName(invoice.number),
  state: invoice.state,
  issued_at: isoTime(invoice.issuedAt),
  lines_count: invoice.linesCount,
  lines_cents: invoice.linesCents,
  fee_basis_points: invoice.feeBasisPoints,
  fee_cents: invoice.feeCents,
  credit_cents: invoice.creditCents,
  total_cents: invoice.totalCents,
  next_charge_at: isoTimeOrNull(invoice.nextChargeAt),
  failures: invoice.failures,
  paid_at: isoTimeOrNull(invoice.paidAt),
  past_due_at: isoTimeOrNull(invoice.pastDueAt),
  charged_back_at: isoTimeOrNull(invoice.chargedBackAt),
  voided_at: isoTimeOrNull(invoice.voidedAt),
});

/** CSV columns of a list, named as in JSON. New columns come last, so that existing sheets keep working. */
export const invoiceColumnsOfFile: ReadonlyArray<CsvColumn<InvoiceJson>> = [
  { title: 'id', cell: (invoice) => invoice.id },
  { title: 'number', cell: (invoice) => invoice.number },
  { title: 'state', cell: (invoice) => invoice.state },
  { title: 'issued_at', cell: (invoice) => invoice.issued_at },
  { title: 'lines_count', cell: (invoice) => invoice.lines_count },
  { title: 'lines_cents', cell: (invoice) => invoice.lines_cents },
  { title: 'fee_basis_points', cell: (invoice) => invoice.fee_basis_points },
  { title: 'fee_cents', cell: (invoice) => invoice.fee_cents },
  { title: 'credit_cents', cell: (invoice) => invoice.credit_cents },
  { title: 'total_cents', cell: (invoice) => invoice.total_cents },
  { title: 'next_charge_at', cell: (invoice) => invoice.next_charge_at },
  { title: 'failures', cell: (invoice) => invoice.failures },
  { title: 'paid_at', cell: (invoice) => invoice.paid_at },
  { title: 'past_due_at', cell: (invoice) => invoice.past_due_at },
  { title: 'charged_back_at', cell: (invoice) => invoice.charged_back_at },
  { title: 'voided_at', cell: (invoice) => invoice.voided_at },
];

export const lineJson = namedObject('InvoiceLine', {
  commission_id: T.String(),
  order_id: orNull(T.String({ description: "The store's ID of the order" })),
  invoice_id: orNull(T.String({ description: "The store's ID of its customer's invoice, for a subscription" })),
  occurred_at: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  eligible_cents: centsField(),
  amount_cents: centsField(),
  state: T.String({ description: 'The current state of the commission' }),
  lead_id: orNull(T.String({ description: "The store's ID of the lead" })),
  credit_note: orNull(T.String({ description: 'The number of the credit note that credited it' })),
  bonus_reason: orNull(T.String({ description: 'Only of a bonus, which has no order' })),
});
export type LineJson = Static<typeof lineJson>;

export const showLine = (line: InvoiceLine, creatorName: string): LineJson => ({
  commission_id: publicId('com', line.commissionId),
  order_id: line.sourceKind === 'order' ? line.sourceText : null,
  invoice_id: line.sourceKind === 'invoice' ? line.sourceText : null,
  occurred_at: isoTime(line.occurredAt),
  creator_id: publicId('crt', line.creatorId),
  creator_name: creatorName,
  eligible_cents: line.eligibleCents,
  amount_cents: line.amountCents,
  state: line.state,
  lead_id: line.sourceKind === 'lead' ? line.sourceText : null,
  credit_note: line.creditNoteNumber === null ? null : creditNoteName(line.creditNoteNumber),
  bonus_reason: line.sourceKind === 'bonus' ? line.sourceText : null,
});

/** CSV columns, named as in JSON. New columns come last, so that existing sheets keep working. */
export const lineColumns: ReadonlyArray<CsvColumn<LineJson>> = [
  { title: 'commission_id', cell: (line) => line.commission_id },
  { title: 'order_id', cell: (line) => line.order_id },
  { title: 'invoice_id', cell: (line) => line.invoice_id },
  { title: 'occurred_at', cell: (line) => line.occurred_at },
  { title: 'creator_id', cell: (line) => line.creator_id },
  { title: 'creator_name', cell: (line) => line.creator_name },
  { title: 'eligible_cents', cell: (line) => line.eligible_cents },
  { title: 'amount_cents', cell: (line) => line.amount_cents },
  { title: 'state', cell: (line) => line.state },
  { title: 'credit_note', cell: (line) => line.credit_note },
  { title: 'lead_id', cell: (line) => line.lead_id },
  { title: 'bonus_reason', cell: (line) => line.bonus_reason },
];

export const chargeJson = namedObject('Charge', {
  id: T.String({ description: 'Also the idempotency key at the provider' }),
  state: T.Enum([...openChargeStates, 'succeeded', 'declined', 'absent'], { title: 'ChargeState' }),
  amount_cents: centsField(),
  provider: T.String(),
  is_backup: T.Boolean(),
  message: orNull(T.String()),
  made_at: T.String(),
  ended_at: orNull(T.String()),
});

export const showCharge = (charge: Charge): Static<typeof chargeJson> => ({
  id: publicId('chg', charge.chargeId),
  state: charge.state,
  amount_cents: charge.amountCents,
  provider: charge.provider,
  is_backup: charge.isBackup,
  message: charge.message,
  made_at: isoTime(charge.madeAt),
  ended_at: isoTimeOrNull(charge.endedAt),
});

export const wholeInvoiceJson = namedObject('InvoiceDetails', {
  ...invoiceFields,
  due_cents: centsField('The amount that is still due, after credit notes before payment'),
  credited_cents: centsField('The credited amount, including the fee'),
  written_off_cents: centsField('Too small to be charged; paid by the operator'),
  charges: T.Array(chargeJson),
  lines: T.Array(lineJson),
  next_cursor: orNull(T.String({ description: 'Of the lines' })),
});

/** The amount due and the current state. */
export function showInvoiceStatus(invoice: Invoice, credited: CreditedSoFar, charges: readonly Charge[]) {
  const isSettled = invoice.state === 'paid' || invoice.state === 'void';
  const { beforeLines, beforeFee, afterLines, afterFee } = credited;
  return {
    ...showInvoice(invoice),
    due_cents: isSettled ? 0n : dueOf(invoice, credited),
    credited_cents: beforeLines + beforeFee + afterLines + afterFee,
    written_off_cents: invoice.writtenOffCents,
    charges: charges.map(showCharge),
  };
}

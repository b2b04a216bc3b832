import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { listChargesOfInvoice } from '../billing/charges-sql.ts';
import { chargeJson, invoiceJson, showCharge, showInvoice } from '../billing/invoice-json.ts';
import { creditNoteName } from '../billing/invoice.ts';
import { findInvoice } from '../billing/invoices-sql.ts';
import { storeAccounts } from '../ledger/store-postings.ts';
import { endpoint } from '../people/endpoint.ts';
import { notFound } from '../http/responses.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { describeTransfer } from './store-statement.ts';
import {
  findMoneyTrail,
  listLateRefundsOfCommission,
  listLedgerLines,
  listRefundsOfCommission,
  type CommissionLedgerLine,
  type CommissionMoneyTrail,
  type CommissionRefund,
  type LateRefundOfCommission,
} from './commission-history-sql.ts';

const noteJson = T.Object({
  number: T.String(),
  kind: T.Enum(['before', 'after'], { description: 'Whether its invoice was unpaid or paid' }),
  reason: T.String(),
  operator_bears: T.Boolean({ description: 'The creator keeps the amount, and the store is credited' }),
  at: T.String(),
});

/** A merchant sees the progress of a payout, but not its amount or its other stores. */
const payoutJson = T.Object({
  state: T.Enum(['prepared', 'on_its_way', 'paid'], { description: 'A failed or returned payout releases its commissions' }),
  begun_at: T.String(),
  sent_at: orNull(T.String()),
  ended_at: orNull(T.String()),
});

const refundJson = T.Object({
  id: T.String(),
  refund_id: T.String({ description: 'Your ID of the refund' }),
  amount_cents: centsField('The refunded part of the eligible amount'),
  remaining_cents: centsField('What could still be refunded afterwards'),
  commission_cents: centsField('By how much the commission fell'),
  credit_note: orNull(T.String({ description: 'The number of the credit note, if the commission was already invoiced' })),
  occurred_at: T.String(),
  received_at: T.String(),
  reason: orNull(T.String()),
});
const refundsMax = 200;

const lateRefundJson = T.Object({
  refund_id: T.String({ description: 'Your ID of the refund' }),
  amount_cents: centsField('The refunded part of the eligible amount'),
  commission_cents: centsField('What it would have taken of the commission; you are credited, and the creator keeps it'),
  credit_note: T.String(),
  reason: T.String(),
  at: T.String(),
});

const lineJson = T.Object({
  at: T.String(),
  what: T.String(),
  source: T.String(),
  debit: T.Enum([...storeAccounts]),
  credit: T.Enum([...storeAccounts]),
  amount_cents: centsField('The share of this commission, also if many were posted together'),
});

export const commissionHistoryEndpoint = endpoint({
  summary: 'Get the history of a commission: invoice, charges, refunds, credit note, payout, and postings',
  access: { allow: 'store', permission: 'store:read' },
  ids: { commission: 'com' },
  reply: namedObject('CommissionHistory', {
    invoice: orNull(invoiceJson),
    charges: T.Array(chargeJson, { description: 'Of that invoice' }),
    credit_note: orNull(noteJson),
    refunds: T.Array(refundJson, { description: `Partial refunds, the latest ${refundsMax} of them, newest first` }),
    late_refunds: T.Optional(
      T.Array(lateRefundJson, { description: 'Partial refunds of a commission that was in a payout, newest first; absent without any' }),
    ),
    payout: orNull(payoutJson),
    ledger: T.Array(lineJson),
  }),
  async handle({ db, ids }) {
    const key = { storeId: ids.store, commissionId: ids.commission };
    const trail = await findMoneyTrail(db, key);
    if (trail === null) return notFound;
    const { invoiceId } = trail;
    // A draft is not an invoice yet.
    const invoice = invoiceId === null ? null : await findInvoice(db, { storeId: ids.store, invoiceId });
    const charges = invoice === null ? [] : await listChargesOfInvoice(db, invoice);
    return {
      invoice: invoice && showInvoice(invoice),
      charges: charges.map(showCharge),
      credit_note: showNote(trail),
      refunds: (await listRefundsOfCommission(db, key, refundsMax)).map(showRefund),
      ...(trail.hasLateRefunds ? { late_refunds: (await listLateRefundsOfCommission(db, key, refundsMax)).map(showLateRefund) } : {}),
      payout: showPayout(trail),
      ledger: (await listLedgerLines(db, key)).map(showLine),
    };
  },
});

function showNote({ noteNumber, noteKind, noteReason, noteAt, isBorne }: CommissionMoneyTrail): Static<typeof noteJson> | null {
  if (noteNumber === null) return null;
  invariant(noteKind !== null && noteReason !== null && noteAt !== null && isBorne !== null, 'a credit note is whole');
  return { number: creditNoteName(noteNumber), kind: noteKind, reason: noteReason, operator_bears: isBorne, at: isoTime(noteAt) };
}

function showPayout({ payoutState, payoutBegunAt, payoutSentAt, payoutEndedAt }: CommissionMoneyTrail): Static<typeof payoutJson> | null {
  if (payoutState === null || payoutBegunAt === null) return null;
  const times = { begun_at: isoTime(payoutBegunAt), sent_at: isoTimeOrNull(payoutSentAt), ended_at: isoTimeOrNull(payoutEndedAt) };
  switch (payoutState) {
    case 'gathering':
    case 'awaiting_second':
    case 'ready':
      return { state: 'prepared', ...times };
    case 'sending':
    case 'unknown':
      return { state: 'on_its_way', ...times };
    case 'paid':
      return { state: 'paid', ...times };
    default:
      // It has ended otherwise, and is about to let go of the commission.
      return null;
  }
}

const showRefund = (refund: CommissionRefund): Static<typeof refundJson> => ({
  id: publicId('rfd', refund.refundId),
  refund_id: refund.merchantRefundId,
  amount_cents: refund.amountCents,
  remaining_cents: refund.remainingCents,
  commission_cents: refund.commissionCents,
  credit_note: refund.noteNumber === null ? null : creditNoteName(refund.noteNumber),
  occurred_at: isoTime(refund.occurredAt),
  received_at: isoTime(refund.receivedAt),
  reason: refund.reason,
});

const showLateRefund = (refund: LateRefundOfCommission): Static<typeof lateRefundJson> => ({
  refund_id: refund.merchantRefundId,
  amount_cents: refund.amountCents,
  commission_cents: refund.commissionCents,
  credit_note: creditNoteName(refund.noteNumber),
  reason: refund.noteReason,
  at: isoTime(refund.at),
});

const showLine = (line: CommissionLedgerLine): Static<typeof lineJson> => ({
  at: isoTime(line.at),
  what: describeTransfer(line),
  source: line.sourceKind,
  debit: line.debit,
  credit: line.credit,
  amount_cents: line.amountCents,
});

import { readBreakdown } from '../commissions/commission.ts';
import type { RefundedItems } from '../commissions/decide-refund.ts';
import { invoiceOfCommission, lockRefundable } from '../commissions/refunds-sql.ts';
import { maskKeys } from '../core/mask-keys.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Cents } from '../core/money.ts';
import { sha256 } from '../core/sha256.ts';
import type { Transaction } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { listCreditedCommissions, listLateRefunds, type CreditNote } from './credit-notes-sql.ts';
import { decideLateRefund } from './decide-late-refund.ts';
import { bearLateRefund } from './issue-credit-note.ts';
import { lockInvoice } from './invoices-sql.ts';

export type LateRefundCommand = RefundedItems & {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  /** The merchant's ID of the refund. */
  readonly refundId: string;
  readonly reason: string;
  readonly by: { readonly actor: string; readonly name: string };
  readonly now: Date;
  readonly chargeMin: Cents;
};

export type LateRefundCredit = { readonly note: CreditNote; readonly rest: Cents; readonly restEligible: Cents };

/**
 * Credits a store with the part of a commission that a partial refund would have taken, if it had come before the payout. The creator keeps
 * the commission, and the operator bears the part. Locks the invoice before the commission, as billing does.
 */
export async function creditLateRefund(tx: Transaction, command: LateRefundCommand): Promise<LateRefundCredit | Refusal> {
  const { storeId, commissionId } = command;
  const before = await invoiceOfCommission(tx, command);
  if (before === null) return notFound;
  const invoice = before.invoiceId ? await lockInvoice(tx, { storeId, invoiceId: before.invoiceId }) : null;
  const commission = await lockRefundable(tx, command);
  const refundHash = sha256(command.refundId);
  const decision = decideLateRefund(
    { amount: command.amount, lines: command.lines, refundHash },
    {
      ...commission,
      amount: commission.amountCents,
      parts: readBreakdown(commission.earned),
      // A draft that was created in between is no issued invoice.
      invoiceState: commission.invoiceId === before.invoiceId ? (invoice?.state ?? null) : null,
      isCredited: (await listCreditedCommissions(tx, storeId, [commissionId])).get(commissionId)?.isWhole ?? false,
      late: await listLateRefunds(tx, command),
    },
  );
  if (decision.do === 'refuse') {
    const { reason, message, field } = decision;
    return field === null ? refuse(reason, message) : refuse(reason, apiMessage('late_refund.invalid'), [{ field, message }]);
  }
  invariant(invoice !== null, 'the decision requires an issued invoice');
  const refundId = maskKeys(command.refundId).text;
  const note = await bearLateRefund(
    tx,
    {
      ...command,
      invoiceId: invoice.invoiceId,
      reason: apiMessage('late_refund.note_reason', { refund: refundId, reason: command.reason }),
    },
    invoice,
    {
      commissionId,
      creatorId: commission.creatorId,
      amountCents: decision.amount,
      late: { refundId, refundHash, eligible: command.amount, taken: decision.taken },
    },
  );
  return { note, rest: decision.rest, restEligible: decision.restEligible };
}

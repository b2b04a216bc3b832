import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { RefundedItems } from '../commissions/decide-refund.ts';
import { invoiceOfCommission } from '../commissions/refunds-sql.ts';
import { invariant } from '../core/invariant.ts';
import { cents, sum } from '../core/money.ts';
import { isTransaction } from '../db/database.ts';
import { centsField, externalIdField, lineField, namedObject } from '../http/fields.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Providers } from '../payments/providers.ts';
import { endpoint } from '../people/endpoint.ts';
import { undoDisputes } from './chargebacks.ts';
import { collectInvoice } from './collect-invoice.ts';
import { creditLateRefund } from './credit-late-refund.ts';
import { noteJson, showNote } from './credit-notes-api.ts';
import { chargeMinOf } from './issue-invoice.ts';

const linesMax = 200;
const reasonLengthMax = 400;
const centsInput = () => T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const body = T.Object(
  {
    refund_id: { ...externalIdField(), description: "The store's ID of the refund; each is credited once for a commission" },
    amount_cents: T.Optional(
      T.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The refunded part of the eligible amount' }),
    ),
    line_items: T.Optional(
      T.Array(
        T.Object(
          { product_id: externalIdField(), amount_cents: centsInput(), quantity: T.Optional(centsInput()) },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: linesMax, description: 'Required if the program paid for each product' },
      ),
    ),
    reason: { ...lineField(reasonLengthMax), description: 'The store sees it' },
  },
  { additionalProperties: false },
);

function itemsOf({ amount_cents: amount, line_items: items }: Static<typeof body>): RefundedItems | Refusal {
  const lines = items?.map(({ product_id: productId, amount_cents: of, quantity = 0 }) => ({
    productId,
    amount: cents(of),
    quantity: BigInt(quantity),
  }));
  const total = lines && sum(lines.map((line) => line.amount));
  const invalid = (field: string) =>
    refuse('unprocessable', apiMessage('late_refund.invalid'), [{ field, message: apiMessage('late_refund.amount') }]);
  if (amount !== undefined && total !== undefined && cents(amount) !== total) return invalid('line_items');
  const refunded = total ?? (amount === undefined ? undefined : cents(amount));
  if (refunded === undefined || refunded < 1n || refunded > BigInt(Number.MAX_SAFE_INTEGER)) return invalid('amount_cents');
  return { amount: refunded, lines: lines ?? null };
}

export const creditLateRefundEndpoint = (providers: Providers) =>
  endpoint({
    summary: 'Credit the store with what a partial refund would have taken of a commission that is in a payout; the creator keeps it',
    access: { allow: 'operator' },
    proof: true,
    ids: { store: 'store', commission: 'com' },
    body,
    reply: namedObject('LateRefundCredit', {
      credit_note: noteJson,
      commission_cents: centsField('What the refund would have taken of the commission, computed from its copied terms'),
      remaining_commission_cents: centsField('What later refunds can still take of the commission'),
      remaining_cents: centsField('What could still be refunded of the eligible amount'),
    }),
    status: 201,
    audit: 'commission.credit_late_refund',
    /** Unfinished collections and reversals are completed first. */
    async prepare({ platform, ids }) {
      const found = await invoiceOfCommission(platform.database, { storeId: ids.store, commissionId: ids.commission });
      if (found === null) return notFound;
      await undoDisputes(platform, ids.store);
      if (found.invoiceId !== null) await collectInvoice(platform, { storeId: ids.store, invoiceId: found.invoiceId });
      return { chargeMin: await chargeMinOf(platform.database, providers, ids.store) };
    },
    async handle({ db, ids, body: request, identity, now, prepared }) {
      invariant(isTransaction(db), 'a credit note is created in a transaction');
      const items = itemsOf(request);
      if (isRefusal(items)) return items;
      const credited = await creditLateRefund(db, {
        ...items,
        storeId: ids.store,
        commissionId: ids.commission,
        refundId: request.refund_id,
        reason: request.reason,
        by: { actor: identity.actor, name: identity.name },
        now,
        chargeMin: prepared.chargeMin,
      });
      if (isRefusal(credited)) return credited;
      return {
        credit_note: showNote(credited.note),
        commission_cents: credited.note.linesCents,
        remaining_commission_cents: credited.rest,
        remaining_cents: credited.restEligible,
      };
    },
  });

import { earningBreakdown, initialHold, openCommission, type OpenedCommission } from '../commissions/commission.ts';
import type { Earning } from '../commissions/decide-earning.ts';
import type { Why } from '../contract/why.ts';
import { accrual, type Posting } from '../ledger/store-postings.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Invoice, Paid, Plan, Relationship } from './relationship.ts';
import { amountToJson } from '../core/money.ts';

export type Opening = {
  readonly relationship: Relationship;
  readonly invoice: Pick<Invoice, 'relationshipInvoiceId' | 'invoiceId'>;
  readonly payment: Pick<Paid, 'eventId' | 'occurredAt' | 'eligible'>;
  readonly plan: Plan;
  readonly earning: Earning;
  readonly commissionId: Id<'com'>;
  readonly wasReversedEarly: boolean;
  readonly isCreatorSuspended: boolean;
  readonly now: Date;
};

export type Opened = { readonly commission: OpenedCommission; readonly postings: readonly Posting[]; readonly why: Why };

/**
 * The commission of a paid invoice, under the terms copied at the bind. The payment is the source of its transfers, even after a
 * review.
 */
export function openInvoiceCommission({ relationship, invoice, payment, plan, earning, commissionId, now, ...holdFacts }: Opening): Opened {
  const { storeId, attribution } = relationship;
  invariant(attribution.environment === 'live', 'a test relationship never makes money');
  const { programId, creatorId, linkNumber } = attribution;
  const commission = openCommission(
    {
      storeId,
      commissionId,
      programId,
      creatorId,
      linkNumber,
      source: { kind: 'invoice', id: invoice.relationshipInvoiceId, text: invoice.invoiceId },
      eligible: payment.eligible,
      earning,
      occurredAt: payment.occurredAt,
      recordedAt: now,
      held: initialHold(holdFacts, now),
    },
    plan,
  );
  return {
    commission,
    postings: accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'billing_event', id: payment.eventId }, now),
    why: {
      terms_version: plan.version,
      commission_cents: amountToJson(earning.amount),
      earned: earningBreakdown(earning),
      hold_until: commission.holdUntil.toISOString(),
      ...(commission.held ? { held: commission.held.reason } : {}),
    },
  };
}

import { earnedWhy, heldFromTheStart, openCommission, type OpenedCommission } from '../commissions/commission.ts';
import type { Earning } from '../commissions/decide-earning.ts';
import type { Why } from '../contract/why.ts';
import { accrual, type Posting } from '../ledger/posting.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Invoice, Paid, Plan, Relationship } from './relationship.ts';
import { amountToJson } from '../platform/money.ts';

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
 * The commission of a paid invoice, under the terms copied at the bind. The fact that moves its money is the payment, also
 * where a review came between.
 */
export function openInvoiceCommission({ relationship, invoice, payment, plan, earning, commissionId, now, ...standing }: Opening): Opened {
  const { storeId, claim } = relationship;
  must(claim.environment === 'live', 'a test relationship never makes money');
  const { programId, creatorId, linkNumber } = claim;
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
      held: heldFromTheStart(standing, now),
    },
    plan,
  );
  return {
    commission,
    postings: accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'billing_event', id: payment.eventId }, now),
    why: {
      terms_version: plan.version,
      commission_cents: amountToJson(earning.amount),
      earned: earnedWhy(earning),
      hold_until: commission.holdUntil.toISOString(),
      ...(commission.held ? { held: commission.held.reason } : {}),
    },
  };
}

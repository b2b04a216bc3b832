import { cents, noCents, type Cents } from '../core/money.ts';
import type { ChargeState } from './charge-states.ts';

/** A charge that was refunded at the payment provider, not through this service. */
export type RefundFacts = {
  readonly chargeState: ChargeState;
  readonly chargedCents: Cents;
  /** The total refunded amount. Null: the provider did not report it. */
  readonly refundedCents: Cents | null;
  /** The amount that is booked as a loss already. */
  readonly bookedCents: Cents;
  /** Through a lost dispute or a reopened invoice. */
  readonly isTakenBack: boolean;
};

export type RefundRefusal = 'not_charged' | 'taken_back' | 'amount_unknown' | 'in_part' | 'nothing_left';
export type RefundDecision = { readonly do: 'go'; readonly amount: Cents } | { readonly do: 'refuse'; readonly why: RefundRefusal };

const refused = (why: RefundRefusal): RefundDecision => ({ do: 'refuse', why });

/** The operator bears the refunded amount that is not booked yet. */
export function decideLoss(facts: RefundFacts): RefundDecision {
  const { chargedCents, refundedCents, bookedCents } = facts;
  if (facts.isTakenBack) return refused('taken_back');
  if (facts.chargeState !== 'succeeded') return refused('not_charged');
  if (refundedCents === null) return refused('amount_unknown');
  const gone = refundedCents < chargedCents ? refundedCents : chargedCents;
  return gone > bookedCents ? { do: 'go', amount: cents(gone - bookedCents) } : refused('nothing_left');
}

/** An invoice is due as a whole or not at all, so only a full refund reopens it. */
export function decideReinvoice(facts: RefundFacts): RefundDecision {
  const { chargedCents, refundedCents } = facts;
  if (facts.isTakenBack) return refused('taken_back');
  if (facts.chargeState !== 'succeeded') return refused('not_charged');
  if (refundedCents === null) return refused('amount_unknown');
  if (chargedCents === noCents || refundedCents < chargedCents) return refused('in_part');
  return { do: 'go', amount: chargedCents };
}

import { earnedBy, type Earning } from '../commissions/decide-earning.ts';
import type { Why } from '../contract/why.ts';
import type { Cents } from '../platform/money.ts';
import { plusMonths } from '../platform/time.ts';
import type { NothingBecause, Plan, Relationship } from './relationship.ts';

export type Payment = { readonly occurredAt: Date; readonly eligible: Cents };

export type PaymentDecision =
  | { readonly is: 'commission'; readonly plan: Plan; readonly earning: Earning; readonly why: Why }
  | { readonly is: 'nothing'; readonly because: NothingBecause; readonly why: Why };

/**
 * What an invoice earns that was paid, by the rule copied at the bind. Where a rule has both limits, the earlier ends it.
 * The limit of invoices counts those that earned something, so an invoice of 0 takes no place.
 */
export function decidePayment(
  { claim, boundAt, earningInvoices }: Pick<Relationship, 'claim' | 'boundAt' | 'earningInvoices'>,
  { occurredAt, eligible }: Payment,
): PaymentDecision {
  if (claim.environment === 'test') return { is: 'nothing', because: 'test', why: {} };
  if (claim.plan === null) return { is: 'nothing', because: 'zero_commission', why: {} };
  const { plan } = claim;
  const earnsUntil = plan.maxMonths === null ? null : plusMonths(boundAt, plan.maxMonths);
  if (earnsUntil !== null && occurredAt >= earnsUntil) {
    return { is: 'nothing', because: 'month_limit', why: { bound_at: boundAt.toISOString(), earns_until: earnsUntil.toISOString() } };
  }
  if (plan.maxInvoices !== null && earningInvoices >= plan.maxInvoices) {
    return { is: 'nothing', because: 'invoice_limit', why: { invoices_max: plan.maxInvoices } };
  }
  const amount = earnedBy(plan.rate, { amount: eligible, quantity: 1n });
  return {
    is: 'commission',
    plan,
    earning: { amount, parts: [{ productId: null, of: eligible, quantity: 1n, rate: plan.rate, amount }] },
    why: {},
  };
}

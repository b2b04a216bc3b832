import { applyRate, type Earning } from '../commissions/decide-earning.ts';
import type { Why } from '../contract/why.ts';
import type { Cents } from '../core/money.ts';
import { plusMonths } from '../core/time.ts';
import type { NoCommissionReason, Plan, Relationship } from './relationship.ts';

export type Payment = { readonly occurredAt: Date; readonly eligible: Cents };

export type PaymentDecision =
  | { readonly is: 'commission'; readonly plan: Plan; readonly earning: Earning; readonly why: Why }
  | { readonly is: 'nothing'; readonly because: NoCommissionReason; readonly why: Why };

/**
 * What a paid invoice earns by the rule copied at the bind. If a rule has both limits, the earlier one ends it. The invoice limit counts
 * invoices that earned something, so a commission of 0 does not count.
 */
export function decidePayment(
  { attribution, boundAt, earningInvoices }: Pick<Relationship, 'attribution' | 'boundAt' | 'earningInvoices'>,
  { occurredAt, eligible }: Payment,
): PaymentDecision {
  if (attribution.environment === 'test') return { is: 'nothing', because: 'test', why: {} };
  if (attribution.plan === null) return { is: 'nothing', because: 'zero_commission', why: {} };
  const { plan } = attribution;
  const earnsUntil = plan.maxMonths === null ? null : plusMonths(boundAt, plan.maxMonths);
  if (earnsUntil !== null && occurredAt >= earnsUntil) {
    return { is: 'nothing', because: 'month_limit', why: { bound_at: boundAt.toISOString(), earns_until: earnsUntil.toISOString() } };
  }
  if (plan.maxInvoices !== null && earningInvoices >= plan.maxInvoices) {
    return { is: 'nothing', because: 'invoice_limit', why: { invoices_max: plan.maxInvoices } };
  }
  const amount = applyRate(plan.rate, { amount: eligible, quantity: 1n });
  const part = { productId: null, of: eligible, quantity: 1n, rate: plan.rate, amount };
  return {
    is: 'commission',
    plan,
    earning: { amount, parts: [plan.rule === undefined ? part : { ...part, rule: plan.rule }] },
    why: {},
  };
}

import type { OrderRule, SubscriptionRule, Terms } from '../api/api-schema.ts';
import { formatPercent, formatUsd } from './format.ts';
import { t } from './messages.ts';

/** Terms as sentences: what a partner earns, for how long, and under which conditions. */
export function orderRuleText({ product_id: product, ...given }: OrderRule, { pays }: Pick<Terms, 'pays'>): string {
  const rate = rateOf(given);
  if (product !== null) return t.program_terms.product({ ...rate, product });
  return pays === 'product' ? t.program_terms.other_product(rate) : t.program_terms.order(rate);
}

export function subscriptionRuleText(given: SubscriptionRule): string {
  const invoices = given.max_invoices === null ? null : t.program_terms.invoice_limit({ count: given.max_invoices });
  const months = given.max_months === null ? null : t.program_terms.month_limit({ count: given.max_months });
  const rule = invoicesText(given);
  if (invoices !== null && months !== null) return t.program_terms.with_two_limits({ rule, invoices, months });
  return t.program_terms.with_limit({ rule, limit: invoices ?? months ?? t.program_terms.no_limit });
}

function invoicesText({ product_id: product, price_id: price, ...given }: SubscriptionRule): string {
  const rate = rateOf(given);
  if (product === null) return t.program_terms.any_subscription(rate);
  return price === null
    ? t.program_terms.subscription({ ...rate, product })
    : t.program_terms.subscription_at_price({ ...rate, product, price });
}

type Rate = { readonly kind: 'percent' | 'other'; readonly rate: string };

const rateOf = ({ basis_points: points, flat_cents: flat }: Pick<OrderRule, 'basis_points' | 'flat_cents'>): Rate =>
  points === null ? { kind: 'other', rate: formatUsd(flat ?? 0) } : { kind: 'percent', rate: formatPercent(points) };

/** What earns besides a click; empty if only clicks earn. */
export const attributionTexts = ({ codes, returning }: Pick<Terms, 'codes' | 'returning'>): readonly string[] => [
  ...(codes === 'off' ? [] : [codes === 'when_no_click' ? t.program_terms.codes_when_no_click : t.program_terms.codes_before_click]),
  ...(returning === null
    ? []
    : [
        t.program_terms.returning_customers({ days: returning.days, orders: returning.orders ?? 0 }),
        returning.new_click === 'last_click' ? t.program_terms.new_click_takes_over : t.program_terms.first_partner_stays,
      ]),
];

type ProgramSettings = Pick<Terms, 'attribution_days' | 'hold_days' | 'approval' | 'auto_approve_days'>;

export const settingsTexts = ({
  attribution_days: window,
  hold_days: hold,
  approval,
  auto_approve_days: afterDays,
}: ProgramSettings): readonly string[] => [
  t.program_terms.attribution_window({ days: window }),
  hold === 0 ? t.program_terms.no_refund_hold : t.program_terms.refund_hold({ days: hold }),
  approval === 'auto' ? t.program_terms.automatic_approval({ days: afterDays ?? 0 }) : t.program_terms.manual_approval,
];

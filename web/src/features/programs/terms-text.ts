import type { OrderRule, SubscriptionRule, Terms } from '../../api/api-schema.ts';
import { formatDollars, formatPercent } from '../../ui/format.ts';
import type { ProgramSettings } from './programs-api.ts';
import { t } from './messages.ts';

/** Terms as sentences: what a partner earns, for how long, and under which conditions. */
export function orderRuleText({ product_id: product, ...rate }: OrderRule, { pays }: Pick<Terms, 'pays'>): string {
  const of =
    product === null ? (pays === 'product' ? t.terms_text.each_other_product : t.terms_text.each_order) : t.terms_text.product({ product });
  return rate.basis_points === null ? t.terms_text.for({ rate: rateText(rate), of }) : t.terms_text.of({ rate: rateText(rate), of });
}

export function subscriptionRuleText(rule: SubscriptionRule): string {
  const product = rule.product_id === null ? t.terms_text.any_subscription : t.terms_text.product_2({ productId: rule.product_id });
  const price = rule.price_id === null ? '' : t.terms_text.at_price({ priceId: rule.price_id });
  const ends = [
    ...(rule.max_invoices === null ? [] : [t.terms_text.at_most({ maxInvoices: rule.max_invoices })]),
    ...(rule.max_months === null ? [] : [t.terms_text.for_2({ maxMonths: rule.max_months })]),
  ];
  const of = rule.basis_points === null ? 'for' : 'of';
  return `${rateText(rule)} ${of} each paid invoice of ${product}${price}, ${ends.length === 0 ? t.terms_text.without_an_end : ends.join(' and ')}`;
}

const rateText = ({ basis_points: points, flat_cents: flat }: Pick<OrderRule, 'basis_points' | 'flat_cents'>): string =>
  points === null ? t.terms_text.usd({ dollars: formatDollars(flat ?? 0) }) : formatPercent(points);

export const settingsTexts = ({
  attribution_days: window,
  hold_days: hold,
  approval,
  auto_approve_days: afterDays,
}: ProgramSettings): readonly string[] => [
  t.terms_text.a_click_counts_for({ window }),
  hold === 0 ? t.terms_text.billed_without_a_hold_for : t.terms_text.held_for_refunds({ hold }),
  approval === 'auto' ? t.terms_text.approves_itself_after({ value: afterDays ?? 0 }) : t.terms_text.approved_by_hand,
];

/** A created version always has a start time in the past, whatever the viewer's clock says. */
export const nowOrLastCreation = (now: Date, versions: readonly Terms[]): Date =>
  new Date(Math.max(now.getTime(), ...versions.map(({ made_at: at }) => Date.parse(at))));

/** As the service does: the latest started version; of two with the same start, the later one. */
export function versionInForce(versions: readonly Terms[], now: Date): Terms | null {
  const begun = versions.filter(({ effective_from: from }) => new Date(from) <= now);
  return begun.reduce<Terms | null>((best, terms) => {
    if (best === null || terms.effective_from > best.effective_from) return terms;
    return terms.effective_from === best.effective_from && terms.version > best.version ? terms : best;
  }, null);
}

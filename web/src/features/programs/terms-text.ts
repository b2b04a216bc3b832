import type { OrderRule, SubscriptionRule, Terms } from '../../api/api-schema.ts';
import { formatDollars, formatPercent, formatCount } from '../../ui/format.ts';
import type { ProgramSettings } from './programs-api.ts';

/** Terms as sentences: what a partner earns, for how long, and under which conditions. */
export function orderRuleText({ product_id: product, ...rate }: OrderRule, { pays }: Pick<Terms, 'pays'>): string {
  const of = product === null ? (pays === 'product' ? 'each other product' : 'each order') : `product ${product}`;
  return rate.basis_points === null ? `${rateText(rate)} for ${of}` : `${rateText(rate)} of ${of}`;
}

export function subscriptionRuleText(rule: SubscriptionRule): string {
  const product = rule.product_id === null ? 'any subscription' : `product ${rule.product_id}`;
  const price = rule.price_id === null ? '' : ` at price ${rule.price_id}`;
  const ends = [
    ...(rule.max_invoices === null ? [] : [`at most ${formatCount(rule.max_invoices, 'invoice')}`]),
    ...(rule.max_months === null ? [] : [`for ${formatCount(rule.max_months, 'month')}`]),
  ];
  const of = rule.basis_points === null ? 'for' : 'of';
  return `${rateText(rule)} ${of} each paid invoice of ${product}${price}, ${ends.length === 0 ? 'without an end' : ends.join(' and ')}`;
}

const rateText = ({ basis_points: points, flat_cents: flat }: Pick<OrderRule, 'basis_points' | 'flat_cents'>): string =>
  points === null ? `${formatDollars(flat ?? 0)} USD` : formatPercent(points);

export const settingsTexts = ({
  attribution_days: window,
  hold_days: hold,
  approval,
  auto_approve_days: afterDays,
}: ProgramSettings): readonly string[] => [
  `A click counts for ${formatCount(window, 'day')}`,
  hold === 0 ? 'Billed without a hold for refunds' : `Held ${formatCount(hold, 'day')} for refunds`,
  approval === 'auto' ? `Approves itself after ${formatCount(afterDays ?? 0, 'day')}` : 'Approved by hand',
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

import { dollarsOf, percentOf } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import type { OrderRule, Settings, SubscriptionRule, Terms } from './programs-api.ts';

/** Terms as sentences: what a partner earns, for how long, and when it is theirs. */
export function orderRuleWords({ product_id: product, ...rate }: OrderRule, { pays }: Pick<Terms, 'pays'>): string {
  const of = product === null ? (pays === 'product' ? 'each other product' : 'each order') : `product ${product}`;
  return rate.basis_points === null ? `${rateWords(rate)} for ${of}` : `${rateWords(rate)} of ${of}`;
}

export function subscriptionRuleWords(rule: SubscriptionRule): string {
  const product = rule.product_id === null ? 'any subscription' : `product ${rule.product_id}`;
  const price = rule.price_id === null ? '' : ` at price ${rule.price_id}`;
  const ends = [
    ...(rule.max_invoices === null ? [] : [`at most ${countOf(rule.max_invoices, 'invoice')}`]),
    ...(rule.max_months === null ? [] : [`for ${countOf(rule.max_months, 'month')}`]),
  ];
  const of = rule.basis_points === null ? 'for' : 'of';
  return `${rateWords(rule)} ${of} each paid invoice of ${product}${price}, ${ends.length === 0 ? 'without an end' : ends.join(' and ')}`;
}

const rateWords = ({ basis_points: points, flat_cents: flat }: Pick<OrderRule, 'basis_points' | 'flat_cents'>): string =>
  points === null ? `${dollarsOf(flat ?? 0)} USD` : percentOf(points);

export const settingsWords = ({
  attribution_days: window,
  hold_days: hold,
  approval,
  auto_approve_days: afterDays,
}: Settings): readonly string[] => [
  `A click counts for ${countOf(window, 'day')}`,
  hold === 0 ? 'Billed without a hold for refunds' : `Held ${countOf(hold, 'day')} for refunds`,
  approval === 'auto' ? `Approves itself after ${countOf(afterDays ?? 0, 'day')}` : 'Approved by hand',
];

/** What was made has a time that is over, whatever the viewer's clock says. */
export const notBefore = (now: Date, versions: readonly Terms[]): Date =>
  new Date(Math.max(now.getTime(), ...versions.map(({ made_at: at }) => Date.parse(at))));

/** Like the service does it: the latest that has begun; of two with the same time the later made. */
export function versionInForce(versions: readonly Terms[], now: Date): Terms | null {
  const begun = versions.filter(({ effective_from: from }) => new Date(from) <= now);
  return begun.reduce<Terms | null>((best, terms) => {
    if (best === null || terms.effective_from > best.effective_from) return terms;
    return terms.effective_from === best.effective_from && terms.version > best.version ? terms : best;
  }, null);
}

import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import { day, money, percent, type Reader } from './explain-text.ts';
import type { ConditionsWhy, EarnedWhy, RuleWhy, SkippedRuleWhy, TierWhy } from './why.ts';

/**
 * Where a rate is from, and its conditions, in parentheses; empty if all creators have the same rates without conditions. A creator does
 * not see names of groups.
 */
export function explainRule(rule: RuleWhy | undefined, reader: Reader): string {
  if (rule === undefined) return '';
  const label = ruleLabel(rule, reader);
  if (rule.conditions === undefined) return ` (${label})`;
  return ` (${apiMessage('rule.with_conditions', { rule: label, conditions: conditionsText(rule.conditions) })})`;
}

function ruleLabel({ level, group_name: group, tier }: RuleWhy, reader: Reader): string {
  switch (level) {
    case 'member':
      return apiMessage(reader === 'creator' ? 'rule.own_of_reader' : 'rule.own');
    case 'group':
      return reader === 'creator' || group === undefined ? apiMessage('rule.group_of_reader') : apiMessage('rule.group', { group });
    case 'tier':
      return tier === undefined ? apiMessage('rule.tier') : explainTier(tier);
    case 'product':
      return apiMessage('rule.product');
    case 'program':
      return apiMessage('rule.program');
    default:
      return never(level);
  }
}

/** Such as: tier 2 since 2026-05-03: 41 approved commissions in the month. */
export function explainTier({ number, measure, period, figure, reached_at: reachedAt }: TierWhy): string {
  const facts = { number, since: day(reachedAt), period };
  return measure === 'approved_commissions'
    ? apiMessage('rule.tier_commissions', { ...facts, count: figure })
    : apiMessage('rule.tier_revenue', { ...facts, amount: money(figure) });
}

/** Such as `for new customers, for orders of at least 50.00 USD`. */
export function conditionsText({ products, new_customers: isNew, min_order_cents: least, countries }: ConditionsWhy): string {
  return [
    ...(products === undefined ? [] : [apiMessage('rule.condition_products', { products: products.join(', ') })]),
    ...(isNew === undefined ? [] : [apiMessage('rule.condition_new_customers')]),
    ...(least === undefined ? [] : [apiMessage('rule.condition_min_order', { amount: money(least) })]),
    ...(countries === undefined ? [] : [apiMessage('rule.condition_countries', { countries: countries.join(', ') })]),
  ].join(', ');
}

/** A sentence for each rule that was skipped, followed by a space. Lines of one product share a sentence. */
export function explainSkipped(earned: readonly EarnedWhy[], reader: Reader): string {
  const sentences = earned.flatMap(({ product_id: product, skipped = [] }) =>
    skipped.map((rule) => skippedSentence(rule, product, reader)),
  );
  return [...new Set(sentences)].map((sentence) => `${sentence} `).join('');
}

function skippedSentence(rule: SkippedRuleWhy, product: string | null, reader: Reader): string {
  const { basis_points: points, flat_cents: flat, conditions = {} } = rule;
  const said = {
    rate: points === null ? money(flat ?? 0) : percent(points),
    conditions: conditionsText(conditions),
    level: ` (${ruleLabel(rule, reader)})`,
    because: becauseOf(rule, reader),
  };
  return product === null ? apiMessage('rule.skipped', said) : apiMessage('rule.skipped_for', { ...said, product });
}

/** A creator does not learn where a customer lives. */
function becauseOf({ failed, facts = {} }: SkippedRuleWhy, reader: Reader): string {
  const isCreator = reader === 'creator';
  switch (failed) {
    case 'products':
      return apiMessage('rule.not_products');
    case 'new_customers':
      if (facts.customer === 'known') return apiMessage('rule.not_new_known');
      return apiMessage(isCreator ? 'rule.not_new_unnamed_for_reader' : 'rule.not_new_unnamed');
    case 'min_order':
      return apiMessage('rule.not_min_order', { amount: money(facts.order_cents ?? 0) });
    case 'countries': {
      const country = facts.country ?? null;
      if (country === null) return apiMessage(isCreator ? 'rule.no_country_for_reader' : 'rule.no_country');
      return isCreator ? apiMessage('rule.not_country_for_reader') : apiMessage('rule.not_country', { country });
    }
    default:
      return never(failed);
  }
}

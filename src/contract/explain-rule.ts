import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Speech } from './speech.ts';
import type { ConditionsWhy, EarnedWhy, RuleWhy, SkippedRuleWhy, TierWhy } from './why.ts';

/**
 * Where a rate is from, and its conditions, in parentheses; empty if all creators have the same rates without conditions. A creator does
 * not see names of groups.
 */
export function explainRule(rule: RuleWhy | undefined, speech: Speech): string {
  if (rule === undefined) return '';
  const label = ruleLabel(rule, speech);
  return speech.inParentheses(rule.conditions === undefined ? label : speech.list([label, ...conditionTexts(rule.conditions, speech)]));
}

function ruleLabel({ level, group_name: group, tier }: RuleWhy, speech: Speech): string {
  const { reader, say } = speech;
  switch (level) {
    case 'member':
      return reader === 'creator' ? say('rule.own_of_reader') : apiMessage('rule.own');
    case 'group':
      return reader === 'creator' || group === undefined ? say('rule.group_of_reader') : apiMessage('rule.group', { group });
    case 'tier':
      return tier === undefined ? say('rule.tier') : explainTier(tier, speech);
    case 'product':
      return say('rule.product');
    case 'program':
      return say('rule.program');
    default:
      return never(level);
  }
}

/** Such as: tier 2 since 2026-05-03: 41 approved commissions in the month. */
function explainTier({ number, measure, period, figure, reached_at: reachedAt }: TierWhy, { say, day, money }: Speech): string {
  const facts = { number, since: day(reachedAt), period };
  return measure === 'approved_commissions'
    ? say('rule.tier_commissions', { ...facts, count: figure })
    : say('rule.tier_revenue', { ...facts, amount: money(figure) });
}

/** Such as `for new customers, for orders of at least 50.00 USD`. */
export const conditionsText = (conditions: ConditionsWhy, speech: Speech): string => speech.list(conditionTexts(conditions, speech));

function conditionTexts(
  { products, new_customers: isNew, min_order_cents: least, countries }: ConditionsWhy,
  { say, money, list }: Speech,
): readonly string[] {
  return [
    ...(products === undefined ? [] : [say('rule.condition_products', { products: list(products) })]),
    ...(isNew === undefined ? [] : [say('rule.condition_new_customers')]),
    ...(least === undefined ? [] : [say('rule.condition_min_order', { amount: money(least) })]),
    ...(countries === undefined ? [] : [say('rule.condition_countries', { countries: list(countries) })]),
  ];
}

/** A sentence for each rule that was skipped. Lines of one product share a sentence. */
export function explainSkipped(earned: readonly EarnedWhy[], speech: Speech): string {
  const sentences = earned.flatMap(({ product_id: product, skipped = [] }) =>
    skipped.map((rule) => skippedSentence(rule, product, speech)),
  );
  return speech.paragraph([...new Set(sentences)]);
}

function skippedSentence(rule: SkippedRuleWhy, product: string | null, speech: Speech): string {
  const { basis_points: points, flat_cents: flat, conditions = {} } = rule;
  const said = {
    rate: points === null ? speech.money(flat ?? 0) : speech.percent(points),
    conditions: conditionsText(conditions, speech),
    level: ruleLabel(rule, speech),
    because: becauseOf(rule, speech),
  };
  return product === null ? speech.say('rule.skipped', said) : speech.say('rule.skipped_for', { ...said, product });
}

/** A creator does not learn where a customer lives. */
function becauseOf({ failed, facts = {} }: SkippedRuleWhy, { reader, say, money }: Speech): string {
  const isCreator = reader === 'creator';
  switch (failed) {
    case 'products':
      return say('rule.not_products');
    case 'new_customers':
      if (facts.customer === 'known') return say('rule.not_new_known');
      return isCreator ? say('rule.not_new_unnamed_for_reader') : apiMessage('rule.not_new_unnamed');
    case 'min_order':
      return say('rule.not_min_order', { amount: money(facts.order_cents ?? 0) });
    case 'countries': {
      const country = facts.country ?? null;
      if (country === null) return isCreator ? say('rule.no_country_for_reader') : apiMessage('rule.no_country');
      return isCreator ? say('rule.not_country_for_reader') : apiMessage('rule.not_country', { country });
    }
    default:
      return never(failed);
  }
}

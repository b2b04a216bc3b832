import { ruleWhy } from '../commissions/decide-earning.ts';
import { explainRule } from '../contract/explain-rule.ts';
import { speechToMerchants } from '../contract/speech.ts';
import type { EarnedWhy, RuleWhy } from '../contract/why.ts';
import { amountToJson } from '../core/money.ts';
import { orderRulesOf, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { writeConditions } from '../merchants/conditions-why.ts';

export type PrecededRule = RuleWhy & {
  readonly product_id: string | null;
  readonly basis_points: number | null;
  readonly flat_cents: number | null;
  readonly text: string;
};

/** An order copies at most so many skipped rules, so with more of them the place of the rule that applied is unknown. */
const skippedMax = 5;
const precededMax = 10;

/** The rules that may apply to a part of an order, and come after the one that applied. Their conditions are not compared. */
export function precededRules(terms: TermsOfCreator, part: EarnedWhy): readonly PrecededRule[] {
  const skipped = part.skipped?.length ?? 0;
  if (part.rule === undefined || skipped >= skippedMax) return [];
  return orderRulesOf(terms, part.product_id)
    .slice(skipped + 1)
    .slice(0, precededMax)
    .map(({ rule, level }) => {
      const why: RuleWhy = {
        ...ruleWhy({ level }, terms.facts),
        ...(rule.conditions === undefined ? {} : { conditions: writeConditions(rule.conditions) }),
      };
      const [points, flat] = rule.rate.is === 'share' ? [rule.rate.basisPoints, null] : [null, amountToJson(rule.rate.cents)];
      const rate = points === null ? speechToMerchants.money(flat ?? 0) : speechToMerchants.percent(points);
      return {
        ...why,
        product_id: rule.productId,
        basis_points: points,
        flat_cents: flat,
        text: `${rate}${explainRule(why, speechToMerchants)}`,
      };
    });
}

import { apiMessage } from '../messages/api-message.ts';
import { effectiveRule, rateEffect, rateText, subscriptionEffect, subscriptionText } from './decide-terms-changes.ts';
import { ruleFor, type OrderRule, type SubscriptionRule, type Terms, type TermsRules } from './terms.ts';

export type TierWarning = { readonly field: string; readonly message: string };

type Rules = Pick<TermsRules, 'orderRules' | 'subscriptionRules'>;

/** Tiers that give less than the tier below them, or than the program: each is possible, but probably not what was meant. */
export function lintTiers({ rates, ...program }: Rules & Pick<Terms, 'rates'>): readonly TierWarning[] {
  const tiers = rates.tiers?.tiers ?? [];
  return tiers.flatMap((tier, index) => {
    const below = tiers[index - 1] ?? program;
    const field = `tiers.tiers.${index}`;
    return [
      ...lessForOrders({ tier, below, program }).map((message) => ({ field: `${field}.order_rules`, message })),
      ...lessForSubscriptions({ tier, below, program }).map((message) => ({ field: `${field}.subscription_rules`, message })),
    ];
  });
}

type Compared = { readonly tier: Rules; readonly below: Rules; readonly program: Rules };

/** Where a tier has no rule for a product, the program's applies, and not the one of the tier below. */
function lessForOrders({ tier, below, program }: Compared): readonly string[] {
  const products = new Set([null, ...[tier, below, program].flatMap(({ orderRules }) => orderRules.map(({ productId }) => productId))]);
  const rateOf = (rules: Rules, productId: OrderRule['productId']) =>
    (ruleFor(rules, { productId }) ?? ruleFor(program, { productId }))?.rate ?? null;
  return [...products].flatMap((productId) => {
    const [before, after] = [rateOf(below, productId), rateOf(tier, productId)];
    if (rateEffect(before, after) !== 'worse') return [];
    return [lessText({ product: productId, before: rateText(before), after: rateText(after) })];
  });
}

function lessForSubscriptions({ tier, below, program }: Compared): readonly string[] {
  const all = [{ productId: null, priceId: null }, ...[tier, below, program].flatMap(({ subscriptionRules }) => subscriptionRules)];
  const subjects = new Map(all.map(({ productId, priceId }) => [JSON.stringify([productId, priceId]), { productId, priceId }]));
  const ruleOf = (rules: Rules, of: Pick<SubscriptionRule, 'productId' | 'priceId'>) =>
    effectiveRule(rules, of) ?? effectiveRule(program, of);
  return [...subjects.values()].flatMap((subject) => {
    const [before, after] = [ruleOf(below, subject), ruleOf(tier, subject)];
    if (subscriptionEffect(before, after) !== 'worse') return [];
    return [lessText({ product: subject.productId, before: subscriptionText(before), after: subscriptionText(after) })];
  });
}

type Less = { readonly product: string | null; readonly before: string; readonly after: string };

const lessText = ({ product, ...rates }: Less): string =>
  product === null ? apiMessage('tier_warning.less', rates) : apiMessage('tier_warning.less_for_product', { product, ...rates });

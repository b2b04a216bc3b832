import { amountToJson, noCents, shareHalfUp, minCents, sum, times, type Cents } from '../core/money.ts';
import { never } from '../core/invariant.ts';
import { decideOrderRule, type AppliedRule, type RateFacts, type SkippedRule } from '../merchants/applied-rule.ts';
import { factsWhy, writeConditions } from '../merchants/conditions-why.ts';
import type { OrderFacts, RuleConditions } from '../merchants/rule-conditions.ts';
import type { VersionChoice } from '../merchants/terms-of-order.ts';
import type { OrderRule, Rate, RateTerms, Terms } from '../merchants/terms.ts';
import type { ReachedTier } from '../merchants/tiers.ts';
import type { BudgetWhy, RuleWhy, SkippedRuleWhy, TermsWhy, TierWhy } from '../contract/why.ts';
import { publicId } from '../core/ids.ts';

export type OrderLine = { readonly productId: string; readonly amount: Cents; readonly quantity: bigint };
export type Earning = {
  readonly amount: Cents;
  /** One part per order, or one per line if the program pays per product. */
  readonly parts: readonly EarningPart[];
};
export type EarningPart = {
  readonly productId: string | null;
  readonly of: Cents;
  readonly quantity: bigint;
  /** Null if no rule matches: the part earns nothing. */
  readonly rate: Rate | null;
  readonly amount: Cents;
  /** Where the rate is from, if the terms have different rates or conditions. A refund keeps it. */
  readonly rule?: RuleWhy;
  readonly skipped?: SkippedRuleWhy[];
  /** The part earns nothing, because the order would have exceeded a budget. */
  readonly budget?: BudgetWhy;
  /** Why another version of the terms applied than the one in force for all. */
  readonly terms?: TermsWhy;
};

type EarningTerms = Pick<Terms, 'pays' | 'orderRules'> & {
  readonly rates?: RateTerms;
  readonly facts?: RateFacts;
  readonly version?: number;
  readonly choice?: VersionChoice;
};

/** An order as rules compare it. Without `facts`, it has no customer and no country. */
type EarningOrder = {
  readonly eligible: Cents;
  readonly lines: readonly OrderLine[];
  readonly facts?: Omit<OrderFacts, 'eligible'>;
};

/** The commission of an order under the terms in force when it happened. */
export function decideEarning(terms: EarningTerms, { eligible, lines, facts = unknownFacts }: EarningOrder): Earning {
  const compared = { ...facts, eligible };
  if (terms.pays === 'order') {
    const whole = { productId: null, amount: eligible, quantity: 1n };
    return sumParts(withTermsWhy(terms, [earningPart(terms, whole, compared)]));
  }
  return sumParts(
    withTermsWhy(
      terms,
      lines.map((line) => earningPart(terms, line, compared)),
    ),
  );
}

/** Adds to the first part why this version applied. */
export function withTermsWhy(terms: ChosenTerms, parts: readonly EarningPart[]): readonly EarningPart[] {
  const why = termsWhy(terms);
  return why === undefined ? parts : parts.map((part, index) => (index === 0 ? { ...part, terms: why } : part));
}

type ChosenTerms = Pick<EarningTerms, 'version' | 'choice'>;

export const termsWhy = ({ version, choice }: ChosenTerms): TermsWhy | undefined =>
  version === undefined || choice === undefined
    ? undefined
    : {
        because: choice.because,
        version,
        at: choice.at.toISOString(),
        changed_version: choice.changed.version,
        changed_from: choice.changed.effectiveFrom.toISOString(),
      };

const unknownFacts = { isNewCustomer: null, country: null };

/** A later refund computes from no rate, so it takes nothing either. */
export const withoutBudget = ({ parts }: Earning, budget: BudgetWhy): Earning =>
  sumParts(
    parts.map(({ productId, of, quantity, terms }) => ({
      productId,
      of,
      quantity,
      rate: null,
      amount: noCents,
      budget,
      ...(terms && { terms }),
    })),
  );

export const sumParts = (parts: readonly EarningPart[]): Earning => ({ amount: sum(parts.map(({ amount }) => amount)), parts });

type Item = { readonly productId: string | null; readonly amount: Cents; readonly quantity: bigint };

function earningPart(terms: EarningTerms, item: Item, facts: OrderFacts): EarningPart {
  const { productId, amount, quantity } = item;
  const { applied, skipped } = decideOrderRule(terms, item, facts);
  const rate = applied?.rule.rate ?? null;
  const part = { productId, of: amount, quantity, rate, amount: applyRate(rate, { amount, quantity }) };
  const isExplained = terms.facts !== undefined || skipped.length > 0 || applied?.rule.conditions !== undefined;
  return {
    ...part,
    ...(applied === null || !isExplained ? {} : { rule: { ...ruleWhy(applied, terms.facts), ...conditionsWhy(applied.rule, facts) } }),
    ...(skipped.length === 0 ? {} : { skipped: skipped.slice(0, skippedMax).map((one) => skippedWhy(one, terms.facts, facts)) }),
  };
}

/** Bounds what an order stores; terms may have hundreds of rules. */
const skippedMax = 5;

const noRateFacts: RateFacts = { memberId: null, group: null };

export const ruleWhy = (
  { level }: Pick<AppliedRule<unknown>, 'level'>,
  { memberId, group, tier }: RateFacts = noRateFacts,
): Pick<RuleWhy, 'level' | 'member_id' | 'group_id' | 'group_name' | 'tier'> => ({
  level,
  ...(level === 'member' && memberId !== null ? { member_id: publicId('mem', memberId) } : {}),
  ...(level === 'group' && group !== null ? { group_id: publicId('grp', group.groupId), group_name: group.name } : {}),
  ...(level === 'tier' && tier !== undefined ? { tier: tierWhy(tier) } : {}),
});

const tierWhy = ({ number, measure, period, threshold, figure, reachedAt }: ReachedTier): TierWhy => ({
  number,
  measure,
  period,
  threshold: Number(threshold),
  figure: Number(figure),
  reached_at: reachedAt.toISOString(),
});

function conditionsWhy({ conditions }: { readonly conditions?: RuleConditions }, facts: OrderFacts): Pick<RuleWhy, 'conditions' | 'facts'> {
  return conditions === undefined ? {} : { conditions: writeConditions(conditions), facts: factsWhy(conditions, facts) };
}

const skippedWhy = ({ rule, level, failed }: SkippedRule, of: RateFacts | undefined, facts: OrderFacts): SkippedRuleWhy => ({
  ...ruleWhy({ level }, of),
  product_id: rule.productId,
  ...rateWhy(rule),
  ...conditionsWhy(rule, facts),
  failed,
});

const rateWhy = ({ rate }: OrderRule) => ({
  basis_points: rate.is === 'share' ? rate.basisPoints : null,
  flat_cents: rate.is === 'flat' ? amountToJson(rate.cents) : null,
});

/** A flat amount counts per order, or per unit of a line. The result never exceeds the amount it is earned on. */
export function applyRate(rate: Rate | null, { amount, quantity }: { readonly amount: Cents; readonly quantity: bigint }): Cents {
  if (rate === null) return noCents;
  switch (rate.is) {
    case 'share':
      return shareHalfUp(amount, rate.basisPoints);
    case 'flat':
      return minCents(amount, times(rate.cents, quantity));
    default:
      return never(rate);
  }
}

import type { Id } from '../core/ids.ts';
import { failedCondition, type ConditionName, type OrderFacts } from './rule-conditions.ts';
import type { TermsOfOrder } from './terms-of-order.ts';
import { type ReachedTier } from './tiers.ts';
import {
  subscriptionRuleFor,
  type OrderItem,
  type OrderRule,
  type RateTerms,
  type Subscribed,
  type SubscriptionRule,
  type TermsRules,
} from './terms.ts';

export type GroupName = { readonly groupId: Id<'grp'>; readonly name: string };

/** Who earns, as far as rates depend on it. The group is the one at the time of the order. */
export type RateFacts = {
  /** Null: a creator without a membership, in a simulation. */
  readonly memberId: Id<'mem'> | null;
  readonly group: GroupName | null;
  /** The tier at the time of the order, with what was counted; absent if none was reached. */
  readonly tier?: ReachedTier;
};

/** The terms with the facts of the creator who earns. Without facts, the terms have the same rates for all creators. */
export type TermsOfCreator = TermsOfOrder & { readonly facts?: RateFacts };

/** Where a rule is from, in order of precedence: the first level with a rule that matches wins. */
export const ruleLevels = ['member', 'group', 'tier', 'product', 'program'] as const;
export type RuleLevel = (typeof ruleLevels)[number];
export type AppliedRule<Rule> = { readonly rule: Rule; readonly level: RuleLevel };

type OrderRules = Pick<TermsRules, 'orderRules'> & { readonly rates?: RateTerms; readonly facts?: RateFacts };

/** A rule that preceded the one that applied, and the first of its conditions that did not hold. */
export type SkippedRule = AppliedRule<OrderRule> & { readonly failed: ConditionName };
/** Null: no commission. */
export type OrderRuleDecision = { readonly applied: AppliedRule<OrderRule> | null; readonly skipped: readonly SkippedRule[] };

/** The first rule, in order of precedence, whose conditions hold. */
export function decideOrderRule(terms: OrderRules, { productId }: OrderItem, facts: OrderFacts): OrderRuleDecision {
  const skipped: SkippedRule[] = [];
  for (const { rule, level } of orderRulesOf(terms, productId)) {
    const failed = rule.conditions === undefined ? null : failedCondition(rule.conditions, { ...facts, productId });
    if (failed === null) return { applied: { rule, level }, skipped };
    skipped.push({ rule, level, failed });
  }
  return { applied: null, skipped };
}

/** The rules that may apply to a product, in order of precedence: of the membership, its group, its tier, and the program. */
export function orderRulesOf(terms: OrderRules, productId: string | null): ReadonlyArray<AppliedRule<OrderRule>> {
  const own = ratesOfCreator(terms).flatMap(({ level, orderRules }) =>
    byPrecedence(orderRules, productId).map((rule) => ({ rule, level })),
  );
  const ofProgram = byPrecedence(terms.orderRules, productId).map((rule) => ({ rule, level: ofProductOrAll(rule) }));
  return [...own, ...ofProgram];
}

const isForAll = ({ productId, conditions }: OrderRule): boolean => productId === null && conditions?.products === undefined;
const ofProductOrAll = (rule: OrderRule): RuleLevel => (isForAll(rule) ? 'program' : 'product');

/**
 * Within a level: rules for the product, then rules for a list of products, then rules for all. Among those, rules with conditions come
 * first, in the order of the terms.
 */
function byPrecedence(rules: readonly OrderRule[], productId: string | null): readonly OrderRule[] {
  const groups = [
    rules.filter((rule) => rule.productId !== null && rule.productId === productId),
    rules.filter((rule) => rule.productId === null && !isForAll(rule)),
    rules.filter(isForAll),
  ];
  return groups.flatMap((group) => [
    ...group.filter(({ conditions }) => conditions !== undefined),
    ...group.filter(({ conditions }) => conditions === undefined),
  ]);
}

type SubscriptionRules = Pick<TermsRules, 'subscriptionRules'> & { readonly rates?: RateTerms; readonly facts?: RateFacts };

/** Null: no commission. */
export function appliedSubscriptionRule(terms: SubscriptionRules, subscribed: Subscribed): AppliedRule<SubscriptionRule> | null {
  for (const { level, subscriptionRules } of ratesOfCreator(terms)) {
    const rule = subscriptionRuleFor({ subscriptionRules }, subscribed);
    if (rule !== null) return { rule, level };
  }
  const rule = subscriptionRuleFor(terms, subscribed);
  return rule && { rule, level: rule.productId === null && rule.priceId === null ? 'program' : 'product' };
}

export type RatesOfLevel = Pick<TermsRules, 'orderRules' | 'subscriptionRules'> & { readonly level: 'member' | 'group' | 'tier' };

/** The rates that precede the program's: those of the membership, then of its group, then of its tier. */
export function ratesOfCreator({ rates, facts }: Pick<OrderRules, 'rates' | 'facts'>): readonly RatesOfLevel[] {
  if (rates === undefined || facts === undefined) return [];
  const ofMember = rates.own.find(({ subject }) => subject.is === 'member' && subject.memberId === facts.memberId);
  const ofGroup = rates.own.find(({ subject }) => subject.is === 'group' && subject.groupId === facts.group?.groupId);
  const ofTier = facts.tier === undefined ? undefined : rates.tiers?.tiers[facts.tier.number - 1];
  return [
    ...(ofMember === undefined ? [] : [{ ...ofMember, level: 'member' as const }]),
    ...(ofGroup === undefined ? [] : [{ ...ofGroup, level: 'group' as const }]),
    ...(ofTier === undefined ? [] : [{ ...ofTier, level: 'tier' as const }]),
  ];
}

/** Whether a rule of any level asks if the customer is new. */
export const asksForNewCustomers = ({ orderRules, rates }: Pick<TermsRules, 'orderRules' | 'rates'>): boolean =>
  [orderRules, ...[...rates.own, ...(rates.tiers?.tiers ?? [])].map((of) => of.orderRules)]
    .flat()
    .some(({ conditions }) => conditions?.newCustomers === true);

/** Whether the facts of a creator can change what an order earns. */
export const needsRateFacts = ({ rates }: Pick<TermsRules, 'rates'>): boolean => rates.own.length > 0 || rates.tiers !== null;

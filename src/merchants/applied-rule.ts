import type { Id } from '../core/ids.ts';
import {
  ruleFor,
  subscriptionRuleFor,
  type OrderItem,
  type OrderRule,
  type OwnRates,
  type RateTerms,
  type Subscribed,
  type SubscriptionRule,
  type Terms,
  type TermsRules,
} from './terms.ts';

export type GroupName = { readonly groupId: Id<'grp'>; readonly name: string };

/** Who earns, as far as rates depend on it. The group is the one at the time of the order. */
export type RateFacts = {
  /** Null: a creator without a membership, in a simulation. */
  readonly memberId: Id<'mem'> | null;
  readonly group: GroupName | null;
};

/** The terms with the facts of the creator who earns. Without facts, the terms have the same rates for all creators. */
export type TermsOfCreator = Terms & { readonly facts?: RateFacts };

/** Where a rule is from, in order of precedence: the first level with a rule that matches wins. */
export const ruleLevels = ['member', 'group', 'product', 'program'] as const;
export type RuleLevel = (typeof ruleLevels)[number];
export type AppliedRule<Rule> = { readonly rule: Rule; readonly level: RuleLevel };

type OrderRules = Pick<TermsRules, 'orderRules'> & { readonly rates?: RateTerms; readonly facts?: RateFacts };

/** Null: no commission. */
export function appliedOrderRule(terms: OrderRules, item: OrderItem): AppliedRule<OrderRule> | null {
  for (const { subject, orderRules } of ownRatesOf(terms)) {
    const rule = ruleFor({ orderRules }, item);
    if (rule !== null) return { rule, level: subject.is };
  }
  const rule = ruleFor(terms, item);
  return rule && { rule, level: rule.productId === null ? 'program' : 'product' };
}

type SubscriptionRules = Pick<TermsRules, 'subscriptionRules'> & { readonly rates?: RateTerms; readonly facts?: RateFacts };

/** Null: no commission. */
export function appliedSubscriptionRule(terms: SubscriptionRules, subscribed: Subscribed): AppliedRule<SubscriptionRule> | null {
  for (const { subject, subscriptionRules } of ownRatesOf(terms)) {
    const rule = subscriptionRuleFor({ subscriptionRules }, subscribed);
    if (rule !== null) return { rule, level: subject.is };
  }
  const rule = subscriptionRuleFor(terms, subscribed);
  return rule && { rule, level: rule.productId === null && rule.priceId === null ? 'program' : 'product' };
}

/** The rates of the membership, then those of its group. */
export function ownRatesOf({ rates, facts }: Pick<OrderRules, 'rates' | 'facts'>): readonly OwnRates[] {
  if (rates === undefined || facts === undefined) return [];
  const ofMember = rates.own.find(({ subject }) => subject.is === 'member' && subject.memberId === facts.memberId);
  const ofGroup = rates.own.find(({ subject }) => subject.is === 'group' && subject.groupId === facts.group?.groupId);
  return [ofMember, ofGroup].filter((own) => own !== undefined);
}

/** Whether the facts of a creator can change what an order earns. */
export const needsRateFacts = ({ rates }: Pick<TermsRules, 'rates'>): boolean => rates.own.length > 0;

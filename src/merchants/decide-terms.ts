import type { FieldError } from '../http/responses.ts';
import { errorsOfGoals, readGoals, type GoalJson } from './goals.ts';
import { basisPoints, basisPointsMax, cents } from '../core/money.ts';
import { readPublicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { plusDays } from '../core/time.ts';
import {
  clicksOnly,
  type AttributionTerms,
  type LeadRule,
  type OrderRule,
  type OwnRates,
  type Rate,
  type RateSubject,
  type SubscriptionRule,
  type TermsRules,
} from './terms.ts';
import { errorsOfTiers, type TiersDraft } from './decide-tiers.ts';
import { budgetOf, errorsOfBudget, type BudgetDraft } from './budget-limits.ts';
import { apiMessage } from '../messages/api-message.ts';
import { writeConditions } from './conditions-why.ts';
import { conditionsErrorOf, conditionsOf, type ConditionsDraft } from './decide-conditions.ts';

/** A requested rule. The decision checks which of its numbers are given. */
export type RuleDraft = {
  readonly productId: string | null;
  readonly basisPoints: number | null;
  readonly flatCents: number | null;
  readonly conditions?: ConditionsDraft | undefined;
};

export type SubscriptionRuleDraft = RuleDraft & {
  readonly priceId: string | null;
  readonly maxInvoices: number | null;
  /** Undefined: not given. Null: the rule has no end. */
  readonly maxMonths: number | null | undefined;
};

/** Own rates as requested. The decision checks that exactly one subject is given. */
export type OwnRatesDraft = {
  readonly groupId: string | null;
  readonly memberId: string | null;
  readonly orderRules: readonly RuleDraft[];
  readonly subscriptionRules: readonly SubscriptionRuleDraft[];
};

export type TermsDraft = {
  /** Undefined: effective immediately. */
  readonly effectiveFrom: Date | 'unreadable' | undefined;
  readonly pays: 'order' | 'product';
  /** Undefined: not given. */
  readonly orderRules: readonly RuleDraft[] | undefined;
  readonly subscriptionRules: readonly SubscriptionRuleDraft[] | undefined;
  /** Undefined: only clicks earn. */
  readonly attribution?: AttributionTerms | undefined;
  /** Undefined: the same rates for all creators. */
  readonly ownRates?: readonly OwnRatesDraft[] | undefined;
  /** Null or undefined: rates do not depend on what was approved. */
  readonly budget?: BudgetDraft | null | undefined;
  readonly goals?: readonly GoalJson[] | null | undefined;
  readonly tiers?: TiersDraft<readonly RuleDraft[], readonly SubscriptionRuleDraft[]> | null | undefined;
  /** Null or undefined: no notice of later changes. */
  readonly noticeDays?: number | null | undefined;
  /** Null or undefined: clicks before the start of the version do not keep the former one. */
  readonly protectClickDays?: number | null | undefined;
};

export type TermsFacts = { readonly now: Date; readonly wasEverPublished: boolean; readonly versionCount: number } & RateSubjects;

/** The groups and memberships of the program that the draft names. */
export type RateSubjects = { readonly groups: ReadonlySet<string>; readonly members: ReadonlySet<string> };
export const noSubjects: RateSubjects = { groups: new Set(), members: new Set() };

export type TermsDecision =
  | ({ readonly do: 'add'; readonly effectiveFrom: Date } & TermsRules)
  | { readonly do: 'refuse'; readonly why: 'invalid'; readonly fieldErrors: readonly FieldError[] }
  | { readonly do: 'refuse'; readonly why: 'too many versions' };

const flatCentsMax = 100_000_000;
const invoicesMax = 1_200;
const monthsMax = 1_200;
const monthsUsual = 12;
export const versionsMax = 1_000;
/** Rejects dates that can only be a mistake. */
const daysFromNowMax = 3_660;

/** Checks every rule for a new version of a program's terms. */
export function decideTerms(draft: TermsDraft, facts: TermsFacts): TermsDecision {
  if (facts.versionCount >= versionsMax) return { do: 'refuse', why: 'too many versions' };
  const {
    effectiveFrom = facts.now,
    pays,
    orderRules = [],
    subscriptionRules = [],
    attribution = clicksOnly,
    ownRates = [],
    tiers = null,
  } = draft;
  const timeError = timeErrorOf(effectiveFrom, facts);
  if (timeError !== null || effectiveFrom === 'unreadable')
    return refuse([{ field: 'effective_from', message: timeError ?? apiMessage('decide_terms.not_valid_time') }]);
  if (draft.orderRules === undefined && draft.subscriptionRules === undefined) {
    return refuse([{ field: 'order_rules', message: apiMessage('decide_terms.or_subscription_rules_required_empty_lis') }]);
  }

  const errors = [
    ...errorsOfRules('order_rules', orderRules, (rule, others) => checkOrderRule(rule, others, pays)),
    ...errorsOfRules('subscription_rules', subscriptionRules, checkSubscriptionRule),
    ...errorsOfReturning(attribution),
    ...errorsOfRules('leads', attribution.leads, checkLeadRule),
    ...errorsOfOwnRates(ownRates, facts, pays),
    ...errorsOfBudget(draft.budget ?? {}),
    ...errorsOfGoals(draft.goals ?? []),
    ...(tiers === null
      ? []
      : [...errorsOfTiers(tiers), ...tiers.tiers.flatMap((tier, index) => errorsOfRuleLists(`tiers.tiers.${index}`, tier, pays))]),
  ];
  if (errors.length > 0) return refuse(errors);
  const limits = budgetOf(draft.budget ?? {});
  return {
    do: 'add',
    effectiveFrom,
    pays,
    orderRules: orderRules.map(orderRuleOf),
    subscriptionRules: subscriptionRules.map(subscriptionRuleOf),
    attribution,
    ...(limits && { budget: limits }),
    ...(draft.noticeDays && { noticeDays: draft.noticeDays }),
    ...(draft.protectClickDays && { protectClickDays: draft.protectClickDays }),
    ...readGoals(draft.goals),
    rates: {
      own: ownRates.map(ownRatesOf),
      tiers: tiers && { ...tiers, tiers: tiers.tiers.map((tier) => ({ threshold: BigInt(tier.threshold), ...ruleListsOf(tier) })) },
    },
  };
}

const refuse = (fieldErrors: readonly FieldError[]): TermsDecision => ({ do: 'refuse', why: 'invalid', fieldErrors });

function timeErrorOf(effectiveFrom: Date | 'unreadable', { now, wasEverPublished }: TermsFacts): string | null {
  if (effectiveFrom === 'unreadable') return 'must be a time such as 2026-03-01T12:00:00.000Z';
  if (effectiveFrom < now && wasEverPublished) return 'must not be in the past, because this program was already published';
  if (effectiveFrom < plusDays(now, -daysFromNowMax) || effectiveFrom > plusDays(now, daysFromNowMax))
    return 'must be at most ten years from now';
  return null;
}

/** Returns the first error of each rule; a rule is compared with those before it. */
function errorsOfRules<Draft>(
  list: string,
  rules: readonly Draft[],
  checkRule: (rule: Draft, above: readonly Draft[]) => RuleError | null,
): readonly FieldError[] {
  return rules.flatMap((rule, index) => {
    const error = checkRule(rule, rules.slice(0, index));
    return error === null ? [] : [{ field: `${list}.${index}${error.of === '' ? '' : `.${error.of}`}`, message: error.message }];
  });
}

type RuleError = { readonly of: string; readonly message: string };

function checkOrderRule(rule: RuleDraft, above: readonly RuleDraft[], pays: 'order' | 'product'): RuleError | null {
  if (rule.productId !== null && pays === 'order')
    return { of: 'product_id', message: apiMessage('decide_terms.not_allowed_if_program_pays') };
  const conditionsError = conditionsErrorOf(rule.conditions ?? {}, { productId: rule.productId, pays });
  if (conditionsError !== null) return { ...conditionsError, of: `conditions.${conditionsError.of}` };
  if (above.some((other) => other.productId === rule.productId && conditionsKey(other) === conditionsKey(rule)))
    return { of: '', message: apiMessage('decide_terms.has_same_product_as_earlier') };
  return checkRate(rule);
}

const conditionsKey = ({ conditions }: RuleDraft): string => JSON.stringify(writeConditions(conditionsOf(conditions) ?? {}));

function checkSubscriptionRule(rule: SubscriptionRuleDraft, above: readonly SubscriptionRuleDraft[]): RuleError | null {
  if (above.some(({ productId, priceId }) => productId === rule.productId && priceId === rule.priceId)) {
    return { of: '', message: apiMessage('decide_terms.has_same_product_and_price') };
  }
  if (rule.maxInvoices !== null && !isWithin(rule.maxInvoices, 1, invoicesMax)) return outside('max_invoices', 1, invoicesMax);
  if (typeof rule.maxMonths === 'number' && !isWithin(rule.maxMonths, 1, monthsMax)) return outside('max_months', 1, monthsMax);
  return checkRate(rule);
}

function checkRate({ basisPoints: points, flatCents: flat }: RuleDraft): RuleError | null {
  if (points !== null && flat !== null) return { of: '', message: apiMessage('decide_terms.must_have_either_basis_points_or') };
  if (points === null && flat === null) return { of: '', message: apiMessage('decide_terms.must_have_either_basis_points_or_2') };
  if (points !== null && !isWithin(points, 0, basisPointsMax)) return outside('basis_points', 0, basisPointsMax);
  if (flat !== null && !isWithin(flat, 0, flatCentsMax)) return outside('flat_cents', 0, flatCentsMax);
  return null;
}

const leadsPerMonthMax = 1_000_000;

function checkLeadRule({ kind, amount, perMonthMax }: LeadRule, above: readonly LeadRule[]): RuleError | null {
  if (above.some((rule) => rule.kind === kind)) return { of: 'kind', message: apiMessage('decide_terms.has_same_kind') };
  if (amount < 0n || amount > BigInt(flatCentsMax)) return outside('flat_cents', 0, flatCentsMax);
  if (perMonthMax !== null && !isWithin(perMonthMax, 1, leadsPerMonthMax)) return outside('max_per_month', 1, leadsPerMonthMax);
  return null;
}

const returningDaysMax = 3_650;
const returningOrdersMax = 10_000;

function errorsOfReturning({ returning }: AttributionTerms): readonly FieldError[] {
  if (returning === null) return [];
  const { days, ordersMax } = returning;
  const isDaysWrong = !isWithin(days, 1, returningDaysMax);
  const isOrdersWrong = ordersMax !== null && !isWithin(ordersMax, 1, returningOrdersMax);
  return [
    ...(isDaysWrong ? [{ field: 'returning.days', message: outside('', 1, returningDaysMax).message }] : []),
    ...(isOrdersWrong ? [{ field: 'returning.orders', message: outside('', 1, returningOrdersMax).message }] : []),
  ];
}

/** Each group and membership has one list; its rules are checked like the program's. */
function errorsOfOwnRates(own: readonly OwnRatesDraft[], subjects: RateSubjects, pays: 'order' | 'product'): readonly FieldError[] {
  return own.flatMap((rates, index) => {
    const list = `own_rates.${index}`;
    const error = subjectErrorOf(rates, own.slice(0, index), subjects);
    if (error !== null) return [{ field: `${list}${error.of === '' ? '' : `.${error.of}`}`, message: error.message }];
    return errorsOfRuleLists(list, rates, pays);
  });
}

type RuleLists = Pick<OwnRatesDraft, 'orderRules' | 'subscriptionRules'>;

const errorsOfRuleLists = (list: string, rules: RuleLists, pays: 'order' | 'product'): readonly FieldError[] => [
  ...errorsOfRules(`${list}.order_rules`, rules.orderRules, (rule, others) => checkOrderRule(rule, others, pays)),
  ...errorsOfRules(`${list}.subscription_rules`, rules.subscriptionRules, checkSubscriptionRule),
];

function subjectErrorOf(rates: OwnRatesDraft, above: readonly OwnRatesDraft[], { groups, members }: RateSubjects): RuleError | null {
  const { groupId, memberId, orderRules, subscriptionRules } = rates;
  if ((groupId === null) === (memberId === null)) return { of: '', message: apiMessage('decide_terms.either_group_or_member') };
  if (groupId !== null && !groups.has(groupId)) return { of: 'group_id', message: apiMessage('decide_terms.not_group_of_program') };
  if (memberId !== null && !members.has(memberId)) return { of: 'member_id', message: apiMessage('decide_terms.not_member_of_program') };
  if (above.some((other) => other.groupId === groupId && other.memberId === memberId))
    return { of: '', message: apiMessage('decide_terms.has_same_subject_as_earlier') };
  if (orderRules.length + subscriptionRules.length === 0) return { of: 'order_rules', message: apiMessage('decide_terms.needs_a_rule') };
  return null;
}

const ownRatesOf = ({ groupId, memberId, ...rules }: OwnRatesDraft): OwnRates => ({
  subject: rateSubjectOf(groupId, memberId),
  ...ruleListsOf(rules),
});

const ruleListsOf = ({ orderRules, subscriptionRules }: RuleLists): Pick<TermsRules, 'orderRules' | 'subscriptionRules'> => ({
  orderRules: orderRules.map(orderRuleOf),
  subscriptionRules: subscriptionRules.map(subscriptionRuleOf),
});

function rateSubjectOf(group: string | null, member: string | null): RateSubject {
  const groupId = group === null ? null : readPublicId('grp', group);
  if (groupId !== null) return { is: 'group', groupId };
  const memberId = member === null ? null : readPublicId('mem', member);
  invariant(memberId !== null, 'a valid subject is a group or a member');
  return { is: 'member', memberId };
}

const isWithin = (number: number, least: number, most: number) => Number.isInteger(number) && number >= least && number <= most;
const outside = (of: string, least: number, most: number): RuleError => ({
  of,
  message: apiMessage('decide_terms.must_whole_number_from', { least, most }),
});

function orderRuleOf(draft: RuleDraft): OrderRule {
  const conditions = conditionsOf(draft.conditions);
  return { productId: draft.productId, rate: rateOf(draft), ...(conditions === undefined ? {} : { conditions }) };
}

const subscriptionRuleOf = (draft: SubscriptionRuleDraft): SubscriptionRule => ({
  productId: draft.productId,
  priceId: draft.priceId,
  rate: rateOf(draft),
  maxInvoices: draft.maxInvoices,
  maxMonths: draft.maxMonths ?? (draft.maxMonths === undefined && draft.maxInvoices === null ? monthsUsual : null),
});

function rateOf({ basisPoints: points, flatCents: flat }: RuleDraft): Rate {
  if (points !== null) return { is: 'share', basisPoints: basisPoints(points) };
  invariant(flat !== null, 'a valid rule has a rate');
  return { is: 'flat', cents: cents(flat) };
}

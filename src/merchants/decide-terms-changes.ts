import { goalKey, type Goal } from './goals.ts';
import { apiMessage } from '../messages/api-message.ts';
import { publicId } from '../core/ids.ts';
import { cents, dollars, noCents } from '../core/money.ts';
import { conditionsText } from '../contract/explain-rule.ts';
import { speechToMerchants } from '../contract/speech.ts';
import { writeConditions } from './conditions-why.ts';
import type { RuleConditions } from './rule-conditions.ts';
import {
  ruleFor,
  sameRates,
  type Budget,
  type LeadRule,
  type OrderRule,
  type OwnRates,
  type Rate,
  type Returning,
  type SubscriptionRule,
  type Terms,
  type TierTerms,
} from './terms.ts';

/** What a change means for the creators of a program. `depends`: better for some orders or creators, and worse for others. */
export const changeEffects = ['better', 'worse', 'depends'] as const;
export type ChangeEffect = (typeof changeEffects)[number];

export const changedFields = [
  'pays',
  'order_rule',
  'order_of_rules',
  'subscription_rule',
  'own_rates',
  'tiers',
  'budget',
  'goals',
  'lead_rule',
  'attribution_days',
  'hold_days',
  'approval',
  'codes',
  'returning',
  'notice_days',
] as const;

export type TermsChange = {
  readonly field: (typeof changedFields)[number];
  /** Of a rule for orders or subscriptions; null for all others. */
  readonly productId: string | null;
  readonly priceId: string | null;
  /** Of a rule for leads. */
  readonly leadKind: string | null;
  /** Of own rates: the group or the membership. */
  readonly ownerId: string | null;
  /** Of a rule for orders, in words; null without conditions. */
  readonly conditions: string | null;
  readonly before: string;
  readonly after: string;
  readonly effect: ChangeEffect;
};

/** Whether all changes together are better or worse. Null: nothing changed. */
export function overallEffect(changes: readonly TermsChange[]): ChangeEffect | null {
  const effects = new Set(changes.map(({ effect }) => effect));
  const [only = null] = effects;
  return effects.size > 1 ? 'depends' : only;
}

/**
 * What changes between two versions. Rules are compared by what they give: for each product that either version names, and for all
 * others, the rate before and after. So a removed rule that equals the general one changes nothing. Before the first version nothing earns.
 */
export function decideTermsChanges(before: Terms | null, after: Terms): readonly TermsChange[] {
  const { goals: _goals, ...withoutGoals } = after;
  const former = before ?? {
    ...withoutGoals,
    orderRules: [],
    subscriptionRules: [],
    attribution: { ...after.attribution, leads: [] },
    rates: sameRates,
  };
  return [
    ...change('pays', { before: paysText(former), after: paysText(after) }, 'depends'),
    ...orderChanges(former, after),
    ...subscriptionChanges(former, after),
    ...ownRatesChanges(former, after),
    ...change('tiers', { before: tiersText(former.rates.tiers), after: tiersText(after.rates.tiers) }, 'depends'),
    ...change('budget', { before: budgetText(former.budget), after: budgetText(after.budget) }, budgetEffect(former.budget, after.budget)),
    ...change('goals', { before: goalsText(former.goals), after: goalsText(after.goals) }, goalsEffect(former.goals, after.goals)),
    ...leadChanges(former, after),
    ...change(
      'attribution_days',
      { before: days(former.attributionDays), after: days(after.attributionDays) },
      more(former.attributionDays, after.attributionDays),
    ),
    ...change('hold_days', { before: days(former.holdDays), after: days(after.holdDays) }, more(after.holdDays, former.holdDays)),
    ...change('approval', { before: approvalText(former), after: approvalText(after) }, more(approvalDays(after), approvalDays(former))),
    ...change('codes', { before: codesText(former), after: codesText(after) }, codesEffect(former, after)),
    ...change(
      'returning',
      { before: returningText(former), after: returningText(after) },
      returningEffect(former.attribution.returning, after.attribution.returning),
    ),
    ...change('notice_days', { before: noticeText(former), after: noticeText(after) }, more(former.noticeDays ?? 0, after.noticeDays ?? 0)),
  ];
}

type Subject = Partial<Pick<TermsChange, 'productId' | 'priceId' | 'leadKind' | 'ownerId' | 'conditions'>>;

/** Effects are compared only if the texts differ. */
const change = (
  field: TermsChange['field'],
  { before, after }: Pick<TermsChange, 'before' | 'after'>,
  effect: ChangeEffect | null,
  { productId = null, priceId = null, leadKind = null, ownerId = null, conditions = null }: Subject = {},
): readonly TermsChange[] =>
  before === after ? [] : [{ field, productId, priceId, leadKind, ownerId, conditions, before, after, effect: effect ?? 'depends' }];

/** Null: equal. */
const more = <Value extends number | bigint>(before: Value, after: Value): ChangeEffect | null =>
  after === before ? null : after > before ? 'better' : 'worse';

type OrderRules = Pick<Terms, 'orderRules'>;
const isConditional = ({ conditions }: OrderRule): boolean => conditions !== undefined;
const withoutConditions = ({ orderRules }: OrderRules): OrderRules => ({ orderRules: orderRules.filter((rule) => !isConditional(rule)) });

function orderChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const [former, next] = [withoutConditions(before), withoutConditions(after)];
  const products = new Set([null, ...[...former.orderRules, ...next.orderRules].map(({ productId }) => productId)]);
  const plain = [...products].flatMap((productId) => {
    const [one, other] = [ruleFor(former, { productId })?.rate ?? null, ruleFor(next, { productId })?.rate ?? null];
    return change('order_rule', { before: rateText(one), after: rateText(other) }, rateEffect(one, other), { productId });
  });
  return [...plain, ...conditionalChanges(before, after)];
}

/**
 * Rules with conditions are compared by what they ask for, and by their order, because the first one that holds wins. Whether a rule is
 * better that only one version has depends on the orders.
 */
function conditionalChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const [former, next] = [before, after].map(
    ({ orderRules }) => new Map(orderRules.filter(isConditional).map((rule) => [ruleKey(rule), rule])),
  );
  if (former === undefined || next === undefined) return [];
  const rates = [...new Map([...former, ...next])].flatMap(([key, { productId, conditions }]) => {
    const [one, other] = [former.get(key)?.rate, next.get(key)?.rate];
    const texts = { before: conditionalText(one), after: conditionalText(other) };
    const effect = one === undefined || other === undefined ? 'depends' : rateEffect(one, other);
    return change('order_rule', texts, effect, { productId, conditions: conditions === undefined ? null : textOfConditions(conditions) });
  });
  const [ofBoth, ofBothAfter] = [former, next].map((rules) =>
    [...rules].filter(([key]) => former.has(key) && next.has(key)).map(([, rule]) => conditionsName(rule)),
  );
  const order = { before: ofBoth?.join('; ') ?? '', after: ofBothAfter?.join('; ') ?? '' };
  return [...rates, ...change('order_of_rules', order, 'depends')];
}

const ruleKey = ({ productId, conditions }: OrderRule): string => JSON.stringify([productId, conditions && writeConditions(conditions)]);
export const textOfConditions = (conditions: RuleConditions): string => conditionsText(writeConditions(conditions), speechToMerchants);
const conditionalText = (rate: Rate | undefined): string =>
  rate === undefined ? apiMessage('terms_changes.no_such_rule') : rateText(rate);
const joined = (texts: ReadonlyArray<string | null | undefined>): string => texts.filter((text) => typeof text === 'string').join(' ');
const conditionsName = ({ productId, conditions }: OrderRule): string => joined([productId, conditions && textOfConditions(conditions)]);
const ruleName = ({ productId, rate, conditions }: OrderRule): string =>
  joined([productId, rateText(rate), conditions && textOfConditions(conditions)]);

export type SubscriptionSubject = Pick<SubscriptionRule, 'productId' | 'priceId'>;

function subscriptionChanges(before: Terms, after: Terms): readonly TermsChange[] {
  return changesOfSubjects([...before.subscriptionRules, ...after.subscriptionRules], (subject) => {
    const [one, other] = [effectiveRule(before, subject), effectiveRule(after, subject)];
    return change(
      'subscription_rule',
      { before: subscriptionText(one), after: subscriptionText(other) },
      subscriptionEffect(one, other),
      subject,
    );
  });
}

/**
 * What changes for all subscriptions, and for each product and price that a rule names. Of a product and a price that only different rules
 * name, either may apply, so they are compared together, too, and listed if neither of the two changes in the same way.
 */
export function changesOfSubjects<Change extends TermsChange>(
  rules: readonly SubscriptionSubject[],
  compare: (subject: SubscriptionSubject) => readonly Change[],
): readonly Change[] {
  const keyOf = ({ productId, priceId }: SubscriptionSubject): string => JSON.stringify([productId, priceId]);
  const named = new Map(
    [{ productId: null, priceId: null }, ...rules].map(({ productId, priceId }) => {
      const subject = { productId, priceId };
      return [keyOf(subject), subject];
    }),
  );
  const changes = [...named.values()].flatMap(compare);
  const products = new Set(rules.flatMap(({ productId }) => productId ?? []));
  const prices = new Set(rules.flatMap(({ priceId }) => priceId ?? []));
  const textOf = ({ before, after }: TermsChange): string => JSON.stringify([before, after]);
  const pairs = [...products].flatMap((productId) => [...prices].map((priceId) => ({ productId, priceId })));
  const mixed = pairs.flatMap((pair) => {
    if (named.has(keyOf(pair))) return [];
    const either = [keyOf({ ...pair, priceId: null }), keyOf({ ...pair, productId: null })];
    const listed = new Set(changes.filter((one) => either.includes(keyOf(one))).map(textOf));
    return compare(pair).filter((one) => !listed.has(textOf(one)));
  });
  return [...changes, ...mixed];
}

/** The order of `subscriptionRuleFor`, also for a subject without a product. */
export function effectiveRule(
  { subscriptionRules }: Pick<Terms, 'subscriptionRules'>,
  { productId, priceId }: SubscriptionSubject,
): SubscriptionRule | null {
  const matching = subscriptionRules.filter(
    (rule) => (rule.productId === null || rule.productId === productId) && (rule.priceId === null || rule.priceId === priceId),
  );
  const rank = (rule: SubscriptionRule): number => (rule.productId === null ? 0 : 2) + (rule.priceId === null ? 0 : 1);
  return matching.reduce<SubscriptionRule | null>((best, rule) => (best === null || rank(rule) > rank(best) ? rule : best), null);
}

/** Whether another list of rates is better depends on the products of the creator's orders. */
function ownRatesChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const owners = new Set([...before.rates.own, ...after.rates.own].map(ownerOf));
  return [...owners].flatMap((ownerId) => {
    const [one, other] = [before, after].map(({ rates }) => rates.own.find((own) => ownerOf(own) === ownerId) ?? null);
    return change('own_rates', { before: ownRatesText(one ?? null), after: ownRatesText(other ?? null) }, 'depends', { ownerId });
  });
}

const ownerOf = ({ subject }: OwnRates): string =>
  subject.is === 'group' ? publicId('grp', subject.groupId) : publicId('mem', subject.memberId);

const ownRatesText = (own: OwnRates | null): string => (own === null ? apiMessage('terms_changes.no_own_rates') : rulesText(own));

function rulesText(own: Pick<OwnRates, 'orderRules' | 'subscriptionRules'>): string {
  const named = (names: ReadonlyArray<string | null>, text: string) => [...names.filter((name) => name !== null), text].join(' ');
  return [
    ...own.orderRules.map(ruleName),
    ...own.subscriptionRules.map((rule) => named([rule.productId, rule.priceId], subscriptionText(rule))),
  ].join('; ');
}

export function tiersText(tiers: TierTerms | null): string {
  if (tiers === null) return apiMessage('terms_changes.no_tiers');
  const { measure, period, timeZone } = tiers;
  const listed = tiers.tiers.map((tier) =>
    measure === 'approved_revenue'
      ? apiMessage('terms_changes.tier_revenue', { amount: dollars(cents(tier.threshold)), rates: rulesText(tier) })
      : apiMessage('terms_changes.tier_commissions', { count: Number(tier.threshold), rates: rulesText(tier) }),
  );
  return [...listed, apiMessage('terms_changes.tier_period', { period, zone: timeZone })].join('; ');
}

const budgetLimits = ['programMonth', 'programTotal', 'creatorMonth', 'creatorTotal'] as const satisfies ReadonlyArray<keyof Budget>;

function budgetEffect(before: Budget | undefined, after: Budget | undefined): ChangeEffect | null {
  const limit = (budget: Budget | undefined, name: keyof Budget): number => Number(budget?.[name] ?? Number.POSITIVE_INFINITY);
  return together(budgetLimits.map((name) => more(limit(before, name), limit(after, name))));
}

function budgetText(budget: Budget | undefined): string {
  const texts = budgetLimits.flatMap((limit) => {
    const amount = budget?.[limit] ?? null;
    return amount === null ? [] : [apiMessage('terms_changes.budget_limit', { limit, amount: dollars(amount) })];
  });
  return texts.join('; ') || apiMessage('terms_changes.no_limit');
}

function goalsEffect(before: readonly Goal[] = [], after: readonly Goal[] = []): ChangeEffect | null {
  const amountOf = (goals: readonly Goal[], key: string): number => Number(goals.find((goal) => goalKey(goal) === key)?.amount ?? 0n);
  const keys = [...new Set([...before, ...after].map(goalKey))];
  return together(keys.map((key) => more(amountOf(before, key), amountOf(after, key))));
}

const goalsText = (goals: readonly Goal[] = []): string =>
  goals.map(({ orders, period, amount }) => apiMessage('terms_changes.goal', { orders, period, amount: dollars(amount) })).join('; ') ||
  apiMessage('terms_changes.no_goal');

function leadChanges({ attribution: before }: Terms, { attribution: after }: Terms): readonly TermsChange[] {
  const kinds = new Set([...before.leads, ...after.leads].map(({ kind }) => kind));
  return [...kinds].flatMap((leadKind) => {
    const ofKind = ({ kind }: LeadRule): boolean => kind === leadKind;
    const [one, other] = [before.leads.find(ofKind) ?? null, after.leads.find(ofKind) ?? null];
    return change('lead_rule', { before: leadText(one), after: leadText(other) }, leadEffect(one, other), { leadKind });
  });
}

function leadEffect(before: LeadRule | null, after: LeadRule | null): ChangeEffect | null {
  const amount = more(before?.amount ?? noCents, after?.amount ?? noCents);
  if (before === null || after === null) return amount;
  return together([amount, more(before.perMonthMax ?? Number.POSITIVE_INFINITY, after.perMonthMax ?? Number.POSITIVE_INFINITY)]);
}

function leadText(rule: LeadRule | null): string {
  if (rule === null) return nothing;
  const { amount, perMonthMax } = rule;
  const limit =
    perMonthMax === null ? apiMessage('terms_changes.no_limit') : apiMessage('terms_changes.leads_a_month', { count: perMonthMax });
  return `${dollars(amount)}, ${limit}`;
}

/** Without a rule nothing is earned, which is a rate of 0 of either kind. */
export function rateEffect(before: Rate | null, after: Rate | null): ChangeEffect | null {
  const [one, other] = [amountOf(before), amountOf(after)];
  if (one === 0n || other === 0n || before?.is === after?.is) return more(one, other);
  return 'depends';
}

const amountOf = (rate: Rate | null): bigint => (rate === null ? 0n : rate.is === 'share' ? BigInt(rate.basisPoints) : rate.cents);

export function subscriptionEffect(before: SubscriptionRule | null, after: SubscriptionRule | null): ChangeEffect | null {
  const rate = rateEffect(before?.rate ?? null, after?.rate ?? null);
  if (before === null || after === null) return rate;
  const limit = (most: number | null): number => most ?? Number.POSITIVE_INFINITY;
  return together([rate, more(limit(before.maxInvoices), limit(after.maxInvoices)), more(limit(before.maxMonths), limit(after.maxMonths))]);
}

/** One direction, or it depends. */
export function together(effects: ReadonlyArray<ChangeEffect | null>): ChangeEffect | null {
  const found = new Set(effects.filter((effect) => effect !== null));
  const [only = null] = found;
  return found.size > 1 ? 'depends' : only;
}

/** A code before a click takes orders from the creator of the click, and any code those of returning customers. */
function codesEffect({ attribution: former }: Terms, { attribution: next }: Terms): ChangeEffect {
  const [before, after] = [former.codes, next.codes];
  if (before === 'before_click' || after === 'before_click') return 'depends';
  if (former.returning !== null && next.returning !== null) return 'depends';
  return after === 'off' ? 'worse' : 'better';
}

/** `first_partner` gives orders of a new click to another creator. */
function returningEffect(before: Returning | null, after: Returning | null): ChangeEffect | null {
  if ((before?.newClick ?? after?.newClick) !== (after?.newClick ?? before?.newClick)) return 'depends';
  if (before === null || after === null) {
    if ((before ?? after)?.newClick === 'first_partner') return 'depends';
    return before === null ? 'better' : 'worse';
  }
  const limit = (most: number | null): number => most ?? Number.POSITIVE_INFINITY;
  const effect = together([more(before.days, after.days), more(limit(before.ordersMax), limit(after.ordersMax))]);
  return after.newClick === 'first_partner' && effect !== null ? 'depends' : effect;
}

const days = (count: number): string => apiMessage('terms_changes.days', { count });
const paysText = ({ pays }: Terms): string => apiMessage(pays === 'order' ? 'terms_changes.pays_order' : 'terms_changes.pays_product');
const noticeText = ({ noticeDays }: Terms): string => (noticeDays === undefined ? apiMessage('terms_changes.no_notice') : days(noticeDays));
const nothing = apiMessage('terms_changes.nothing');

export function rateText(rate: Rate | null): string {
  if (rate === null) return nothing;
  return rate.is === 'share' ? `${rate.basisPoints / 100}%` : dollars(rate.cents);
}

export function subscriptionText(rule: SubscriptionRule | null): string {
  if (rule === null) return nothing;
  const { rate, maxInvoices, maxMonths } = rule;
  const limits = [
    ...(maxInvoices === null ? [] : [apiMessage('terms_changes.invoices', { count: maxInvoices })]),
    ...(maxMonths === null ? [] : [apiMessage('terms_changes.months', { count: maxMonths })]),
  ];
  return apiMessage('terms_changes.per_invoice', {
    rate: rateText(rate),
    limits: limits.join(', ') || apiMessage('terms_changes.no_limit'),
  });
}

/** By hand takes the longest. */
const approvalDays = ({ approval }: Terms): number => (approval.by === 'time' ? approval.afterDays : Number.POSITIVE_INFINITY);

const approvalText = ({ approval }: Terms): string =>
  approval.by === 'time'
    ? apiMessage('terms_changes.approval_auto', { count: approval.afterDays })
    : apiMessage('terms_changes.approval_manual');

const codesTexts = {
  off: apiMessage('terms_changes.codes_off'),
  when_no_click: apiMessage('terms_changes.codes_when_no_click'),
  before_click: apiMessage('terms_changes.codes_before_click'),
} as const;
const codesText = ({ attribution: { codes } }: Terms): string => codesTexts[codes];

function returningText({ attribution: { returning } }: Terms): string {
  if (returning === null) return apiMessage('terms_changes.returning_off');
  const facts = {
    days: days(returning.days),
    orders:
      returning.ordersMax === null
        ? apiMessage('terms_changes.no_limit')
        : apiMessage('terms_changes.orders', { count: returning.ordersMax }),
  };
  return returning.newClick === 'last_click'
    ? apiMessage('terms_changes.returning_last_click', facts)
    : apiMessage('terms_changes.returning_first_partner', facts);
}

const labels = {
  pays: apiMessage('terms_changes.label_pays'),
  order_rule: apiMessage('terms_changes.label_order_rule'),
  order_of_rules: apiMessage('terms_changes.label_order_of_rules'),
  subscription_rule: apiMessage('terms_changes.label_subscription_rule'),
  own_rates: apiMessage('terms_changes.label_own_rates'),
  tiers: apiMessage('terms_changes.label_tiers'),
  budget: apiMessage('terms_changes.label_budget'),
  goals: apiMessage('terms_changes.label_goals'),
  lead_rule: apiMessage('terms_changes.label_lead_rule'),
  attribution_days: apiMessage('terms_changes.label_attribution_days'),
  hold_days: apiMessage('terms_changes.label_hold_days'),
  approval: apiMessage('terms_changes.label_approval'),
  codes: apiMessage('terms_changes.label_codes'),
  returning: apiMessage('terms_changes.label_returning'),
  notice_days: apiMessage('terms_changes.label_notice_days'),
} as const satisfies Readonly<Record<TermsChange['field'], string>>;

/** One sentence, such as: Commission of one-time orders of mug: 10%, before: 15%. */
export function describeChange({ field, productId, priceId, leadKind, ownerId, conditions, before, after }: TermsChange): string {
  const price = priceId === null ? null : apiMessage('terms_changes.price', { price: priceId });
  const named = [productId, price, leadKind, ownerId].filter((name) => name !== null).join(', ');
  const label = named === '' ? labels[field] : apiMessage('terms_changes.of_product', { label: labels[field], product: named });
  const subject = conditions === null ? label : apiMessage('terms_changes.with_conditions', { label, conditions });
  return apiMessage('terms_changes.change', { subject, before, after });
}

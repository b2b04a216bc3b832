import type { Goal, LeadRule, OrderRule, RuleConditions, SubscriptionRule, Terms, TierTerms } from '../../../sdk/src/api-schema.ts';
import { language } from '../messages/messages.ts';
import { knownLeadKind } from '../../../locales/lead-kinds.ts';
import { countryNamesIn } from './countries.ts';
import { formatPercent, formatUsd } from './format.ts';
import { t } from './messages.ts';

/** `isRest`: a rule of the same list has conditions, so that this one is for all other orders. */
type OfTerms = Pick<Terms, 'pays'> & { readonly isRest?: boolean };

/** The rules of one list, of which the first that matches applies. */
export function orderRuleTexts(rules: readonly OrderRule[], { pays }: Pick<Terms, 'pays'>): readonly string[] {
  const hasConditions = rules.some(({ product_id: product, conditions }) => product === null && conditions !== undefined);
  return rules.map((rule) => orderRuleText(rule, { pays, isRest: hasConditions && rule.conditions === undefined }));
}

/** Terms as sentences: what a partner earns, for how long, and under which conditions. */
export const orderRuleText = (rule: OrderRule, terms: OfTerms): string =>
  conditionTexts(rule.conditions ?? {}).reduce(
    (text, condition) => t.program_terms.with_condition({ rule: text, condition }),
    orderRateText(rule, terms),
  );

function orderRateText({ product_id: product, conditions, ...given }: OrderRule, { pays, isRest = false }: OfTerms): string {
  const rate = rateOf(given);
  if (product !== null) return t.program_terms.product({ ...rate, product });
  if (conditions?.products !== undefined) return t.program_terms.product_list({ ...rate, products: conditions.products.join(', ') });
  if (pays === 'product') return t.program_terms.other_product(rate);
  return isRest ? t.program_terms.other_order(rate) : t.program_terms.order(rate);
}

const conditionTexts = ({ new_customers: isNew, min_order_cents: least, countries }: RuleConditions): readonly string[] => [
  ...(isNew === undefined ? [] : [t.program_terms.only_new_customers]),
  ...(least === undefined ? [] : [t.program_terms.least_order({ amount: formatUsd(least) })]),
  ...(countries === undefined ? [] : [t.program_terms.only_countries({ countries: countryList(countries) })]),
];

const countryList = (codes: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(codes.map(countryNamesIn(language)));

export function subscriptionRuleText(given: SubscriptionRule): string {
  const invoices = given.max_invoices === null ? null : t.program_terms.invoice_limit({ count: given.max_invoices });
  const months = given.max_months === null ? null : t.program_terms.month_limit({ count: given.max_months });
  const rule = invoicesText(given);
  if (invoices !== null && months !== null) return t.program_terms.with_two_limits({ rule, invoices, months });
  return t.program_terms.with_limit({ rule, limit: invoices ?? months ?? t.program_terms.no_limit });
}

function invoicesText({ product_id: product, price_id: price, ...given }: SubscriptionRule): string {
  const rate = rateOf(given);
  if (product === null) return t.program_terms.any_subscription(rate);
  return price === null
    ? t.program_terms.subscription({ ...rate, product })
    : t.program_terms.subscription_at_price({ ...rate, product, price });
}

type Rate = { readonly kind: 'percent' | 'other'; readonly rate: string };

const rateOf = ({ basis_points: points, flat_cents: flat }: Pick<OrderRule, 'basis_points' | 'flat_cents'>): Rate =>
  points === null ? { kind: 'other', rate: formatUsd(flat ?? 0) } : { kind: 'percent', rate: formatPercent(points) };

export function leadRuleText({ kind, flat_cents: cents, max_per_month: max }: LeadRule): string {
  const lead = { kind, known: knownLeadKind(kind), rate: formatUsd(cents) };
  return max === null ? t.program_terms.each_lead(lead) : t.program_terms.each_lead_up_to({ ...lead, max });
}

/** Each tier with its rates, lowest first. */
export const tierTexts = ({ measure, period, tiers }: Pick<TierTerms, 'measure' | 'period' | 'tiers'>, pays: Pick<Terms, 'pays'>) =>
  tiers.map(({ threshold, order_rules: orders, subscription_rules: subscriptions }) =>
    t.program_terms.tier({
      measure,
      period,
      count: threshold,
      amount: formatUsd(threshold),
      rules: [...orderRuleTexts(orders, pays), ...subscriptions.map(subscriptionRuleText)].join('; '),
    }),
  );

/** The bonus of each goal. */
export const bonusTexts = (goals: readonly Goal[] | undefined): readonly string[] =>
  (goals ?? []).map(({ orders, period, amount_cents: cents }) => t.program_terms.goal({ orders, period, amount: formatUsd(cents) }));

/** What earns besides a click; empty if only clicks earn. */
export const attributionTexts = ({ codes, returning }: Pick<Terms, 'codes' | 'returning'>): readonly string[] => [
  ...(codes === 'off' ? [] : [codes === 'when_no_click' ? t.program_terms.codes_when_no_click : t.program_terms.codes_before_click]),
  ...(returning === null
    ? []
    : [
        t.program_terms.returning_customers({ days: returning.days, orders: returning.orders ?? 0 }),
        returning.new_click === 'last_click' ? t.program_terms.new_click_takes_over : t.program_terms.first_partner_stays,
      ]),
];

/** The promise of a notice; empty without one. */
export const noticeTexts = ({ notice_days: days }: Pick<Terms, 'notice_days'>): readonly string[] =>
  days === undefined ? [] : [t.program_terms.notice({ days })];

type ProgramSettings = Pick<Terms, 'attribution_days' | 'hold_days' | 'approval' | 'auto_approve_days'>;

export const settingsTexts = ({
  attribution_days: window,
  hold_days: hold,
  approval,
  auto_approve_days: afterDays,
}: ProgramSettings): readonly string[] => [
  t.program_terms.attribution_window({ days: window }),
  hold === 0 ? t.program_terms.no_refund_hold : t.program_terms.refund_hold({ days: hold }),
  approval === 'auto' ? t.program_terms.automatic_approval({ days: afterDays ?? 0 }) : t.program_terms.manual_approval,
];

import type { RuleConditions } from '../merchants/rule-conditions.ts';
import type { LeadRule, OrderRule, Rate, SubscriptionRule, Terms, TierTerms } from '../merchants/terms.ts';
import { knownLeadKind } from '../../locales/lead-kinds.ts';
import { createFormats } from '../../locales/message-formats.ts';
import type { Language } from '../../locales/languages.ts';
import { pageTexts, type PageTexts } from '../messages/format-message.ts';

/** A program may have hundreds of rules; the page names this many of each kind. */
const rulesMax = 20;

/** Terms as sentences, in the words of the dashboards. */
export function rateTexts(
  { pays, orderRules, subscriptionRules, rates, attribution, goals = [] }: Terms,
  language: Language,
): readonly string[] {
  const text = pageTexts(language);
  const texts = [
    ...orderRuleTexts(orderRules, { pays, language, text }),
    ...subscriptionRules.slice(0, rulesMax).map((rule) => subscriptionRuleText(rule, { language, text })),
    ...attribution.leads.map((rule) => leadRuleText(rule, { language, text })),
  ];
  const count = orderRules.length + subscriptionRules.length + attribution.leads.length - texts.length;
  const tiers = rates.tiers === null ? [] : tierTexts(rates.tiers, { pays, language, text });
  const bonuses = goals.map(({ orders, period, amount }) =>
    text('program_terms.goal', { orders, period, amount: createFormats(language, 'UTC').money(amount) }),
  );
  if (texts.length + tiers.length + bonuses.length === 0) return [text('program_page.no_rates')];
  return [...texts, ...(count === 0 ? [] : [text('program_page.more_rates', { count })]), ...tiers, ...bonuses];
}

function tierTexts({ measure, period, tiers }: TierTerms, { pays, ...words }: In & Pick<Terms, 'pays'>): readonly string[] {
  const amountOf = (threshold: bigint): string => createFormats(words.language, 'UTC').money(threshold);
  return tiers.map(({ threshold, orderRules, subscriptionRules }) =>
    words.text('program_terms.tier', {
      measure,
      period,
      count: Number(threshold),
      amount: amountOf(threshold),
      rules: [
        ...orderRuleTexts(orderRules, { pays, ...words }),
        ...subscriptionRules.slice(0, rulesMax).map((rule) => subscriptionRuleText(rule, words)),
      ].join('; '),
    }),
  );
}

type In = { readonly language: Language; readonly text: PageTexts };

type OfTerms = In & Pick<Terms, 'pays'>;

/** The first rule that matches applies, so that one without conditions is for all orders that the others do not match. */
function orderRuleTexts(rules: readonly OrderRule[], of: OfTerms): readonly string[] {
  const hasConditions = rules.some(({ productId, conditions }) => productId === null && conditions !== undefined);
  return rules.slice(0, rulesMax).map((rule) => orderRuleText(rule, { ...of, isRest: hasConditions && rule.conditions === undefined }));
}

const orderRuleText = (rule: OrderRule, of: OfTerms & { readonly isRest: boolean }): string =>
  ruleConditionTexts(rule.conditions ?? {}, of).reduce(
    (said, condition) => of.text('program_terms.with_condition', { rule: said, condition }),
    orderRateText(rule, of),
  );

function ruleConditionTexts({ newCustomers, orderMin, countries }: RuleConditions, { language, text }: In): readonly string[] {
  const nameOf = new Intl.DisplayNames(language, { type: 'region' });
  const listed = (codes: readonly string[]) =>
    new Intl.ListFormat(language, { type: 'disjunction' }).format(codes.map((code) => nameOf.of(code) ?? code));
  return [
    ...(newCustomers === undefined ? [] : [text('program_terms.only_new_customers')]),
    ...(orderMin === undefined ? [] : [text('program_terms.least_order', { amount: createFormats(language, 'UTC').money(orderMin) })]),
    ...(countries === undefined ? [] : [text('program_terms.only_countries', { countries: listed(countries) })]),
  ];
}

function orderRateText(
  { productId: product, rate, conditions }: OrderRule,
  { pays, language, text, isRest }: OfTerms & { readonly isRest: boolean },
): string {
  const said = rateOf(rate, language);
  if (product !== null) return text('program_terms.product', { ...said, product });
  if (conditions?.products !== undefined) return text('program_terms.product_list', { ...said, products: conditions.products.join(', ') });
  if (pays === 'product') return text('program_terms.other_product', said);
  return text(isRest ? 'program_terms.other_order' : 'program_terms.order', said);
}

function subscriptionRuleText(rule: SubscriptionRule, { language, text }: In): string {
  const { productId: product, priceId: price, maxInvoices, maxMonths } = rule;
  const said = rateOf(rule.rate, language);
  const invoices = maxInvoices === null ? null : text('program_terms.invoice_limit', { count: maxInvoices });
  const months = maxMonths === null ? null : text('program_terms.month_limit', { count: maxMonths });
  const invoice =
    product === null
      ? text('program_terms.any_subscription', said)
      : price === null
        ? text('program_terms.subscription', { ...said, product })
        : text('program_terms.subscription_at_price', { ...said, product, price });
  if (invoices !== null && months !== null) return text('program_terms.with_two_limits', { rule: invoice, invoices, months });
  return text('program_terms.with_limit', { rule: invoice, limit: invoices ?? months ?? text('program_terms.no_limit') });
}

function leadRuleText({ kind, amount, perMonthMax: max }: LeadRule, { language, text }: In): string {
  const rate = createFormats(language, 'UTC').money(amount);
  const lead = { kind, known: knownLeadKind(kind), rate };
  return max === null ? text('program_terms.each_lead', lead) : text('program_terms.each_lead_up_to', { ...lead, max });
}

function rateOf(rate: Rate, language: Language): { readonly kind: 'percent' | 'other'; readonly rate: string } {
  const formats = createFormats(language, 'UTC');
  return rate.is === 'share'
    ? { kind: 'percent', rate: formats.percent(rate.basisPoints) }
    : { kind: 'other', rate: formats.money(rate.cents) };
}

/** The attribution window, the refund hold, and the approval. */
export function conditionTexts(
  { attributionDays, holdDays, approval, noticeDays }: Terms,
  store: string,
  language: Language,
): readonly string[] {
  const text = pageTexts(language);
  return [
    text('program_page.window', { days: attributionDays }),
    holdDays === 0 ? text('program_page.no_hold') : text('program_page.hold', { days: holdDays }),
    approval.by === 'hand' ? text('program_page.manual', { store }) : text('program_page.automatic', { store, days: approval.afterDays }),
    ...(noticeDays === undefined ? [] : [text('program_page.notice', { days: noticeDays })]),
  ];
}

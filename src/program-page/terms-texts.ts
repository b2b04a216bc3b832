import type { OrderRule, Rate, SubscriptionRule, Terms } from '../merchants/terms.ts';
import { createFormats } from '../../locales/message-formats.ts';
import type { Language } from '../../locales/languages.ts';
import { pageTexts, type PageTexts } from '../messages/format-message.ts';

/** A program may have hundreds of rules; the page names this many of each kind. */
const rulesMax = 20;

/** Terms as sentences, in the words of the dashboards. */
export function rateTexts({ pays, orderRules, subscriptionRules }: Terms, language: Language): readonly string[] {
  const text = pageTexts(language);
  const texts = [
    ...orderRules.slice(0, rulesMax).map((rule) => orderRuleText(rule, { pays, language, text })),
    ...subscriptionRules.slice(0, rulesMax).map((rule) => subscriptionRuleText(rule, { language, text })),
  ];
  const count = orderRules.length + subscriptionRules.length - texts.length;
  if (texts.length === 0) return [text('program_page.no_rates')];
  return count === 0 ? texts : [...texts, text('program_page.more_rates', { count })];
}

type In = { readonly language: Language; readonly text: PageTexts };

function orderRuleText({ productId: product, rate }: OrderRule, { pays, language, text }: In & Pick<Terms, 'pays'>): string {
  const said = rateOf(rate, language);
  if (product !== null) return text('program_terms.product', { ...said, product });
  return pays === 'product' ? text('program_terms.other_product', said) : text('program_terms.order', said);
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

function rateOf(rate: Rate, language: Language): { readonly kind: 'percent' | 'other'; readonly rate: string } {
  const formats = createFormats(language, 'UTC');
  return rate.is === 'share'
    ? { kind: 'percent', rate: formats.percent(rate.basisPoints) }
    : { kind: 'other', rate: formats.money(rate.cents) };
}

/** The attribution window, the refund hold, and the approval. */
export function conditionTexts({ attributionDays, holdDays, approval }: Terms, store: string, language: Language): readonly string[] {
  const text = pageTexts(language);
  return [
    text('program_page.window', { days: attributionDays }),
    holdDays === 0 ? text('program_page.no_hold') : text('program_page.hold', { days: holdDays }),
    approval.by === 'hand' ? text('program_page.manual', { store }) : text('program_page.automatic', { store, days: approval.afterDays }),
  ];
}

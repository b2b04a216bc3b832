import { parseHundredths, formatUsd } from '../../ui/amounts.ts';
import { fieldError, type Values } from '../../ui/form.tsx';
import { localInputToUtc } from '../../ui/time.tsx';
import type { TermsRules } from './terms-difference.ts';

/** Converts the form into the request body. Validation errors carry the rule's name, so they are shown in its group. */
export function parseTerms(values: Values, counts: { readonly orders: number; readonly subscriptions: number }) {
  const pays = values.text('pays');
  return {
    pays,
    order_rules: indexes(counts.orders).map((place) => {
      const prefix = `order_rules.${place}`;
      return { product_id: pays === 'product' ? textOrNull(values, `${prefix}.product_id`) : null, ...parseRate(values, prefix) };
    }),
    subscription_rules: indexes(counts.subscriptions).map((place) => {
      const prefix = `subscription_rules.${place}`;
      return {
        product_id: textOrNull(values, `${prefix}.product_id`),
        price_id: textOrNull(values, `${prefix}.price_id`),
        ...parseRate(values, prefix),
        max_invoices: wholeOrNull(values, `${prefix}.max_invoices`),
        max_months: wholeOrNull(values, `${prefix}.max_months`),
      };
    }),
    ...(values.text('starts') === 'later' && { effective_from: parseTimeField(values, 'effective_from') }),
  };
}

/** Fills empty fields with null, as the service does. */
export const termsRules = ({ pays, order_rules, subscription_rules }: ReturnType<typeof parseTerms>): TermsRules => ({
  pays: pays === 'product' ? 'product' : 'order',
  order_rules: order_rules.map((rule) => ({ ...noRate, ...rule })),
  subscription_rules: subscription_rules.map((rule) => ({ ...noRate, ...rule })),
});

const noRate = { basis_points: null, flat_cents: null };

const indexes = (count: number) => Array.from({ length: count }, (_, place) => place);

function parseRate(values: Values, prefix: string) {
  const number = parseHundredths(values.text(`${prefix}.rate`));
  const isFlat = values.text(`${prefix}.unit`) === 'flat';
  if (number === null) throw fieldError(`${prefix}.rate`, 'needs a number such as 10 or 2.50');
  if (!isFlat && number > rateMaxBasisPoints) throw fieldError(`${prefix}.rate`, 'needs a rate of at most 100 percent');
  if (isFlat && number > flatCentsMax) throw fieldError(`${prefix}.rate`, `needs an amount of at most ${formatUsd(flatCentsMax)}`);
  return isFlat ? { flat_cents: number } : { basis_points: number };
}

/** The service's own limits. It reports them in basis points and cents, which nobody typed, so they are checked here. */
const rateMaxBasisPoints = 10_000;
const flatCentsMax = 100_000_000;

function parseTimeField(values: Values, name: string): string {
  const moment = localInputToUtc(values.text(name));
  if (moment === null) throw fieldError(name, 'needs a day and a time');
  return moment;
}

/** Not trimmed or changed: it is compared with the product IDs of the store's server. */
function textOrNull(values: Values, name: string): string | null {
  const typed = values.text(name);
  return typed === '' ? null : typed;
}

function wholeOrNull(values: Values, name: string): number | null {
  const typed = values.text(name);
  if (typed === '') return null;
  if (!/^\d{1,9}$/.test(typed)) throw fieldError(name, 'needs whole numbers');
  return Number(typed);
}

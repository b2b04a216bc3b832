import { readHundredths, usd } from '../parts/amounts.ts';
import { faultOf, type Values } from '../parts/form.tsx';
import { utcOfLocal } from '../parts/time.tsx';
import type { RulesOfTerms } from './terms-difference.ts';

/** What was typed, as the service wants it. A rule's faults carry its name, so they stand in its frame. */
export function termsIn(values: Values, counts: { readonly orders: number; readonly subscriptions: number }) {
  const pays = values.text('pays');
  return {
    pays,
    order_rules: places(counts.orders).map((place) => {
      const prefix = `order_rules.${place}`;
      return { product_id: pays === 'product' ? textOrNull(values, `${prefix}.product_id`) : null, ...rateIn(values, prefix) };
    }),
    subscription_rules: places(counts.subscriptions).map((place) => {
      const prefix = `subscription_rules.${place}`;
      return {
        product_id: textOrNull(values, `${prefix}.product_id`),
        price_id: textOrNull(values, `${prefix}.price_id`),
        ...rateIn(values, prefix),
        max_invoices: wholeOrNull(values, `${prefix}.max_invoices`),
        max_months: wholeOrNull(values, `${prefix}.max_months`),
      };
    }),
    ...(values.text('starts') === 'later' && { effective_from: momentIn(values, 'effective_from') }),
  };
}

/** Null where nothing was said, as the service writes its own rules. */
export const rulesOf = ({ pays, order_rules, subscription_rules }: ReturnType<typeof termsIn>): RulesOfTerms => ({
  pays: pays === 'product' ? 'product' : 'order',
  order_rules: order_rules.map((rule) => ({ ...noRate, ...rule })),
  subscription_rules: subscription_rules.map((rule) => ({ ...noRate, ...rule })),
});

const noRate = { basis_points: null, flat_cents: null };

const places = (count: number) => Array.from({ length: count }, (_, place) => place);

function rateIn(values: Values, prefix: string) {
  const number = readHundredths(values.text(`${prefix}.rate`));
  const isFlat = values.text(`${prefix}.unit`) === 'flat';
  if (number === null) throw faultOf(`${prefix}.rate`, 'needs a number such as 10 or 2.50');
  if (!isFlat && number > wholeInBasisPoints) throw faultOf(`${prefix}.rate`, 'needs a rate of at most 100 percent');
  if (isFlat && number > flatCentsMax) throw faultOf(`${prefix}.rate`, `needs an amount of at most ${usd(flatCentsMax)}`);
  return isFlat ? { flat_cents: number } : { basis_points: number };
}

/** The service's own limits, checked here because it names them in basis points and cents, which nobody typed. */
const wholeInBasisPoints = 10_000;
const flatCentsMax = 100_000_000;

function momentIn(values: Values, name: string): string {
  const moment = utcOfLocal(values.text(name));
  if (moment === null) throw faultOf(name, 'needs a day and a time');
  return moment;
}

/** Exactly as typed: it is compared with what the shop sends. */
function textOrNull(values: Values, name: string): string | null {
  const typed = values.text(name);
  return typed === '' ? null : typed;
}

function wholeOrNull(values: Values, name: string): number | null {
  const typed = values.text(name);
  if (typed === '') return null;
  if (!/^\d{1,9}$/.test(typed)) throw faultOf(name, 'needs whole numbers');
  return Number(typed);
}

/** Rates, conditions, limits, and months, implemented independently from the documents. */
import type { Conditions, OrderRule, SubscriptionRule } from './terms.ts';

type Part = { readonly amount: number; readonly quantity: number };

/** Rounds half up to the cent; a flat amount applies per unit and never exceeds the amount it is earned on. */
export function shareOf({ basis_points: points, flat_cents: flat }: OrderRule, { amount, quantity }: Part): number {
  if (points !== undefined) return Math.floor((amount * points + 5_000) / 10_000);
  return Math.min(amount, (flat ?? 0) * quantity);
}

export type Compared = {
  readonly eligible: number;
  readonly customer: 'new' | 'known' | 'unnamed';
  readonly country: string | null;
};
export const conditionNames = ['products', 'new_customers', 'min_order', 'countries'] as const;
export type ConditionName = (typeof conditionNames)[number];

/** The rules for a product in order of precedence: the most specific first; with conditions before without, then as listed. */
export function rulesFor(rules: readonly OrderRule[], product: string | null): readonly OrderRule[] {
  const rank = ({ product_id: id, conditions }: OrderRule) =>
    (id === undefined ? 0 : 4) + (conditions?.products === undefined ? 0 : 2) + (conditions === undefined ? 0 : 1);
  return rules.filter(({ product_id: id }) => (id ?? product) === product).toSorted((one, other) => rank(other) - rank(one));
}

/** The first condition that does not hold, in the documented order. */
export function failingOf(conditions: Conditions, product: string | null, { eligible, customer, country }: Compared): ConditionName | null {
  const { products, new_customers: isForNew, min_order_cents: least, countries } = conditions;
  const holds: Readonly<Record<ConditionName, boolean>> = {
    products: products === undefined || (product !== null && products.some((pattern) => expressionOf(pattern).test(product))),
    new_customers: isForNew === undefined || customer === 'new',
    min_order: least === undefined || least <= eligible,
    countries: countries === undefined || (country !== null && countries.includes(country)),
  };
  return conditionNames.find((name) => !holds[name]) ?? null;
}

const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => text.replaceAll(/\W/g, String.raw`\$&`))
      .join('.*')}$`,
    's',
  );

/** The most specific rule: product and price, then product, then price, then all. */
export function subscriptionRule(rules: readonly SubscriptionRule[], product: string, price: string | null): SubscriptionRule | null {
  const fits = rules.filter((rule) => (rule.product_id ?? product) === product && (rule.price_id ?? price) === price);
  const rank = (rule: SubscriptionRule) => (rule.product_id === undefined ? 0 : 2) + (rule.price_id === undefined ? 0 : 1);
  return fits.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

/** Twelve months if neither limit is given; no end if months is explicitly null. */
export const monthsOf = ({ max_months: months, max_invoices: invoices }: SubscriptionRule): number | null =>
  months === undefined ? (invoices === undefined ? 12 : null) : months;

/** Calendar months in UTC, with the day clamped to the last day of the month. */
export function monthsLater(time: number, months: number): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return Date.UTC(year, month + months, Math.min(day, last)) + (time - Date.UTC(year, month, day));
}

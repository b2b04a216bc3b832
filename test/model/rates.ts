/** Rates, limits, and months, implemented independently from the documents. */
import type { OrderRule, SubscriptionRule } from './terms.ts';

type Part = { readonly amount: number; readonly quantity: number };

/** Rounds half up to the cent; a flat amount applies per unit and never exceeds the amount it is earned on. */
export function shareOf({ basis_points: points, flat_cents: flat }: OrderRule, { amount, quantity }: Part): number {
  if (points !== undefined) return Math.floor((amount * points + 5_000) / 10_000);
  return Math.min(amount, (flat ?? 0) * quantity);
}

export function orderRule(rules: readonly OrderRule[], product: string | null): OrderRule | null {
  const own = rules.find(({ product_id }) => product_id !== undefined && product_id === product);
  return own ?? rules.find(({ product_id }) => product_id === undefined) ?? null;
}

/** The first list with a rule that matches. */
export function firstRule<Level, Rule>(levels: readonly Level[], ruleIn: (level: Level) => Rule | null): Rule | null {
  return levels.map(ruleIn).find((rule) => rule !== null) ?? null;
}

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

import type { Cents } from '../core/money.ts';

/** What must hold for a rule to apply, besides its product. Absent conditions always hold. */
export type RuleConditions = {
  /** Product IDs; `*` matches any characters. */
  readonly products?: readonly string[];
  readonly newCustomers?: true;
  readonly orderMin?: Cents;
  readonly countries?: readonly string[];
};

/** The conditions in the order in which they are checked. */
export const conditionNames = ['products', 'new_customers', 'min_order', 'countries'] as const;
export type ConditionName = (typeof conditionNames)[number];

/** What conditions compare of an order. */
export type OrderFacts = {
  readonly eligible: Cents;
  /** Null: the order has no `customer_id`. */
  readonly isNewCustomer: boolean | null;
  /** Null: the store sent no country. */
  readonly country: string | null;
};

type ConditionFacts = OrderFacts & { readonly productId: string | null };

/** The first condition that does not hold. Null: all hold. A missing fact never fulfills a condition. */
export function failedCondition(conditions: RuleConditions, facts: ConditionFacts): ConditionName | null {
  const { products, newCustomers, orderMin, countries } = conditions;
  const { productId, isNewCustomer, eligible, country } = facts;
  if (products !== undefined && (productId === null || !products.some((pattern) => matchesPattern(productId, pattern)))) return 'products';
  if (newCustomers === true && isNewCustomer !== true) return 'new_customers';
  if (orderMin !== undefined && eligible < orderMin) return 'min_order';
  if (countries !== undefined && (country === null || !countries.includes(country))) return 'countries';
  return null;
}

/** `*` matches any characters, also none. Without it, the whole text must be equal. Case matters, as in all IDs. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

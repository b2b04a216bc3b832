import type { ConditionsWhy, FactsWhy } from '../contract/why.ts';
import { amountToJson, cents } from '../core/money.ts';
import type { OrderFacts, RuleConditions } from './rule-conditions.ts';

/** The form in the API, in the database, and in what an order copies. Only conditions that are set are present. */
export const writeConditions = ({ products, newCustomers, orderMin, countries }: RuleConditions): ConditionsWhy => ({
  ...(products === undefined ? {} : { products: [...products] }),
  ...(newCustomers === undefined ? {} : { new_customers: newCustomers }),
  ...(orderMin === undefined ? {} : { min_order_cents: amountToJson(orderMin) }),
  ...(countries === undefined ? {} : { countries: [...countries] }),
});

export const readConditions = (json: ConditionsWhy): RuleConditions => ({
  ...(json.products === undefined ? {} : { products: json.products }),
  ...(json.new_customers === undefined ? {} : { newCustomers: json.new_customers }),
  ...(json.min_order_cents === undefined ? {} : { orderMin: cents(json.min_order_cents) }),
  ...(json.countries === undefined ? {} : { countries: json.countries }),
});

/** The facts that the conditions compare, and no others: a country is stored only if a rule asks for it. */
export const factsWhy = (
  { newCustomers, orderMin, countries }: RuleConditions,
  { isNewCustomer, eligible, country }: OrderFacts,
): FactsWhy => ({
  ...(newCustomers === undefined ? {} : { customer: isNewCustomer === null ? 'unnamed' : isNewCustomer ? 'new' : 'known' }),
  ...(orderMin === undefined ? {} : { order_cents: amountToJson(eligible) }),
  ...(countries === undefined ? {} : { country }),
});

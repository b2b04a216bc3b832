import { Type as T } from 'typebox';
import { namedObject, singleAmountField } from '../http/fields.ts';

/** The form of conditions in the API and in the database. Only conditions that are set are present. */
export const conditionsJson = namedObject('RuleConditions', {
  products: T.Optional(T.Array(T.String(), { description: 'Product IDs; `*` matches any characters' })),
  new_customers: T.Optional(T.Literal(true, { description: 'Only the first order of a `customer_id` that the store reports' })),
  /** The least eligible amount of the whole order. */
  min_order_cents: T.Optional(singleAmountField()),
  countries: T.Optional(T.Array(T.String(), { description: 'Codes of ISO 3166-1, compared with `country` of the order' })),
});

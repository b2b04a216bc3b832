import { isCountryCode } from '../core/countries.ts';
import { cents } from '../core/money.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { RuleConditions } from './rule-conditions.ts';

/** Conditions as requested; null and false count as absent. */
export type ConditionsDraft = {
  readonly products?: readonly string[] | null | undefined;
  readonly newCustomers?: boolean | null | undefined;
  readonly minOrderCents?: number | null | undefined;
  readonly countries?: readonly string[] | null | undefined;
};

/** `of` is the field below `conditions`. */
type ConditionError = { readonly of: string; readonly message: string };
type Rule = { readonly productId: string | null; readonly pays: 'order' | 'product' };

const orderCentsMax = 100_000_000;

/** Checks the conditions of a rule. Null: they are valid. */
export function conditionsErrorOf(draft: ConditionsDraft, { productId, pays }: Rule): ConditionError | null {
  const { products, minOrderCents, countries } = draft;
  if (products && pays === 'order') return { of: 'products', message: apiMessage('decide_terms.not_allowed_if_program_pays') };
  if (products && productId !== null) return { of: 'products', message: apiMessage('decide_terms.not_with_product') };
  if (products && products.length === 0) return { of: 'products', message: apiMessage('decide_terms.must_not_be_empty') };
  if (typeof minOrderCents === 'number' && (minOrderCents < 1 || minOrderCents > orderCentsMax))
    return { of: 'min_order_cents', message: apiMessage('decide_terms.must_whole_number_from', { least: 1, most: orderCentsMax }) };
  if (countries && countries.length === 0) return { of: 'countries', message: apiMessage('decide_terms.must_not_be_empty') };
  const unknown = countries?.find((code) => !isCountryCode(code));
  if (unknown !== undefined) return { of: 'countries', message: apiMessage('decide_terms.not_a_country', { code: unknown }) };
  return null;
}

/** Undefined: no condition is set. Repetitions are removed. */
export function conditionsOf(draft: ConditionsDraft | undefined): RuleConditions | undefined {
  if (draft === undefined) return undefined;
  const { products, newCustomers, minOrderCents, countries } = draft;
  const conditions: RuleConditions = {
    ...(products ? { products: [...new Set(products)] } : {}),
    ...(newCustomers ? { newCustomers } : {}),
    ...(typeof minOrderCents === 'number' ? { orderMin: cents(minOrderCents) } : {}),
    ...(countries ? { countries: [...new Set(countries)].toSorted() } : {}),
  };
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}

import { Type as T, type Static } from 'typebox';
import { namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { amountToJson, basisPoints, cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Approval, OrderRule, Rate, SubscriptionRule } from './terms.ts';

/** The form of rules in the API and in the database, with every field present. */
export const orderRuleJson = namedObject('OrderRule', {
  product_id: orNull(T.String()),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
});
export type OrderRuleJson = Static<typeof orderRuleJson>;

export const subscriptionRuleJson = namedObject('SubscriptionRule', {
  product_id: orNull(T.String()),
  price_id: orNull(T.String()),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  max_invoices: orNull(T.Integer()),
  max_months: orNull(T.Integer()),
});
export type SubscriptionRuleJson = Static<typeof subscriptionRuleJson>;

export const writeOrderRule = ({ productId, rate }: OrderRule): OrderRuleJson => ({ product_id: productId, ...writeRate(rate) });
export const readOrderRule = (json: OrderRuleJson): OrderRule => ({ productId: json.product_id, rate: readRate(json) });

export const writeSubscriptionRule = ({ productId, priceId, rate, maxInvoices, maxMonths }: SubscriptionRule): SubscriptionRuleJson => ({
  product_id: productId,
  price_id: priceId,
  ...writeRate(rate),
  max_invoices: maxInvoices,
  max_months: maxMonths,
});
export const readSubscriptionRule = (json: SubscriptionRuleJson): SubscriptionRule => ({
  productId: json.product_id,
  priceId: json.price_id,
  rate: readRate(json),
  maxInvoices: json.max_invoices,
  maxMonths: json.max_months,
});

type RateJson = Pick<OrderRuleJson, 'basis_points' | 'flat_cents'>;

const writeRate = (rate: Rate): RateJson =>
  rate.is === 'share' ? { basis_points: rate.basisPoints, flat_cents: null } : { basis_points: null, flat_cents: amountToJson(rate.cents) };

function readRate({ basis_points: points, flat_cents: flat }: RateJson): Rate {
  if (points !== null) return { is: 'share', basisPoints: basisPoints(points) };
  invariant(flat !== null, 'a stored rule has a rate');
  return { is: 'flat', cents: cents(flat) };
}

/** Approval uses two columns and two API fields. */
export type ApprovalColumns = { readonly approval: 'manual' | 'auto'; readonly autoApproveDays: number | null };

export function approvalOf({ approval, autoApproveDays }: ApprovalColumns): Approval {
  if (approval === 'manual') return { by: 'hand' };
  invariant(autoApproveDays !== null, 'automatic approval has days');
  return { by: 'time', afterDays: autoApproveDays };
}

export const columnsOf = (approval: Approval): ApprovalColumns =>
  approval.by === 'hand' ? { approval: 'manual', autoApproveDays: null } : { approval: 'auto', autoApproveDays: approval.afterDays };

import { Type as T, type Static } from 'typebox';
import { namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { amountToJson, basisPoints, cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import {
  codesModes,
  newClickRules,
  type Approval,
  type AttributionTerms,
  type CodesMode,
  type LeadRule,
  type OrderRule,
  type Rate,
  type Returning,
  type SubscriptionRule,
} from './terms.ts';

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

export const codesField = T.Enum([...codesModes], {
  title: 'CodesMode',
  description: 'Whether discount codes earn: `off`, for orders without a click that counts, or before a click of another creator',
});
export const newClickField = T.Enum([...newClickRules], {
  title: 'NewClickRule',
  description: 'Who earns if another creator brings the customer back: the creator of the new click or code, or the first one',
});

/** The form of `returning` in the API. */
export const returningJson = namedObject('ReturningCustomers', {
  days: T.Integer({ description: 'How long after the first order later orders of the customer earn' }),
  orders: orNull(T.Integer({ description: 'How many later orders earn; null for no limit' })),
  new_click: newClickField,
});

export const writeReturning = (returning: Returning | null): Static<typeof returningJson> | null =>
  returning && { days: returning.days, orders: returning.ordersMax, new_click: returning.newClick };

/** The form of a rule for leads in the API and in the database. */
export const leadRuleJson = namedObject('LeadRule', {
  kind: T.String({ description: 'The `kind` of the reported leads' }),
  flat_cents: singleAmountField(),
  max_per_month: orNull(T.Integer({ description: 'How many such leads a creator is paid for in a month (UTC); null for no limit' })),
});
export type LeadRuleJson = Static<typeof leadRuleJson>;

export const writeLeadRule = ({ kind, amount, perMonthMax }: LeadRule): LeadRuleJson => ({
  kind,
  flat_cents: amountToJson(amount),
  max_per_month: perMonthMax,
});

/** Attribution uses five columns and three API fields. */
export type AttributionColumns = {
  readonly codes: CodesMode;
  readonly returningDays: number | null;
  readonly returningOrders: number | null;
  readonly newClick: Returning['newClick'] | null;
  readonly leadRules: readonly LeadRuleJson[];
};

export const attributionOf = ({
  codes,
  returningDays: days,
  returningOrders: ordersMax,
  newClick,
  leadRules,
}: AttributionColumns): AttributionTerms => ({
  codes,
  leads: leadRules.map((rule) => ({ kind: rule.kind, amount: cents(rule.flat_cents), perMonthMax: rule.max_per_month })),
  returning: days === null || newClick === null ? null : { days, ordersMax, newClick },
});

export const attributionColumnsOf = ({ codes, returning, leads }: AttributionTerms): AttributionColumns => ({
  codes,
  returningDays: returning?.days ?? null,
  returningOrders: returning?.ordersMax ?? null,
  newClick: returning?.newClick ?? null,
  leadRules: leads.map(writeLeadRule),
});

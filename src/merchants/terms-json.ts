import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { amountToJson, basisPoints, cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import { conditionsJson } from './conditions-json.ts';
import { readConditions, writeConditions } from './conditions-why.ts';
import {
  codesModes,
  newClickRules,
  type Approval,
  type AttributionTerms,
  type CodesMode,
  type LeadRule,
  type OrderRule,
  type OwnRates,
  type Rate,
  type Returning,
  type SubscriptionRule,
} from './terms.ts';

/** The form of rules in the API and in the database, with every field present. */
export const orderRuleJson = namedObject('OrderRule', {
  product_id: orNull(T.String()),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  conditions: T.Optional(conditionsJson),
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

export const writeOrderRule = ({ productId, rate, conditions }: OrderRule): OrderRuleJson => ({
  product_id: productId,
  ...writeRate(rate),
  ...(conditions === undefined ? {} : { conditions: writeConditions(conditions) }),
});
export const readOrderRule = (json: OrderRuleJson): OrderRule => ({
  productId: json.product_id,
  rate: readRate(json),
  ...(json.conditions === undefined ? {} : { conditions: readConditions(json.conditions) }),
});

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

/** The form of own rates in the API and in the database. Exactly one of the IDs is set. */
export const ownRatesJson = namedObject('OwnRates', {
  group_id: orNull(T.String()),
  member_id: orNull(T.String()),
  order_rules: T.Array(orderRuleJson),
  subscription_rules: T.Array(subscriptionRuleJson),
});
export type OwnRatesJson = Static<typeof ownRatesJson>;

export const writeOwnRates = ({ subject, orderRules, subscriptionRules }: OwnRates): OwnRatesJson => ({
  group_id: subject.is === 'group' ? publicId('grp', subject.groupId) : null,
  member_id: subject.is === 'member' ? publicId('mem', subject.memberId) : null,
  order_rules: orderRules.map(writeOrderRule),
  subscription_rules: subscriptionRules.map(writeSubscriptionRule),
});

export function readOwnRates(json: OwnRatesJson): OwnRates {
  const groupId = json.group_id === null ? null : readPublicId('grp', json.group_id);
  const memberId = json.member_id === null ? null : readPublicId('mem', json.member_id);
  const rules = { orderRules: json.order_rules.map(readOrderRule), subscriptionRules: json.subscription_rules.map(readSubscriptionRule) };
  if (groupId !== null) return { subject: { is: 'group', groupId }, ...rules };
  invariant(memberId !== null, 'stored own rates have a group or a member');
  return { subject: { is: 'member', memberId }, ...rules };
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

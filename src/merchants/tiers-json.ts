import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { namedObject } from '../http/fields.ts';
import {
  orderRuleJson,
  readOrderRule,
  readSubscriptionRule,
  subscriptionRuleJson,
  writeOrderRule,
  writeSubscriptionRule,
} from './terms-json.ts';
import { tierMeasures, tierPeriods, type TierTerms } from './terms.ts';

export const measureField = T.Enum([...tierMeasures], {
  title: 'TierMeasure',
  description: 'What is counted: approved commissions of orders and subscription invoices, or the amounts that they were earned on',
});
export const periodField = T.Enum([...tierPeriods], {
  title: 'TierPeriod',
  description: 'By the time of the approval: the calendar month of the order, or the day of the order with the 29 or 89 days before it',
});

/** The form of tiers in the API and in the database. */
export const tiersJson = namedObject('TierTerms', {
  measure: measureField,
  period: periodField,
  time_zone: T.String({ description: 'Whose midnight begins a period' }),
  tiers: T.Array(
    namedObject('Tier', {
      threshold: T.Integer({ minimum: 1, description: 'Commissions, or cents of revenue' }),
      order_rules: T.Array(orderRuleJson),
      subscription_rules: T.Array(subscriptionRuleJson),
    }),
  ),
});
export type TiersJson = Static<typeof tiersJson>;

export const writeTiers = ({ measure, period, timeZone, tiers }: TierTerms): TiersJson => ({
  measure,
  period,
  time_zone: timeZone,
  tiers: tiers.map(({ threshold, orderRules, subscriptionRules }) => ({
    threshold: Number(threshold),
    order_rules: orderRules.map(writeOrderRule),
    subscription_rules: subscriptionRules.map(writeSubscriptionRule),
  })),
});

export const readTiers = ({ measure, period, time_zone: timeZone, tiers }: TiersJson): TierTerms => ({
  measure,
  period,
  timeZone,
  tiers: tiers.map(({ threshold, order_rules: orders, subscription_rules: subscriptions }) => ({
    threshold: BigInt(threshold),
    orderRules: orders.map(readOrderRule),
    subscriptionRules: subscriptions.map(readSubscriptionRule),
  })),
});

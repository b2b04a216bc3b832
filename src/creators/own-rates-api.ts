import { Type as T } from 'typebox';
import { isoTime, namedObject } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { ownRatesOf } from '../merchants/applied-rule.ts';
import { orderRuleJson, subscriptionRuleJson, writeOrderRule, writeSubscriptionRule } from '../merchants/terms-json.ts';
import type { OwnRates, TermsRules } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { findOwnMembership, listStoresOfCreator } from './members-sql.ts';
import { loadTermsOfCreators } from './terms-of-creators.ts';

const ratesJson = T.Object({
  level: T.Enum(['member', 'group', 'program'], { description: 'Your own rates, those of your group, or those of the program' }),
  order_rules: T.Array(orderRuleJson),
  subscription_rules: T.Array(subscriptionRuleJson),
});

const rulesJson = ({ orderRules, subscriptionRules }: Pick<OwnRates & TermsRules, 'orderRules' | 'subscriptionRules'>) => ({
  order_rules: orderRules.map(writeOrderRule),
  subscription_rules: subscriptionRules.map(writeSubscriptionRule),
});

/** Shows a creator only their own rates, and no name of a group. */
export const getOwnRatesEndpoint = endpoint({
  summary: "Get a creator's rates in a program now: the first level with a rule that matches wins",
  access: { allow: 'creator', permission: 'creator:read' },
  ids: { member: 'mem' },
  reply: namedObject('OwnRatesOfMembership', {
    terms_version: T.Integer(),
    effective_from: T.String(),
    pays: T.Enum(['order', 'product']),
    rates: T.Array(ratesJson),
  }),
  async handle({ db, ids, now }) {
    const storeIds = await listStoresOfCreator(db, ids.creator);
    const member = await findOwnMembership(db, { creatorId: ids.creator, storeIds, memberId: ids.member });
    if (member === null) return notFound;
    const terms = (await loadTermsOfCreators(db, [member]))(member, now);
    if (!terms) return refuse('terms_missing', apiMessage('simulate_api.program_has_no_terms_yet'));
    return {
      terms_version: terms.version,
      effective_from: isoTime(terms.effectiveFrom),
      pays: terms.pays,
      rates: [
        ...ownRatesOf(terms).map((own) => ({ level: own.subject.is, ...rulesJson(own) })),
        { level: 'program' as const, ...rulesJson(terms) },
      ],
    };
  },
});

import { t } from './messages.ts';
import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const riskCasePath = (id: string) => apiPath('/risk/cases/{case}', { case: id });
export const riskCaseQuery = (id: string) => apiQuery(riskCasePath(id));

export const riskSettingsPath = '/risk/settings';

/** The rules to filter by, with their labels. */
export const riskRuleOptions = [
  ['card_dispute', t.risk_rules.card_dispute],
  ['fraud_warning', t.risk_rules.fraud_warning],
  ['outside_refund', t.risk_rules.refund_at_the_payment_provider],
  ['same_person', t.risk_rules.same_person_on_both_sides],
  ['order_rate', t.risk_rules.high_order_rate],
  ['order_size', t.risk_rules.unusually_large_order],
  ['fast_orders', t.risk_rules.orders_seconds_after_clicks],
  ['full_commission', t.risk_rules.nearly_full_commission_no_refund],
  ['new_store_one_creator', t.risk_rules.new_store_with_one_new],
  ['large_first_payout', t.risk_rules.large_first_payout],
] as const;
export const riskRuleLabel = (rule: string): string => riskRuleOptions.find(([one]) => one === rule)?.[1] ?? rule;

export const riskStateOptions = [
  ['open', t.risk_rules.open],
  ['escalated', t.risk_rules.escalated],
  ['released', t.risk_rules.released],
] as const;

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
  ['outside_refund', t.risk_rules.outside_refund],
  ['same_person', t.risk_rules.same_person],
  ['order_rate', t.risk_rules.order_rate],
  ['order_size', t.risk_rules.order_size],
  ['fast_orders', t.risk_rules.fast_orders],
  ['full_commission', t.risk_rules.full_commission],
  ['new_store_one_creator', t.risk_rules.new_store_one_creator],
  ['large_first_payout', t.risk_rules.large_first_payout],
] as const;
export const riskRuleLabel = (rule: string): string => riskRuleOptions.find(([one]) => one === rule)?.[1] ?? rule;

export const riskStateOptions = [
  ['open', t.risk_rules.open],
  ['escalated', t.risk_rules.escalated],
  ['released', t.risk_rules.released],
] as const;

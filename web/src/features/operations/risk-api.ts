import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const riskCasePath = (id: string) => apiPath('/risk/cases/{case}', { case: id });
export const riskCaseQuery = (id: string) => apiQuery(riskCasePath(id));

export const riskSettingsPath = '/risk/settings';

/** The rules to filter by, with their labels. */
export const riskRuleOptions = [
  ['card_dispute', 'Card dispute'],
  ['fraud_warning', 'Fraud warning'],
  ['outside_refund', 'Refund at the provider'],
  ['same_person', 'Same person on both sides'],
  ['order_rate', 'Many orders in an hour'],
  ['order_size', 'Unusually large order'],
  ['fast_orders', 'Orders seconds after clicks'],
  ['full_commission', 'Nearly full commission, no hold'],
  ['new_store_one_creator', 'New store, one new creator'],
  ['large_first_payout', 'Large first payout'],
] as const;
export const riskRuleLabel = (rule: string): string => riskRuleOptions.find(([one]) => one === rule)?.[1] ?? rule;

export const riskStateOptions = [
  ['open', 'Open'],
  ['escalated', 'Escalated'],
  ['released', 'Released'],
] as const;

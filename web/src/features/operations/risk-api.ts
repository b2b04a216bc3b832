import type { Cents } from '../../api/parse-json.ts';
import { apiQuery } from '../../ui/queries.ts';

export type RiskCaseState = 'open' | 'released' | 'escalated';

export type RiskCase = {
  readonly id: string;
  readonly rule: string;
  readonly sentence: string;
  readonly state: RiskCaseState;
  readonly enforced: boolean;
  readonly store_id: string | null;
  readonly store_name: string | null;
  readonly creator_id: string | null;
  readonly creator_name: string | null;
  readonly invoice_id: string | null;
  readonly charge_id: string | null;
  readonly evidence: ReadonlyArray<{ readonly what: string; readonly found: string; readonly compared: string | null }>;
  readonly opened_at: string;
  readonly closed_at: string | null;
};

export type RiskCaseDetails = RiskCase & {
  readonly affected: {
    readonly ahead_cents: Cents;
    readonly collected_cents: Cents;
    readonly in_payout_cents: Cents;
    readonly paid_cents: Cents;
  };
  readonly creators: ReadonlyArray<{
    readonly creator_id: string;
    readonly creator_name: string;
    readonly paid_cents: Cents;
    readonly open_cents: Cents;
  }>;
  readonly history: ReadonlyArray<{
    readonly action: 'opened' | 'enforced' | 'evidence' | 'kept' | 'released' | 'escalated';
    readonly resolution: 'loss_booked' | 'reinvoiced' | null;
    readonly amount_cents: Cents | null;
    readonly reason: string | null;
    readonly by_name: string;
    readonly at: string;
  }>;
};

export const riskCasePath = (id: string): string => `/risk/cases/${id}`;
export const riskCaseQuery = (id: string) => apiQuery<RiskCaseDetails>(riskCasePath(id));

type RiskSettingValues = {
  readonly enforce: boolean;
  readonly reserve_days: number;
  readonly reserve_until_invoices: number | null;
  readonly large_first_payout_cents: number;
  readonly orders_per_hour_min: number;
  readonly order_size_min_cents: number;
};
export type RiskSettings = {
  readonly mode: 'sandbox' | 'live';
  readonly set: { readonly [Name in keyof RiskSettingValues]: RiskSettingValues[Name] | null };
  readonly effective: RiskSettingValues;
  readonly live: RiskSettingValues;
  /** Looser settings that wait for a second operator. */
  readonly asked: {
    readonly set: { readonly [Name in keyof RiskSettingValues]: RiskSettingValues[Name] | null };
    readonly looser_in: readonly string[];
    readonly by_name: string;
    readonly at: string;
  } | null;
};
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

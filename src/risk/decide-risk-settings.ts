import type { AgreementDecision } from '../people/decide-agreement.ts';
import type { RiskSettings } from '../holds/risk-settings.ts';

type Loosening = { readonly what: string; readonly isLooser: (before: RiskSettings, after: RiskSettings) => boolean };

/** Changes that keep less back. A person who could make one alone could pay themselves with a stolen card. */
const loosenings: readonly Loosening[] = [
  { what: 'enforcement off', isLooser: (before, after) => before.enforce && !after.enforce },
  { what: 'fewer days of reserve', isLooser: (before, after) => after.reserve.days < before.reserve.days },
  {
    what: 'fewer invoices of reserve',
    isLooser: (before, after) => (after.reserve.untilInvoices ?? 0) < (before.reserve.untilInvoices ?? 0),
  },
  { what: 'a higher amount of a first payout', isLooser: (before, after) => after.largeFirstPayout > before.largeFirstPayout },
  { what: 'more orders in an hour', isLooser: (before, after) => after.ordersPerHourMin > before.ordersPerHourMin },
  { what: 'a larger order', isLooser: (before, after) => after.orderSizeMin > before.orderSizeMin },
];

export const looserIn = (before: RiskSettings, after: RiskSettings): readonly string[] =>
  loosenings.filter(({ isLooser }) => isLooser(before, after)).map(({ what }) => what);

export type RiskSettingsFacts = {
  /** In force now. */
  readonly current: RiskSettings;
  readonly wanted: RiskSettings;
  /** The pending request of an operator. */
  readonly requested: RiskSettings | null;
  /** Whether the requester and the person of the earlier request may agree. */
  readonly agreement: AgreementDecision;
  /** Live mode, or a sandbox with the rules of live mode. */
  readonly areRulesOn: boolean;
};

export type RiskSettingsDecision = 'set' | 'ask' | Exclude<AgreementDecision, 'go' | 'ask'>;

/** One person may keep more back. A change that keeps less back in any respect needs two people who request the same. */
export function decideRiskSettings({ current, wanted, requested, agreement, areRulesOn }: RiskSettingsFacts): RiskSettingsDecision {
  if (!areRulesOn || looserIn(current, wanted).length === 0) return 'set';
  if (requested === null || !isSame(requested, wanted)) return 'ask';
  return agreement === 'go' ? 'set' : agreement;
}

const isSame = (one: RiskSettings, other: RiskSettings): boolean =>
  one.enforce === other.enforce &&
  one.reserve.days === other.reserve.days &&
  one.reserve.untilInvoices === other.reserve.untilInvoices &&
  one.largeFirstPayout === other.largeFirstPayout &&
  one.ordersPerHourMin === other.ordersPerHourMin &&
  one.orderSizeMin === other.orderSizeMin;

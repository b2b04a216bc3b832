import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import { cents, type Cents } from '../platform/money.ts';
import type { ReserveRules } from './decide-reserve.ts';
import { readRiskRow, type RiskRow } from './settings-sql.ts';

/** What the platform keeps back, and from which amounts and rates a signal counts. */
export type RiskSettings = {
  /** False: signals and matching people open cases that hold nothing. What a provider reports of a charge holds in any case. */
  readonly enforce: boolean;
  readonly reserve: ReserveRules;
  readonly largeFirstPayout: Cents;
  readonly ordersPerHourMin: number;
  readonly orderSizeMin: Cents;
};

type Mode = Config['mode'];

/** In the sandbox one person walks through everything, so nothing is kept back there unless an operator says so. */
export const riskDefaults: Readonly<Record<Mode, RiskSettings>> = {
  live: {
    enforce: true,
    reserve: { days: 30, untilInvoices: null },
    largeFirstPayout: cents(50_000),
    ordersPerHourMin: 30,
    orderSizeMin: cents(50_000),
  },
  sandbox: {
    enforce: false,
    reserve: { days: 0, untilInvoices: null },
    largeFirstPayout: cents(50_000),
    ordersPerHourMin: 30,
    orderSizeMin: cents(50_000),
  },
};

export const readRiskSettings = async (db: Queryable, mode: Mode): Promise<RiskSettings> => riskSettingsOf(await readRiskRow(db), mode);

export function riskSettingsOf(row: RiskRow | null, mode: Mode): RiskSettings {
  const usual = riskDefaults[mode];
  return {
    enforce: row?.enforce ?? usual.enforce,
    reserve: {
      days: row?.reserveDays ?? usual.reserve.days,
      untilInvoices: row?.reserveUntilInvoices ?? usual.reserve.untilInvoices,
    },
    largeFirstPayout: row?.largeFirstPayoutCents ?? usual.largeFirstPayout,
    ordersPerHourMin: row?.ordersPerHourMin ?? usual.ordersPerHourMin,
    orderSizeMin: row?.orderSizeMinCents ?? usual.orderSizeMin,
  };
}

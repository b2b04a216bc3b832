import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import { cents, type Cents } from '../core/money.ts';
import type { ReserveRules } from './decide-reserve.ts';
import { readRiskRow, type RiskRow } from './risk-settings-sql.ts';

/** What the platform keeps back, and the thresholds of the signals. */
export type RiskSettings = {
  /** False: signals and matching people open cases that hold nothing. Provider reports about a charge always hold. */
  readonly enforce: boolean;
  readonly reserve: ReserveRules;
  readonly largeFirstPayout: Cents;
  readonly ordersPerHourMin: number;
  readonly orderSizeMin: Cents;
};

type Mode = Config['mode'];

/** In the sandbox, one person tries every step, so nothing is kept back there unless an operator enables it. */
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

/** What a period shows of one code and its owner. */
export type CodeUse = {
  /** The orders that the code earned in the period. */
  readonly orders: number;
  /** The same for the period of the same length before; null if the code did not exist then. */
  readonly ordersBefore: number | null;
  /** Clicks of people on the owner's links in the period. */
  readonly ownerClicks: number;
};

/** Below this, a ratio is chance. */
export const leakOrdersMin = 20;
/** Of the people who click a creator's link, few buy: more than one order for this many clicks did not come from the same audience. */
export const leakClicksPerOrder = 2;
/** A code that is published on a coupon site grows within days, and an audience does not. */
export const leakGrowthTimes = 5;

export const leakSignals = ['beyond_audience', 'sudden_growth'] as const;
export type LeakSignal = (typeof leakSignals)[number];

export type LeakDecision = {
  /** `likely` has both signals. */
  readonly suspicion: 'none' | 'possible' | 'likely';
  readonly signals: readonly LeakSignal[];
};

/**
 * Whether a code is used far more than its owner's audience. Without any click the audience is unknown, as for a podcast, so that only
 * growth counts.
 */
export function decideCodeLeak({ orders, ordersBefore, ownerClicks }: CodeUse): LeakDecision {
  if (orders < leakOrdersMin) return { suspicion: 'none', signals: [] };
  const isBeyondAudience = ownerClicks > 0 && orders * leakClicksPerOrder > ownerClicks;
  const isSudden = ordersBefore !== null && ordersBefore > 0 && orders >= ordersBefore * leakGrowthTimes;
  const signals = leakSignals.filter((signal) => (signal === 'beyond_audience' ? isBeyondAudience : isSudden));
  if (signals.length === 0) return { suspicion: 'none', signals };
  return { suspicion: signals.length === leakSignals.length ? 'likely' : 'possible', signals };
}

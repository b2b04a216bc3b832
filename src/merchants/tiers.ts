import { invariant } from '../core/invariant.ts';
import { dayIn, startOfDay } from '../core/time-zone.ts';
import type { TierTerms } from './terms.ts';

/** A tier of a creator at a time, and what was counted when it was reached. */
export type ReachedTier = {
  /** From 1. */
  readonly number: number;
  readonly threshold: bigint;
  /** Of the approval that reached it. */
  readonly reachedAt: Date;
  /** Commissions or cents that were approved in the period until then. */
  readonly figure: bigint;
  readonly measure: TierTerms['measure'];
  readonly period: TierTerms['period'];
};

const periodDays = { days_30: 30, days_90: 90 } as const;

/** When the period began that a moment is in. A period of days ends with the day of the moment. */
export function periodStart({ period, timeZone }: Pick<TierTerms, 'period' | 'timeZone'>, at: Date): Date {
  const today = dayIn(timeZone, at);
  return startOfDay(timeZone, { ...today, day: period === 'month' ? 1 : today.day - periodDays[period] + 1 });
}

/** When a creator reached each tier in a period, and the figure then. A tier that was jumped over is missing. */
export type TierStep = { readonly number: number; readonly reachedAt: Date; readonly figure: bigint };

/** An approval counts for orders that are not older. */
export function tierAt({ measure, period, tiers }: TierTerms, steps: readonly TierStep[], at: Date): ReachedTier | null {
  const step = steps.findLast(({ reachedAt }) => reachedAt <= at);
  if (step === undefined) return null;
  const tier = tiers[step.number - 1];
  invariant(tier !== undefined, 'a reached tier is one of the terms');
  return { ...step, threshold: tier.threshold, measure, period };
}

/** The first tier that a figure does not reach. Null: it reaches all. */
export function nextTier({ tiers }: TierTerms, figure: bigint): { readonly number: number; readonly missing: bigint } | null {
  const index = tiers.findIndex(({ threshold }) => threshold > figure);
  const tier = tiers[index];
  return tier === undefined ? null : { number: index + 1, missing: tier.threshold - figure };
}

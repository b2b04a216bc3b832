import type { Cents } from '../../../../sdk/src/exact-json.ts';

/** Orders per click in basis points, rounded; null without clicks. */
export const conversionRate = ({ clicks, orders }: { readonly clicks: number; readonly orders: number }): number | null =>
  clicks === 0 ? null : Math.round((orders * 10_000) / clicks);

type MoneyOfDay = { readonly earned_cents: Cents; readonly paid_cents: Cents };

/** What was owed at the end of each day, from what is owed at the end of the last one. */
export function owedByDay(owedAtEnd: Cents, days: readonly MoneyOfDay[]): readonly number[] {
  let owed = BigInt(owedAtEnd);
  const newestFirst = days.toReversed().map(({ earned_cents: earned, paid_cents: paid }) => {
    const atEnd = owed;
    owed += BigInt(paid) - BigInt(earned);
    return Number(atEnd);
  });
  return newestFirst.toReversed();
}

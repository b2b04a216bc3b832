import type { Cents } from '../../../sdk/src/exact-json.ts';

/**
 * How a metric changed. `share` is in basis points of the metric before; null when that was zero, because no percentage describes growth
 * from nothing, or negative.
 */
export type ValueChange = { readonly difference: bigint; readonly share: number | null };

const wholeBasisPoints = 10_000n;

/** Amounts stay bigints, because sums may exceed what a number represents exactly. */
export function compareValues(now: Cents, before: Cents): ValueChange {
  const [current, earlier] = [BigInt(now), BigInt(before)];
  const difference = current - earlier;
  return { difference, share: earlier > 0n ? Number(roundedQuotient(difference * wholeBasisPoints, earlier)) : null };
}

/** Rounds halves away from zero. The divisor is positive. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = (size * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -quotient : quotient;
}

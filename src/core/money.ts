import { invariant } from './invariant.ts';

/** Whole cents, never negative: the direction of money is in the posting (debit, credit), not in a sign. */
export type Cents = bigint & { readonly unit: 'cents' };

/**
 * The maximum total of an invoice's commissions and of a payout: with a fee of 100 percent it still fits the bigint columns. The
 * rest goes to the next invoice or payout.
 */
export const documentCentsMax = 4_000_000_000_000_000_000n as Cents;

/** The longest prefix of the items whose total stays within the limit. */
export function takeWithinLimit<Item>(items: readonly Item[], amountOf: (item: Item) => Cents, limit: bigint): readonly Item[] {
  let left = limit;
  const end = items.findIndex((item) => (left -= amountOf(item)) < 0n);
  return end === -1 ? items : items.slice(0, end);
}

/** A hundredth of a percent: 1,000 basis points are 10%. */
export type BasisPoints = number & { readonly unit: 'basis points' };

export const noCents = 0n as Cents;
export const basisPointsMax = 10_000;

export function cents(amount: bigint | number): Cents {
  const whole = BigInt(amount);
  invariant(whole >= 0n, 'money is never negative');
  return whole as Cents;
}

export function basisPoints(points: number): BasisPoints {
  invariant(Number.isInteger(points) && points >= 0 && points <= basisPointsMax, 'basis points are between 0 and 10,000');
  return points as BasisPoints;
}

/**
 * A single amount as a JavaScript number: the contract bounds what one order or invoice reports to 2^53 - 1. Sums can exceed that,
 * and stay bigint until they are serialized.
 */
export function amountToJson(amount: Cents): number {
  invariant(amount <= BigInt(Number.MAX_SAFE_INTEGER), 'a single amount is at most 2^53 - 1');
  return Number(amount);
}

/** The share of an amount, rounded half up to the cent. Uses bigints so that no product can overflow or lose a cent. */
export function shareHalfUp(amount: Cents, points: BasisPoints): Cents {
  const whole = BigInt(basisPointsMax);
  return ((amount * BigInt(points) * 2n + whole) / (whole * 2n)) as Cents;
}

export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total as Cents;
}

export function times(amount: Cents, quantity: bigint | number): Cents {
  return cents(amount * BigInt(quantity));
}

export function minCents(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}

/** Formats `1234567` as `12,345.67 USD`. */
export function dollars(amount: Cents): string {
  const whole = (amount / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${(amount % 100n).toString().padStart(2, '0')} USD`;
}

import { must } from './must.ts';

/** Whole cents, never negative: the direction of money lies in a posting (debit, credit), not in a sign. */
export type Cents = bigint & { readonly unit: 'cents' };

/**
 * What an invoice takes from commissions, and what a payout holds, at most: with a fee of 100 percent it still fits the bigint of their
 * columns. What is left is on the next one.
 */
export const documentCentsMax = 4_000_000_000_000_000_000n as Cents;

/** As many of the first amounts as stay within a limit together. */
export function fitting<Item>(items: readonly Item[], amountOf: (item: Item) => Cents, room: bigint): readonly Item[] {
  let left = room;
  const end = items.findIndex((item) => (left -= amountOf(item)) < 0n);
  return end === -1 ? items : items.slice(0, end);
}

/** A hundredth of a percent: 1,000 basis points are 10 %. */
export type BasisPoints = number & { readonly unit: 'basis points' };

export const noCents = 0n as Cents;
export const basisPointsMax = 10_000;

export function cents(amount: bigint | number): Cents {
  const whole = BigInt(amount);
  must(whole >= 0n, 'money is never negative');
  return whole as Cents;
}

export function basisPoints(points: number): BasisPoints {
  must(Number.isInteger(points) && points >= 0 && points <= basisPointsMax, 'basis points lie between 0 and 10,000');
  return points as BasisPoints;
}

/**
 * A single amount as a number of JavaScript: the contract bounds what one order or invoice reports to 2^53 - 1. Sums exceed that, and
 * stay bigint to the last byte of an answer.
 */
export function amountToJson(amount: Cents): number {
  must(amount <= BigInt(Number.MAX_SAFE_INTEGER), 'a single amount is at most 2^53 - 1');
  return Number(amount);
}

/** The share of an amount, rounded half up to the cent. Bigints, so that no product can overflow or lose a cent. */
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

export function smaller(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}

/** `1234567` reads `12,345.67 USD`. */
export function dollars(amount: Cents): string {
  const whole = (amount / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${(amount % 100n).toString().padStart(2, '0')} USD`;
}

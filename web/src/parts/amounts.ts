/**
 * Amounts are whole cents and rates whole basis points; what people type is read digit by digit, never through a fraction of binary.
 * Less than nothing can come of sums: what was moved, or refunded in days on which little was sold.
 */
export function dollarsOf(cents: Cents): string {
  const exact = BigInt(cents);
  const size = exact < 0n ? -exact : exact;
  const whole = (size / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${exact < 0n ? '−' : ''}${whole}.${(size % 100n).toString().padStart(2, '0')}`;
}

/** A sum above 2^53, where a number is no longer exact, is a bigint (read-json.ts). */
export type Cents = number | bigint;

/** The sum of amounts, of which any may be a bigint. */
export const totalCents = (amounts: readonly Cents[]): bigint => amounts.reduce((sum: bigint, cents) => sum + BigInt(cents), 0n);

export const usd = (cents: Cents): string => `${dollarsOf(cents)} USD`;

/** `1250` basis points read `12.5 %`. */
export function percentOf(basisPoints: number): string {
  return `${hundredthsText(basisPoints)} %`;
}

export function hundredthsText(given: Cents): string {
  const hundredths = Number(given);
  const rest = (hundredths % 100).toString().padStart(2, '0').replace(/0+$/, '');
  return `${Math.trunc(hundredths / 100)}${rest === '' ? '' : `.${rest}`}`;
}

/** `12.5` is 1250: so are read both dollars (as cents) and percent (as basis points). Null for what is not such a number. */
export function readHundredths(typed: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

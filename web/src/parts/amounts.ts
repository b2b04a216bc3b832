/**
 * Amounts are whole cents and rates whole basis points; what people type is read digit by digit, never through a fraction of binary.
 * Less than nothing can come of sums: what was moved, or refunded in days on which little was sold.
 */
export function dollarsOf(cents: number): string {
  const size = Math.abs(cents);
  const whole = Math.trunc(size / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '−' : ''}${whole}.${(size % 100).toString().padStart(2, '0')}`;
}

export const usd = (cents: number): string => `${dollarsOf(cents)} USD`;

/** `1250` basis points read `12.5 %`. */
export function percentOf(basisPoints: number): string {
  return `${hundredthsText(basisPoints)} %`;
}

export function hundredthsText(hundredths: number): string {
  const rest = (hundredths % 100).toString().padStart(2, '0').replace(/0+$/, '');
  return `${Math.trunc(hundredths / 100)}${rest === '' ? '' : `.${rest}`}`;
}

/** `12.5` is 1250: so are read both dollars (as cents) and percent (as basis points). Null for what is not such a number. */
export function readHundredths(typed: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

/** Amounts are whole cents and rates whole basis points; what people type is read digit by digit, never through a fraction of binary. */
export function dollarsOf(cents: number): string {
  const whole = Math.trunc(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${(cents % 100).toString().padStart(2, '0')}`;
}

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

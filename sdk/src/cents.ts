const shape = /^(\d{1,16})(?:\.(\d+))?$/;

/**
 * `"10.05"` is 1005, exactly. Takes text and returns whole cents: `10.05 * 100` would be 1004.9999999999999. Digits beyond the cent must be
 * zeros, and anything but a plain amount (a sign, a comma, a symbol) throws: a wrong guess about money is worse than an error.
 */
export function centsFromDecimal(decimal: string): number {
  const [, whole = '', fraction = ''] = (typeof decimal === 'string' ? shape.exec(decimal) : null) ?? [];
  const cents = Number(whole + fraction.slice(0, 2).padEnd(2, '0'));
  if (whole !== '' && /^0*$/.test(fraction.slice(2)) && Number.isSafeInteger(cents)) return cents;
  throw new RangeError('An amount must be decimal text such as "10.05", of whole cents.');
}

import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';

/** JSON's numbers are exact up to here: 90 trillion dollars. */
export function exact(amount: Cents): number {
  must(amount <= BigInt(Number.MAX_SAFE_INTEGER), 'an amount that JSON can tell');
  return Number(amount);
}

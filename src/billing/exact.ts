import type { Cents } from '../platform/money.ts';

/**
 * JSON's numbers are exact up to 90 trillion dollars. What is beyond is told by the nearest one: it is no bill that anybody pays, and
 * a store that makes itself such sales must not take the answer away from whoever bills all stores. Nothing is computed from such a
 * number: sums are `numeric` in the database and bigint here, and a row holds 922 times as much, beyond which it is refused.
 */
export const exact = (amount: Cents): number => Number(amount);

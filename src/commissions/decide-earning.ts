import { noCents, shareHalfUp, minCents, sum, times, type Cents } from '../core/money.ts';
import { never } from '../core/invariant.ts';
import { ruleFor, type OrderRule, type Rate, type Terms } from '../merchants/terms.ts';

export type OrderLine = { readonly productId: string; readonly amount: Cents; readonly quantity: bigint };
export type Earning = {
  readonly amount: Cents;
  /** One part per order, or one per line if the program pays per product. */
  readonly parts: readonly EarningPart[];
};
export type EarningPart = {
  readonly productId: string | null;
  readonly of: Cents;
  readonly quantity: bigint;
  /** Null if no rule matches: the part earns nothing. */
  readonly rate: Rate | null;
  readonly amount: Cents;
};

/** The commission of an order under the terms in force when it happened. */
export function decideEarning(
  terms: Pick<Terms, 'pays' | 'orderRules' | 'subscriptionRules'>,
  order: { readonly eligible: Cents; readonly lines: readonly OrderLine[] },
): Earning {
  if (terms.pays === 'order') {
    const whole = { productId: null, amount: order.eligible, quantity: 1n };
    return sumParts([earningPart(ruleFor(terms, whole), whole)]);
  }
  return sumParts(order.lines.map((line) => earningPart(ruleFor(terms, line), line)));
}

export const sumParts = (parts: readonly EarningPart[]): Earning => ({ amount: sum(parts.map(({ amount }) => amount)), parts });

type Item = { readonly productId: string | null; readonly amount: Cents; readonly quantity: bigint };

function earningPart(rule: OrderRule | null, { productId, amount, quantity }: Item): EarningPart {
  const rate = rule?.rate ?? null;
  return { productId, of: amount, quantity, rate, amount: applyRate(rate, { amount, quantity }) };
}

/** A flat amount counts per order, or per unit of a line. The result never exceeds the amount it is earned on. */
export function applyRate(rate: Rate | null, { amount, quantity }: { readonly amount: Cents; readonly quantity: bigint }): Cents {
  if (rate === null) return noCents;
  switch (rate.is) {
    case 'share':
      return shareHalfUp(amount, rate.basisPoints);
    case 'flat':
      return minCents(amount, times(rate.cents, quantity));
    default:
      return never(rate);
  }
}

import { noCents, shareHalfUp, smaller, sum, times, type Cents } from '../platform/money.ts';
import { never } from '../platform/must.ts';
import { ruleFor, type OrderRule, type Rate, type Terms } from '../merchants/terms.ts';

export type OrderLine = { readonly productId: string; readonly amount: Cents; readonly quantity: bigint };
export type Earning = {
  readonly amount: Cents;
  /** What was applied to what: one part per order, or one per line. */
  readonly parts: readonly EarningPart[];
};
export type EarningPart = {
  readonly productId: string | null;
  readonly of: Cents;
  readonly quantity: bigint;
  /** Null: no rule fits, so nothing is earned. */
  readonly rate: Rate | null;
  readonly amount: Cents;
};

/** What an order earns under the terms in force when it happened. */
export function decideEarning(
  terms: Pick<Terms, 'pays' | 'orderRules' | 'subscriptionRules'>,
  order: { readonly eligible: Cents; readonly lines: readonly OrderLine[] },
): Earning {
  if (terms.pays === 'order') {
    const whole = { productId: null, amount: order.eligible, quantity: 1n };
    return earningOf([partOf(ruleFor(terms, whole), whole)]);
  }
  return earningOf(order.lines.map((line) => partOf(ruleFor(terms, line), line)));
}

const earningOf = (parts: readonly EarningPart[]): Earning => ({ amount: sum(parts.map(({ amount }) => amount)), parts });

type Item = { readonly productId: string | null; readonly amount: Cents; readonly quantity: bigint };

function partOf(rule: OrderRule | null, { productId, amount, quantity }: Item): EarningPart {
  const rate = rule?.rate ?? null;
  return { productId, of: amount, quantity, rate, amount: earnedBy(rate, { amount, quantity }) };
}

/** A flat amount counts per order, or per unit of a line. Nothing earns more than what it is earned on. */
export function earnedBy(rate: Rate | null, { amount, quantity }: { readonly amount: Cents; readonly quantity: bigint }): Cents {
  if (rate === null) return noCents;
  switch (rate.is) {
    case 'share':
      return shareHalfUp(amount, rate.basisPoints);
    case 'flat':
      return smaller(amount, times(rate.cents, quantity));
    default:
      return never(rate);
  }
}

import { noCents, shareHalfUp, minCents, sum, times, type Cents } from '../core/money.ts';
import { never } from '../core/invariant.ts';
import { appliedOrderRule, type AppliedRule, type RateFacts } from '../merchants/applied-rule.ts';
import type { Rate, RateTerms, Terms } from '../merchants/terms.ts';
import type { RuleWhy } from '../contract/why.ts';
import { publicId } from '../core/ids.ts';

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
  /** Where the rate is from, if the terms have different rates. A refund keeps it. */
  readonly rule?: RuleWhy;
};

type EarningTerms = Pick<Terms, 'pays' | 'orderRules'> & { readonly rates?: RateTerms; readonly facts?: RateFacts };

/** The commission of an order under the terms in force when it happened. */
export function decideEarning(terms: EarningTerms, order: { readonly eligible: Cents; readonly lines: readonly OrderLine[] }): Earning {
  if (terms.pays === 'order') {
    const whole = { productId: null, amount: order.eligible, quantity: 1n };
    return sumParts([earningPart(terms, whole)]);
  }
  return sumParts(order.lines.map((line) => earningPart(terms, line)));
}

export const sumParts = (parts: readonly EarningPart[]): Earning => ({ amount: sum(parts.map(({ amount }) => amount)), parts });

type Item = { readonly productId: string | null; readonly amount: Cents; readonly quantity: bigint };

function earningPart(terms: EarningTerms, item: Item): EarningPart {
  const { productId, amount, quantity } = item;
  const applied = appliedOrderRule(terms, item);
  const rate = applied?.rule.rate ?? null;
  const part = { productId, of: amount, quantity, rate, amount: applyRate(rate, { amount, quantity }) };
  return applied === null || terms.facts === undefined ? part : { ...part, rule: ruleWhy(applied, terms.facts) };
}

export const ruleWhy = ({ level }: Pick<AppliedRule<unknown>, 'level'>, { memberId, group }: RateFacts): RuleWhy => ({
  level,
  ...(level === 'member' && memberId !== null ? { member_id: publicId('mem', memberId) } : {}),
  ...(level === 'group' && group !== null ? { group_id: publicId('grp', group.groupId), group_name: group.name } : {}),
});

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

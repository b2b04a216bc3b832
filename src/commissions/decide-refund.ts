import { cents, minCents, noCents, sum, type Cents } from '../core/money.ts';
import { applyRate, sumParts, type Earning, type EarningPart } from './decide-earning.ts';

/** A refunded line: the refunded part of its total, and how many of its units came back. */
export type RefundedLine = { readonly productId: string; readonly amount: Cents; readonly quantity: bigint };

/** What was refunded: an amount, or lines that add up to it. */
export type RefundedItems = { readonly amount: Cents; readonly lines: readonly RefundedLine[] | null };

/** What a refund took from one part of the commission. */
export type TakenPart = { readonly part: number; readonly amount: Cents; readonly quantity: bigint };

export type PartialRefund =
  | { readonly is: 'possible'; readonly earning: Earning; readonly taken: readonly TakenPart[] }
  /** The program pays per product, so the lines decide what remains of each. */
  | { readonly is: 'lines required' }
  | { readonly is: 'unknown line'; readonly productId: string }
  | { readonly is: 'exceeded'; readonly productId: string | null; readonly remaining: Cents };

/**
 * Computes a commission again from its own copied rates, on what remains after a refund. The result depends only on how much of each part
 * was refunded in all, so several refunds end at the same cents as one refund of their sum.
 */
export function decidePartialRefund(parts: readonly EarningPart[], { amount, lines }: RefundedItems): PartialRefund {
  const remaining = sum(parts.map(({ of }) => of));
  if (amount > remaining) return { is: 'exceeded', productId: null, remaining };
  if (parts.every(({ productId }) => productId === null)) return possible(parts, takeInOrder(parts, { amount, quantity: 0n }));
  if (lines === null) return amount === remaining ? possible(parts, parts.map(wholePart)) : { is: 'lines required' };
  const products = sumLines(lines);
  const unknown = products.find(({ productId }) => !parts.some((part) => part.productId === productId));
  if (unknown) return { is: 'unknown line', productId: unknown.productId };
  const taken = products.map((line) => takeInOrder(parts, line, line.productId));
  const short = products.findIndex((line, place) => !isWhole(line, taken[place] ?? []));
  const exceeded = products[short];
  if (exceeded) {
    const { productId } = exceeded;
    return { is: 'exceeded', productId, remaining: sum(parts.flatMap((part) => (part.productId === productId ? [part.of] : []))) };
  }
  return possible(parts, taken.flat());
}

const wholePart = ({ of, quantity }: EarningPart, part: number): TakenPart => ({ part, amount: of, quantity });

/** An order may have several lines of one product, and so may a refund. */
function sumLines(lines: readonly RefundedLine[]): readonly RefundedLine[] {
  const products = new Map<string, RefundedLine>();
  for (const line of lines) {
    const before = products.get(line.productId);
    products.set(line.productId, {
      productId: line.productId,
      amount: sum([line.amount, before?.amount ?? noCents]),
      quantity: line.quantity + (before?.quantity ?? 0n),
    });
  }
  return [...products.values()];
}

/** Takes from the first part until nothing remains of it, then from the next one; amounts and units each on their own. */
function takeInOrder(
  parts: readonly EarningPart[],
  wanted: Omit<RefundedLine, 'productId'>,
  productId: string | null = null,
): readonly TakenPart[] {
  let { amount, quantity } = wanted;
  const taken: TakenPart[] = [];
  for (const [part, { of, quantity: units, productId: product }] of parts.entries()) {
    if (product !== productId) continue;
    const one = { part, amount: minCents(of, amount), quantity: units < quantity ? units : quantity };
    if (one.amount > 0n || one.quantity > 0n) taken.push(one);
    amount = cents(amount - one.amount);
    quantity -= one.quantity;
  }
  return taken;
}

const isWhole = (line: RefundedLine, taken: readonly TakenPart[]): boolean =>
  sum(taken.map(({ amount }) => amount)) === line.amount && taken.reduce((units, { quantity }) => units + quantity, 0n) === line.quantity;

const possible = (parts: readonly EarningPart[], taken: readonly TakenPart[]): PartialRefund => ({
  is: 'possible',
  earning: earningWithout(parts, taken),
  taken,
});

/** What the copied rates give for the parts without what was taken of them. */
export function earningWithout(parts: readonly EarningPart[], taken: readonly TakenPart[]): Earning {
  const left = parts.map((part, place): EarningPart => {
    const own = taken.find((one) => one.part === place);
    if (own === undefined) return part;
    const rest = { of: cents(part.of - own.amount), quantity: part.quantity - own.quantity };
    return { ...part, ...rest, amount: applyRate(part.rate, { amount: rest.of, quantity: rest.quantity }) };
  });
  return sumParts(left);
}

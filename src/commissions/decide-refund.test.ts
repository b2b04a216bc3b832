import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basisPoints, cents, sum } from '../core/money.ts';
import { applyRate, type EarningPart } from './decide-earning.ts';
import { decidePartialRefund, type PartialRefund, type RefundedItems } from './decide-refund.ts';

type Given = { readonly product?: string; readonly of: number; readonly units?: number; readonly points?: number; readonly flat?: number };

function part({ product, of, units = 1, points, flat }: Given): EarningPart {
  const rate =
    points !== undefined
      ? ({ is: 'share', basisPoints: basisPoints(points) } as const)
      : flat !== undefined
        ? ({ is: 'flat', cents: cents(flat) } as const)
        : null;
  const item = { amount: cents(of), quantity: BigInt(units) };
  return { productId: product ?? null, of: item.amount, quantity: item.quantity, rate, amount: applyRate(rate, item) };
}

const amountOnly = (amount: number): RefundedItems => ({ amount: cents(amount), lines: null });
const ofLines = (...lines: ReadonlyArray<readonly [product: string, amount: number, units?: number]>): RefundedItems => ({
  amount: sum(lines.map(([, amount]) => cents(amount))),
  lines: lines.map(([productId, amount, units = 0]) => ({ productId, amount: cents(amount), quantity: BigInt(units) })),
});

const worth = (refund: PartialRefund): number | string => (refund.is === 'possible' ? Number(refund.earning.amount) : refund.is);

describe('a partial refund', () => {
  test.each<[title: string, parts: readonly EarningPart[], refunded: RefundedItems, remains: number | string]>([
    ['computes a share of what remains', [part({ of: 10_005, points: 1_000 })], amountOnly(5), 1_000],
    ['rounds the rest half up once, not each refund', [part({ of: 10_005, points: 1_000 })], amountOnly(1), 1_000],
    ['leaves a flat amount until less than it remains', [part({ of: 10_000, flat: 500 })], amountOnly(9_500), 500],
    ['limits a flat amount to what remains', [part({ of: 10_000, flat: 500 })], amountOnly(9_700), 300],
    ['of everything leaves nothing', [part({ of: 10_000, flat: 500 })], amountOnly(10_000), 0],
    ['of an order without a rule changes nothing', [part({ of: 10_000 })], amountOnly(2_000), 0],
    ['ignores the lines if the order pays as a whole', [part({ of: 10_000, points: 1_000 })], ofLines(['any', 4_000, 9]), 600],
    ['cannot exceed the eligible amount', [part({ of: 10_000, points: 1_000 })], amountOnly(10_001), 'exceeded'],
    ['needs lines if the program pays per product', [part({ product: 'a', of: 100, points: 1_000 })], amountOnly(99), 'lines required'],
    ['of all lines needs none', [part({ product: 'a', of: 100, points: 1_000 })], amountOnly(100), 0],
    ['names a line of the order', [part({ product: 'a', of: 100, points: 1_000 })], ofLines(['b', 10]), 'unknown line'],
    ['takes its units from a flat amount per unit', [part({ product: 'a', of: 900, units: 3, flat: 100 })], ofLines(['a', 300, 1]), 200],
    ['keeps the units of a price reduction', [part({ product: 'a', of: 900, units: 3, flat: 100 })], ofLines(['a', 300]), 300],
    ['cannot return more units than remain', [part({ product: 'a', of: 900, units: 3, flat: 100 })], ofLines(['a', 300, 4]), 'exceeded'],
    [
      'cannot take one line from another',
      [part({ product: 'a', of: 100, points: 1_000 }), part({ product: 'b', of: 100, points: 1_000 })],
      ofLines(['a', 101]),
      'exceeded',
    ],
    [
      'fills lines of the same product in their order',
      [part({ product: 'a', of: 100, points: 1_000 }), part({ product: 'a', of: 100, points: 2_000 })],
      ofLines(['a', 60], ['a', 60]),
      16,
    ],
  ])('%s', (_title, parts, refunded, remains) => {
    expect(worth(decidePartialRefund(parts, refunded))).toBe(remains);
  });
});

describe('partial refunds', () => {
  test('several ones end at the same cents as one of their sum, in any order, and never raise the commission', () => {
    const parts = fc.array(
      fc.record({
        product: fc.constantFrom('a', 'b'),
        of: fc.integer({ min: 0, max: 20_000 }),
        units: fc.integer({ min: 1, max: 4 }),
        rate: fc.oneof(fc.record({ points: fc.integer({ min: 0, max: 10_000 }) }), fc.record({ flat: fc.integer({ min: 0, max: 900 }) })),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const refunds = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 6_000 }), fc.integer({ min: 0, max: 2 })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(parts, refunds, fc.boolean(), (given, wanted, isWhole) => {
        const start = given.map(({ product, rate, ...rest }) => part({ ...rest, ...rate, ...(isWhole ? {} : { product }) }));
        let current = start;
        const taken: Array<(typeof wanted)[number]> = [];
        for (const line of wanted) {
          const next = decidePartialRefund(current, ofLines(line));
          if (next.is !== 'possible') continue;
          expect(next.earning.amount).toBeLessThanOrEqual(sum(current.map(({ amount }) => amount)));
          current = [...next.earning.parts];
          taken.push(line);
        }
        if (taken.length === 0) return;
        expect(decidePartialRefund(start, ofLines(...taken.toReversed()))).toMatchObject({ is: 'possible', earning: { parts: current } });
      }),
    );
  });
});

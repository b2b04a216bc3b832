import { applyRate } from '../commissions/decide-earning.ts';
import { FieldError } from '../contract/fields.ts';
import { invariant } from '../core/invariant.ts';
import { amountToJson, cents, noCents, type Cents } from '../core/money.ts';
import { hourMs } from '../core/time.ts';
import { readConversion } from '../orders/report.ts';
import { simulate } from '../orders/simulate.ts';
import type { PublicProgram } from './load-program.ts';

export type EarningsExample = {
  readonly sale: 'order' | 'invoice';
  /** Null if the rate is the same for all products. */
  readonly product: string | null;
  readonly amount: Cents;
  readonly commission: Cents;
};

const orderAmounts = [cents(50_00), cents(100_00), cents(250_00)];
const invoiceAmount = cents(20_00);

/** What sales would earn under the terms in effect: orders by the decision of real orders, invoices by its formula. */
export function earningsExamples(shown: Pick<PublicProgram, 'program' | 'terms'>, now: Date): readonly EarningsExample[] {
  const { orderRules, subscriptionRules } = shown.terms;
  // An example order is of no country and no known customer, so it does not fulfill most conditions.
  const plain = orderRules.filter(({ conditions }) => conditions === undefined);
  const rule = plain.find(({ productId }) => productId === null) ?? plain[0];
  const plan = subscriptionRules.find(({ productId, priceId }) => productId === null && priceId === null) ?? subscriptionRules[0];
  const orders =
    rule === undefined
      ? []
      : orderAmounts.map((amount): EarningsExample => {
          const commission = commissionOf({ ...shown, amount, product: rule.productId, now });
          return { sale: 'order', product: rule.productId, amount, commission };
        });
  if (plan === undefined) return orders;
  const commission = applyRate(plan.rate, { amount: invoiceAmount, quantity: 1n });
  return [...orders, { sale: 'invoice', product: plan.productId, amount: invoiceAmount, commission }];
}

type Order = Pick<PublicProgram, 'program' | 'terms'> & { readonly amount: Cents; readonly product: string | null; readonly now: Date };

/** The product ID of a line matters only to programs that pay per product. */
function commissionOf({ program, terms, amount, product, now }: Order): Cents {
  const report = readConversion({
    order_id: 'example',
    click_id: 'example',
    currency: 'USD',
    occurred_at: now.toISOString(),
    order_subtotal_cents: amountToJson(amount),
    line_items: [{ product_id: product ?? 'example', amount_minor_units: amountToJson(amount), quantity: 1 }],
    test: false,
  });
  invariant(!(report instanceof FieldError), 'the example is a valid order');
  const clickedAt = new Date(now.getTime() - hourMs);
  const decision = simulate(report, { storeId: program.storeId, programId: program.programId, now, clickedAt, terms, partners: null });
  return decision.do === 'record' ? decision.commission.earning.amount : noCents;
}

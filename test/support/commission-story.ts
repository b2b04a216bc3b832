import { expectSuccess, type Biller } from './billing.ts';
import type { Json } from './merchant.ts';
import { reviewerOf } from './review.ts';

/** The history of a commission, as its page shows it. */
export const storyOf = async ({ merchant, store }: Biller, id: string): Promise<Json> =>
  expectSuccess(await merchant.api('GET', `${store}/commissions/${id}/story`)).json;
export const linesOf = ({ ledger }: Json): readonly string[] =>
  ledger.map(({ source, debit, credit, amount_cents: cents }: Json) => `${source}: ${debit} from ${credit} ${cents}`);

export async function approvedSale(biller: Biller, order_subtotal_cents: number): Promise<string> {
  const { commissionId } = await reviewerOf(biller.merchant).sale({ order_subtotal_cents });
  await reviewerOf(biller.merchant).act('approve', { ids: [commissionId] });
  return commissionId;
}

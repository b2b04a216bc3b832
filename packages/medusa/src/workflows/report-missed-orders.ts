import type { MedusaContainer } from '@medusajs/framework/types';
import { messageOf } from '@tributary/node/plugin-connection';
import { queryOf, tributaryOf } from '../modules/tributary/resolve.ts';
import { reportOrderWorkflow } from './report-order.ts';

/** A transaction that was open at the last check may have an earlier time. */
const overlapMs = 600_000;
const pageSize = 200;

/**
 * Looks at all orders that were paid, refunded, or canceled since the last check. It makes up for events that were lost when Medusa was
 * stopped, and for the ways to pay and refund that emit no event.
 */
export async function reportMissedOrders(container: MedusaContainer): Promise<number> {
  const { connection } = tributaryOf(container);
  const checkedUntil = await connection.checkedUntil();
  if (checkedUntil === null) return 0;
  const now = new Date();
  const since = new Date(checkedUntil.getTime() - overlapMs);
  const failures: string[] = [];
  let added = 0;
  for (const orderId of await changedOrders(container, since)) {
    try {
      const { result } = await reportOrderWorkflow(container).run({ input: { order_id: orderId } });
      added += result;
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  // The next check looks at the same orders again.
  if (failures[0] !== undefined) throw new Error(failures[0]);
  await connection.setCheckedUntil(now);
  return added;
}

async function changedOrders(container: MedusaContainer, since: Date): Promise<ReadonlySet<string>> {
  const collections = new Set<string>();
  for (const entity of ['capture', 'refund']) {
    const fields = ['id', 'payment.payment_collection_id'];
    for await (const row of rowsOf(container, { entity, fields, filters: { created_at: { $gte: since } } })) {
      const { payment } = row as { readonly payment?: { readonly payment_collection_id?: string } | null };
      if (payment?.payment_collection_id) collections.add(payment.payment_collection_id);
    }
  }
  const orders = new Set<string>();
  if (collections.size > 0) {
    const filters = { payment_collection_id: [...collections] };
    for await (const row of rowsOf(container, { entity: 'order_payment_collection', fields: ['order_id'], filters }))
      orders.add((row as { readonly order_id: string }).order_id);
  }
  for await (const row of rowsOf(container, { entity: 'order', fields: ['id'], filters: { canceled_at: { $gte: since } } }))
    orders.add((row as { readonly id: string }).id);
  return orders;
}

type List = { readonly entity: string; readonly fields: readonly string[]; readonly filters: Readonly<Record<string, unknown>> };

async function* rowsOf(container: MedusaContainer, list: List): AsyncGenerator<unknown, void> {
  for (let skip = 0; ; skip += pageSize) {
    const { data } = await queryOf(container).graph({ ...list, pagination: { skip, take: pageSize } });
    yield* data;
    if (data.length < pageSize) return;
  }
}

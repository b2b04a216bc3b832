import { eraseOrdersOfCustomer, ordersOfCustomer, type CustomerAsked, type OrderOfCustomer } from '../orders/erase-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, refuse, type Refusal } from '../platform/http/answers.ts';
import { eraseBodiesOf } from '../tracking/erase-sql.ts';

/** More than that nobody bought in one shop: the id is everybody's. A part of them would be taken for the whole, so none is. */
const ordersMax = 10_000;
const tooMany = refuse('limit_reached', `More than ${ordersMax} orders carry this customer_id; ask for each order, by its order_id.`);

export async function exportOfCustomer(db: Queryable, asked: CustomerAsked): Promise<readonly OrderOfCustomer[] | Refusal> {
  const orders = await ordersOfCustomer(db, asked, ordersMax + 1);
  return orders.length > ordersMax ? tooMany : orders;
}

export type CustomerErased = { readonly orders: number; readonly bodies: number };

/**
 * A shop's customer asks their shop, and the shop asks here. What was told of them with an order goes, and the reports as they were
 * sent; the order itself, its amounts and its commission stay. The same order sent again is still known.
 */
export async function eraseCustomer(db: Queryable, asked: CustomerAsked): Promise<CustomerErased | Refusal> {
  const orders = await exportOfCustomer(db, asked);
  if (isRefusal(orders)) return orders;
  // An order that was refused stands in no other place than the log of what was sent.
  const named = asked.orderId === null ? [] : [asked.orderId];
  const orderIds = [...new Set([...orders.map(({ orderId }) => orderId), ...named])];
  const bodies = await eraseBodiesOf(db, { storeId: asked.storeId, orderIds });
  return { orders: await eraseOrdersOfCustomer(db, asked), bodies };
}

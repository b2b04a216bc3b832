import { eraseOrdersOfCustomer, ordersOfCustomer, type CustomerAsked, type OrderOfCustomer } from '../orders/erase-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { eraseBodiesOf } from '../tracking/erase-sql.ts';

/** More than that nobody bought in one shop; where they did, it is asked again. */
const ordersMax = 10_000;

export const exportOfCustomer = (db: Queryable, asked: CustomerAsked): Promise<readonly OrderOfCustomer[]> =>
  ordersOfCustomer(db, asked, ordersMax);

export type CustomerErased = { readonly orders: number; readonly bodies: number };

/**
 * A shop's customer asks their shop, and the shop asks here. What was told of them with an order goes, and the reports as they were
 * sent; the order itself, its amounts and its commission stay. The same order sent again is still known.
 */
export async function eraseCustomer(db: Queryable, asked: CustomerAsked): Promise<CustomerErased> {
  const orders = await ordersOfCustomer(db, asked, ordersMax);
  const orderIds = orders.map(({ orderId }) => orderId);
  const bodies = await eraseBodiesOf(db, { storeId: asked.storeId, orderIds });
  return { orders: await eraseOrdersOfCustomer(db, asked), bodies };
}

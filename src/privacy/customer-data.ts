import { eraseOrdersOfCustomer, ordersOfCustomer, type CustomerOrOrder, type OrderOfCustomer } from '../orders/erase-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, refuse, type Refusal } from '../http/responses.ts';
import { isoTime } from '../http/fields.ts';
import { eraseBodiesOf } from '../tracking/erase-sql.ts';

/** More than that nobody bought in one shop: the id is everybody's. A part of them would be taken for the whole, so none is. */
const ordersMax = 10_000;
const tooManyOrders = refuse('limit_reached', `More than ${ordersMax} orders carry this customer_id; ask for each order, by its order_id.`);

export type ExportedOrder = ReturnType<typeof showOrder>;

/** What an export has of a customer's orders, in the API's own form; by the API and by the command line alike. */
export async function readCustomerExport(db: Queryable, asked: CustomerOrOrder): Promise<readonly ExportedOrder[] | Refusal> {
  const orders = await readOrders(db, asked);
  return isRefusal(orders) ? orders : orders.map(showOrder);
}

const showOrder = (order: OrderOfCustomer) => ({
  order_id: order.orderId,
  occurred_at: isoTime(order.occurredAt),
  subtotal_cents: order.subtotalCents,
  order_name: order.orderName,
  customer_id: order.customerId,
  discount_code: order.discountCode,
  line_items: order.lineItems === null ? null : readLines(order.lineItems).map(showLine),
  metadata: order.metadata === null ? null : readMetadata(order.metadata),
});

/** As src/orders/orders-sql.ts keeps them; shown as they were sent. */
type StoredLine = { readonly productId: string; readonly amount: number; readonly quantity: number };
const readLines = (text: string): readonly StoredLine[] => JSON.parse(text);
const readMetadata = (text: string): unknown => JSON.parse(text);
const showLine = ({ productId, amount, quantity }: StoredLine) => ({ product_id: productId, amount_minor_units: amount, quantity });

async function readOrders(db: Queryable, asked: CustomerOrOrder): Promise<readonly OrderOfCustomer[] | Refusal> {
  const orders = await ordersOfCustomer(db, asked, ordersMax + 1);
  return orders.length > ordersMax ? tooManyOrders : orders;
}

export type CustomerErasure = { readonly orders: number; readonly bodies: number };

/**
 * A shop's customer asks their shop, and the shop asks here. What was told of them with an order goes, and the reports as they were
 * sent; the order itself, its amounts and its commission stay. The same order sent again is still known.
 */
export async function eraseCustomer(db: Queryable, asked: CustomerOrOrder): Promise<CustomerErasure | Refusal> {
  const orders = await readOrders(db, asked);
  if (isRefusal(orders)) return orders;
  // An order that was refused stands in no other place than the log of what was sent.
  const named = asked.orderId === null ? [] : [asked.orderId];
  const orderIds = [...new Set([...orders.map(({ orderId }) => orderId), ...named])];
  const bodies = await eraseBodiesOf(db, { storeId: asked.storeId, orderIds });
  return { orders: await eraseOrdersOfCustomer(db, asked), bodies };
}

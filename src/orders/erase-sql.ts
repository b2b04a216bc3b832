import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Whose orders: by the merchant's id of the customer, or of one order. */
export type CustomerAsked = { readonly storeId: Id<'store'>; readonly customerId: string | null; readonly orderId: string | null };

/** What a merchant told of a customer with an order; what is bought and what it comes to is in the books, and is not this. */
export type OrderOfCustomer = {
  readonly orderId: string;
  readonly occurredAt: Date;
  readonly subtotalCents: bigint;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly lineItems: string | null;
  readonly metadata: string | null;
};

const whose = ({ customerId, orderId }: CustomerAsked) => sql`
  ${customerId === null ? nothing : sql`and customer_id = ${customerId}`} ${orderId === null ? nothing : sql`and order_id = ${orderId}`}`;

/** Reads all of the store's orders: it is asked rarely, and an index on it would cost every order. */
export const ordersOfCustomer = (db: Queryable, asked: CustomerAsked, most: number): Promise<OrderOfCustomer[]> =>
  db.all(sql`
    select order_id, occurred_at, subtotal_cents, order_name, customer_id, discount_code, line_items, metadata from orders
    where store_id = ${asked.storeId} ${whose(asked)} order by occurred_at limit ${most}`);

/** The order's own hash stays, so that the same order sent again is still known as the same. */
export const eraseOrdersOfCustomer = (db: Queryable, asked: CustomerAsked): Promise<number> =>
  db.run(sql`
    update orders set order_name = null, customer_id = null, discount_code = null, line_items = null, metadata = null
    where store_id = ${asked.storeId} ${whose(asked)}`);

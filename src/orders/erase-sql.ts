import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Selects orders by the merchant's customer ID, or one by its order ID. */
export type CustomerOrOrder = { readonly storeId: Id<'store'>; readonly customerId: string | null; readonly orderId: string | null };

/** What a merchant reported about a customer with an order. Ledger entries are not included. */
export type OrderOfCustomer = {
  readonly commissionId: Id<'com'>;
  readonly orderId: string;
  readonly occurredAt: Date;
  readonly subtotalCents: bigint;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly discountCodes: string | null;
  readonly lineItems: string | null;
  readonly metadata: string | null;
};

/** The index entries of orders_of_customer contain this many characters. */
const indexedLength = 100;
const indexedPrefix = (text: string): string => [...text].slice(0, indexedLength).join('');

const matching = ({ customerId, orderId }: CustomerOrOrder) => sql`
  ${customerId === null ? emptySql : sql`and left(customer_id, 100) = ${indexedPrefix(customerId)} and customer_id = ${customerId}`}
  ${orderId === null ? emptySql : sql`and order_id = ${orderId}`}`;

/** By the index orders_of_customer, or the order ID, which scans all orders of the store: it runs rarely. */
export const ordersOfCustomer = (db: Queryable, selection: CustomerOrOrder, most: number): Promise<OrderOfCustomer[]> =>
  db.all(sql`
    select commission_id, order_id, occurred_at, subtotal_cents, order_name, customer_id, discount_code, discount_codes, line_items,
      metadata from orders
    where store_id = ${selection.storeId} ${matching(selection)} order by occurred_at limit ${most}`);

/** Keeps the content hash, so that a replay of the order is still recognized. */
export const eraseOrdersOfCustomer = (db: Queryable, selection: CustomerOrOrder): Promise<number> =>
  db.run(sql`
    update orders set order_name = null, customer_id = null, discount_code = null, discount_codes = null, line_items = null, metadata = null
    where store_id = ${selection.storeId} ${matching(selection)}`);

import { queryByStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { byteas, inserting, prepared, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { OrderKey } from './orders-sql.ts';
import type { CustomerKey } from './partners-sql.ts';

/** The customer of an order, by the stored ID, which may be masked, and by the hash of the ID as received. */
export type CustomerOfOrder = CustomerKey & { readonly customerId: string };

/** The customers who ordered before: one look-up in the index orders_of_customer for each, however many orders a customer has. */
export const customersWithOrders = (db: Queryable, customers: readonly CustomerOfOrder[]) =>
  queryByStore(customers, (storeId, ofStore) => {
    const customerIds = texts([...new Set(ofStore.map(({ customerId }) => customerId))]);
    return db.all<{ readonly storeId: Id<'store'>; readonly customerId: string }>(prepared`
      select ${storeId}::uuid as store_id, given.customer_id from unnest(${customerIds}) as given (customer_id)
      where exists (select 1 from orders where orders.store_id = ${storeId} and left(orders.customer_id, 100) = left(given.customer_id, 100)
        and orders.customer_id = given.customer_id)`);
  });

/** The customers who were new once, by primary key. Their order may have been erased since. */
export const customersOnceNew = (db: Queryable, customers: readonly CustomerKey[]): Promise<CustomerKey[]> =>
  queryByStore(customers, (storeId, ofStore) =>
    db.all<CustomerKey>(prepared`
      select store_id, customer_hash from first_orders
      where store_id = ${storeId} and customer_hash = any(${byteas(ofStore.map(({ customerHash }) => customerHash))})`),
  );

export type FirstOrder = CustomerKey & OrderKey;

/** Returns the number of new rows. Sorted, so that two batches cannot deadlock; the key decides between two processes. */
export function insertFirstOrders(tx: Transaction, orders: readonly FirstOrder[]): Promise<number> {
  const rows = sortedByKey(orders, ({ storeId, customerHash }) => `${storeId} ${customerHash.toString('hex')}`);
  return insertRows(
    tx,
    inserting`
      insert into first_orders (store_id, customer_hash, order_hash)
      ${[
        uuids(rows.map(({ storeId }) => storeId)),
        byteas(rows.map(({ customerHash }) => customerHash)),
        byteas(rows.map(({ orderHash }) => orderHash)),
      ]}
      on conflict do nothing`,
  );
}

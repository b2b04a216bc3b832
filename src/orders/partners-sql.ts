import { queryByStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { bigints, byteas, inserting, ints, prepared, sql, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { OrderKey } from './orders-sql.ts';

/** A customer is found by the SHA-256 of the merchant's ID. */
export type CustomerKey = { readonly storeId: Id<'store'>; readonly customerHash: Buffer };

export type StoredBinding = CustomerKey &
  OrderKey & {
    readonly number: number;
    readonly bindingId: Id<'cust'>;
    readonly programId: Id<'prog'>;
    readonly creatorId: Id<'crt'>;
    readonly linkNumber: bigint;
    readonly boundAt: Date;
  };

/** By primary key, in the order of time. */
export const bindingsOfCustomers = (db: Queryable, keys: readonly CustomerKey[]): Promise<StoredBinding[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<StoredBinding>(prepared`
      select store_id, customer_hash, number, binding_id, order_hash, program_id, creator_id, link_number, bound_at from customer_bindings
      where store_id = ${storeId} and customer_hash = any(${byteas(ofStore.map(({ customerHash }) => customerHash))})
      order by bound_at, number`),
  );

export type UseCount = CustomerKey & { readonly subjectId: Id; readonly used: number };

/** How many orders of each customer each code and binding has earned, by the index customer_uses_of_customer. */
export const usesOfCustomers = (db: Queryable, keys: readonly CustomerKey[]): Promise<UseCount[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<UseCount>(prepared`
      select store_id, customer_hash, subject_id, max(number) as used from customer_uses
      where store_id = ${storeId} and customer_hash = any(${byteas(ofStore.map(({ customerHash }) => customerHash))})
      group by store_id, customer_hash, subject_id`),
  );

/** Returns the number of new rows. Sorted, so that two batches cannot deadlock; the key decides between two processes. */
export const insertBindings = (tx: Transaction, bindings: readonly StoredBinding[]): Promise<number> => {
  const rows = sortedByKey(bindings, (row) => `${customerKeyText(row)} ${row.number}`);
  const of = <Value>(value: (row: StoredBinding) => Value) => rows.map(value);
  return insertRows(
    tx,
    inserting`
      insert into customer_bindings (store_id, customer_hash, number, binding_id, order_hash, program_id, creator_id, link_number, bound_at)
      ${[
        uuids(of(({ storeId }) => storeId)),
        byteas(of(({ customerHash }) => customerHash)),
        ints(of(({ number }) => number)),
        uuids(of(({ bindingId }) => bindingId)),
        byteas(of(({ orderHash }) => orderHash)),
        uuids(of(({ programId }) => programId)),
        uuids(of(({ creatorId }) => creatorId)),
        bigints(of(({ linkNumber }) => linkNumber)),
        timestamps(of(({ boundAt }) => boundAt)),
      ]}
      on conflict do nothing`,
  );
};

export type CustomerUse = CustomerKey & OrderKey & { readonly subjectId: Id; readonly number: number };

/** Like `insertBindings`. */
export const insertUses = (tx: Transaction, uses: readonly CustomerUse[]): Promise<number> => {
  const rows = sortedByKey(uses, (row) => `${customerKeyText(row)} ${row.subjectId} ${row.number}`);
  const of = <Value>(value: (row: CustomerUse) => Value) => rows.map(value);
  return insertRows(
    tx,
    inserting`
      insert into customer_uses (store_id, subject_id, customer_hash, number, order_hash)
      ${[
        uuids(of(({ storeId }) => storeId)),
        uuids(of(({ subjectId }) => subjectId)),
        byteas(of(({ customerHash }) => customerHash)),
        ints(of(({ number }) => number)),
        byteas(of(({ orderHash }) => orderHash)),
      ]}
      on conflict do nothing`,
  );
};

const customerKeyText = ({ storeId, customerHash }: CustomerKey): string => `${storeId} ${customerHash.toString('latin1')}`;

/** Ends the binding of a customer, and forgets which codes the customer used and that the customer was new once. The orders stay. */
export async function eraseCustomerKeys(db: Queryable, { storeId, customerHash }: CustomerKey): Promise<void> {
  await db.run(sql`delete from customer_bindings where store_id = ${storeId} and customer_hash = ${customerHash}`);
  await db.run(sql`delete from customer_uses where store_id = ${storeId} and customer_hash = ${customerHash}`);
  await db.run(sql`delete from first_orders where store_id = ${storeId} and customer_hash = ${customerHash}`);
}

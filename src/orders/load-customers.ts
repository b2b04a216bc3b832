import type { Earning } from '../commissions/decide-earning.ts';
import { hashId } from '../contract/content-hash.ts';
import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { customersOnceNew, customersWithOrders, type CustomerOfOrder, type FirstOrder } from './first-orders-sql.ts';
import type { OrderKey } from './orders-sql.ts';
import type { ConversionReport } from './report.ts';

type CustomerReport = Pick<ConversionReport, 'customerId' | 'content'>;
type OrderInStore = { readonly storeId: Id<'store'>; readonly report: CustomerReport };

/** Which customers of a batch are new. Later orders of the batch see what earlier ones recorded. */
export type CustomerFacts = {
  /** Empty: the order has no customer, or no terms of the store ask. */
  readonly of: (order: OrderInStore) => { readonly isNewCustomer?: boolean };
  /** The row that a recorded order adds if it earned because its customer was new. */
  readonly add: (order: { readonly report: CustomerReport; readonly earning: Earning }, key: OrderKey) => readonly FirstOrder[];
};

export const noCustomerFacts: CustomerFacts = { of: () => ({}), add: () => [] };

function customerOf({ storeId, report: { customerId, content } }: OrderInStore): CustomerOfOrder | null {
  return customerId === null ? null : { storeId, customerId, customerHash: hashId(content, 'customer_id') };
}

const textOf = ({ storeId, customerHash }: Pick<CustomerOfOrder, 'storeId' | 'customerHash'>): string =>
  `${storeId} ${customerHash.toString('latin1')}`;

/** Loads only orders of stores whose terms ask for new customers. A customer is new until an order of theirs is recorded. */
export async function loadCustomers(
  db: Queryable,
  orders: readonly OrderInStore[],
  stores: ReadonlySet<Id<'store'>>,
): Promise<CustomerFacts> {
  const customers = orders.flatMap((order) => (stores.has(order.storeId) ? (customerOf(order) ?? []) : []));
  if (customers.length === 0) return noCustomerFacts;
  const [onceNew, withOrders] = await Promise.all([customersOnceNew(db, customers), customersWithOrders(db, customers)]);
  const known = new Set(onceNew.map(textOf));
  const ids = new Set(withOrders.map(({ storeId, customerId }) => `${storeId} ${customerId}`));
  for (const customer of customers) if (ids.has(`${customer.storeId} ${customer.customerId}`)) known.add(textOf(customer));
  return {
    of: (order) => {
      const customer = stores.has(order.storeId) ? customerOf(order) : null;
      return customer === null ? {} : { isNewCustomer: !known.has(textOf(customer)) };
    },
    add: ({ report, earning }, key) => {
      const customer = stores.has(key.storeId) ? customerOf({ storeId: key.storeId, report }) : null;
      if (customer === null) return [];
      known.add(textOf(customer));
      return earnedAsNew(earning) ? [{ ...key, customerHash: customer.customerHash }] : [];
    },
  };
}

const earnedAsNew = ({ parts }: Earning): boolean => parts.some(({ rule }) => rule?.conditions?.new_customers === true);

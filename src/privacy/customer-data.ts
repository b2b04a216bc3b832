import { eraseCustomerKeys } from '../orders/partners-sql.ts';
import { readDiscountCodes } from '../orders/orders-sql.ts';
import { eraseOrdersOfCustomer, ordersOfCustomer, type CustomerOrOrder, type OrderOfCustomer } from '../orders/erase-sql.ts';
import { eraseLeadsOfCustomer, leadsOfCustomer, type LeadOfCustomer } from '../leads/leads-sql.ts';
import { eraseSourceNames } from '../commissions/erase-sql.ts';
import { sha256 } from '../core/sha256.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, refuse, type Refusal } from '../http/responses.ts';
import { isoTime } from '../http/fields.ts';
import { eraseBodiesOf } from '../tracking/erase-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

/** An ID with more orders than this is shared by many customers. A partial result would look complete, so none is returned. */
const ordersMax = 10_000;
const tooManyOrders = refuse('limit_reached', apiMessage('customer_data.more_than_orders_have_customer_id', { ordersMax }));

export type ExportedCustomer = {
  readonly orders: ReadonlyArray<ReturnType<typeof showOrder>>;
  readonly leads: ReadonlyArray<ReturnType<typeof showLead>>;
};

/** A customer's orders and leads in the format of the API, which the command line exports too. */
export async function readCustomerExport(db: Queryable, query: CustomerOrOrder): Promise<ExportedCustomer | Refusal> {
  const orders = await readOrders(db, query);
  if (isRefusal(orders)) return orders;
  const leads = await readLeads(db, query);
  return isRefusal(leads) ? leads : { orders: orders.map(showOrder), leads: leads.map(showLead) };
}

const showLead = (lead: LeadOfCustomer) => ({
  lead_id: lead.leadId,
  kind: lead.kind,
  occurred_at: isoTime(lead.occurredAt),
  customer_id: lead.customerId,
  discount_code: lead.discountCode,
  metadata: lead.metadata === null ? null : readMetadata(lead.metadata),
});

/** An order ID names no lead. */
async function readLeads(db: Queryable, { storeId, customerId }: CustomerOrOrder): Promise<readonly LeadOfCustomer[] | Refusal> {
  const leads = customerId === null ? [] : await leadsOfCustomer(db, storeId, customerId, ordersMax + 1);
  return leads.length > ordersMax ? tooManyOrders : leads;
}

const showOrder = (order: OrderOfCustomer) => ({
  order_id: order.orderId,
  occurred_at: isoTime(order.occurredAt),
  subtotal_cents: order.subtotalCents,
  order_name: order.orderName,
  customer_id: order.customerId,
  discount_code: order.discountCode,
  discount_codes: readDiscountCodes(order.discountCodes),
  line_items: order.lineItems === null ? null : readLines(order.lineItems).map(showLine),
  metadata: order.metadata === null ? null : readMetadata(order.metadata),
});

/** The format in which src/orders/orders-sql.ts stores them. */
type StoredLine = { readonly productId: string; readonly amount: number; readonly quantity: number };
const readLines = (text: string): readonly StoredLine[] => JSON.parse(text);
const readMetadata = (text: string): unknown => JSON.parse(text);
const showLine = ({ productId, amount, quantity }: StoredLine) => ({ product_id: productId, amount_minor_units: amount, quantity });

async function readOrders(db: Queryable, query: CustomerOrOrder): Promise<readonly OrderOfCustomer[] | Refusal> {
  const orders = await ordersOfCustomer(db, query, ordersMax + 1);
  return orders.length > ordersMax ? tooManyOrders : orders;
}

export type CustomerErasure = { readonly orders: number; readonly leads: number; readonly bodies: number };

/**
 * Serves a customer's request that the merchant passes on. Removes the customer's data in orders and leads, and the bodies of their
 * postbacks. The order, its amounts, and its commission stay, so that a repeated postback is still recognized.
 */
export async function eraseCustomer(db: Queryable, query: CustomerOrOrder): Promise<CustomerErasure | Refusal> {
  const orders = await readOrders(db, query);
  if (isRefusal(orders)) return orders;
  const leads = await readLeads(db, query);
  if (isRefusal(leads)) return leads;
  // A rejected order is stored only in the tracking log.
  const named = query.orderId === null ? [] : [query.orderId];
  const subjects = [...new Set([...orders.map(({ orderId }) => orderId), ...leads.map(({ leadId }) => leadId), ...named])];
  const bodies = await eraseBodiesOf(db, { storeId: query.storeId, orderIds: subjects });
  await eraseSourceNames(db, { storeId: query.storeId, commissionIds: orders.map(({ commissionId }) => commissionId) });
  if (query.customerId !== null) await eraseCustomerKeys(db, { storeId: query.storeId, customerHash: sha256(query.customerId) });
  const leadsErased = query.customerId === null ? 0 : await eraseLeadsOfCustomer(db, query.storeId, query.customerId);
  return { orders: await eraseOrdersOfCustomer(db, query), leads: leadsErased, bodies };
}

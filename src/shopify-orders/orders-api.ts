import { Type as T } from 'typebox';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { notFound } from '../http/responses.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { eventStates } from '../inbox/event-end.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { explainReason } from './explain-reason.ts';
import { wakeHandler } from './handle-orders.ts';
import { findOrder, listOrders, retryOrder, type ListedOrder } from './orders-sql.ts';

const orderJson = namedObject('ShopifyOrder', {
  id: T.String(),
  order_id: T.String({ description: "Shopify's ID of the order, which is also its ID in reports" }),
  click_id: orNull(T.String()),
  seen_at: T.String({ description: 'When the service first knew of it' }),
  requested_at: T.String({ description: 'When it was last named' }),
  requested_by: T.String({ description: 'The topic of a webhook, or comparison' }),
  state: T.Enum([...eventStates], {
    description: 'done: reported. ignored: nothing in it can earn. failed: it cannot be used; see message. waiting: it is read again',
  }),
  reason: orNull(T.String()),
  message: orNull(T.String({ description: 'What happened, and what to do' })),
  attempts: T.Integer(),
  next_try_at: orNull(T.String()),
});

const showOrder = (order: ListedOrder) => ({
  id: publicId('shor', order.shopifyOrderId),
  order_id: order.orderName,
  click_id: order.clickId,
  seen_at: isoTime(order.seenAt),
  requested_at: isoTime(order.requestedAt),
  requested_by: order.requestedBy,
  state: order.state,
  reason: order.reason,
  message: explainReason(order.reason, order.message),
  attempts: order.attempts,
  next_try_at: order.state === 'waiting' ? isoTime(order.tryAt) : null,
});

export const listShopifyOrders = listEndpoint({
  summary: 'List the orders that the Shopify shop named, with what became of them',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, state: T.Optional(T.Enum([...eventStates])) }, { additionalProperties: false }),
  item: orderJson,
  rows: ({ db, ids, query }, page) => listOrders(db, { storeId: ids.store, state: query.state ?? null }, page),
  renderer: () => showOrder,
  key: ({ shopifyOrderId }) => [shopifyOrderId],
});

export const retryShopifyOrder = endpoint({
  summary: 'Read an order of the Shopify shop again now, and report what changed',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { order: 'shor' },
  reply: orderJson,
  audit: 'shopify_order.retry',
  async handle({ db, ids }) {
    const key = { storeId: ids.store, shopifyOrderId: ids.order };
    const isDue = await retryOrder(db, key, realNow());
    const order = isDue ? await findOrder(db, key) : null;
    if (order === null) return notFound;
    await wakeHandler(db, ids.store);
    return showOrder(order);
  },
});

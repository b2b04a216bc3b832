import { createTributary, type Result, type Tributary } from '../sdk/src/tributary.ts';
import { plan, type Product } from './products.ts';
import type { ShopSettings } from './set-up.ts';

/** Each report and its answer: the demo shop shows both. */
export type SentReport = { readonly what: string; readonly answer: string; readonly says: string };

export type Order = {
  readonly id: string;
  readonly product: Product;
  readonly quantity: number;
  readonly cents: number;
  /** The click of the shopper; stored with the order, because a refund may happen months later. */
  readonly clickId: string | null;
  readonly paidAt: Date;
  isRefunded: boolean;
  readonly reports: SentReport[];
};

export type Invoice = { readonly id: string; readonly paidAt: Date; isRefunded: boolean };
export type Subscription = {
  readonly id: string;
  readonly clickId: string | null;
  readonly invoices: Invoice[];
  isEnded: boolean;
  readonly reports: SentReport[];
};

/** Orders and subscriptions in memory: a real shop uses a database. */
export type OrderBook = {
  readonly orders: ReadonlyMap<string, Order>;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  readonly buy: (bought: { readonly product: Product; readonly quantity: number; readonly clickId: string | null }) => Promise<Order>;
  readonly refund: (order: Order) => Promise<void>;
  readonly subscribe: (clickId: string | null) => Promise<Subscription>;
  readonly renew: (subscription: Subscription) => Promise<void>;
  readonly refundInvoice: (subscription: Subscription, invoice: Invoice) => Promise<void>;
  readonly cancel: (subscription: Subscription) => Promise<void>;
};

/** `now`: a real shop uses the real clock; the sandbox's clock can be moved, and this shop follows it. */
export function createOrderBook({ serviceUrl, trackingKey, postbackKey }: ShopSettings, now: () => Date): OrderBook {
  const tributary = createTributary({ baseUrl: serviceUrl, trackingKey, postbackKey });
  const orders = new Map<string, Order>();
  const subscriptions = new Map<string, Subscription>();
  // IDs must differ between starts of the shop.
  const born = Date.now().toString(36).toUpperCase();
  const nextId = (prefix: string, count: number) => `${prefix}-${born}-${count + 1}`;
  return {
    orders,
    subscriptions,
    async buy({ product, quantity, clickId }) {
      const order: Order = {
        id: nextId('K', orders.size),
        product,
        quantity,
        cents: product.cents * quantity,
        clickId,
        paidAt: now(),
        isRefunded: false,
        reports: [],
      };
      orders.set(order.id, order);
      await reportOrder(tributary, order);
      return order;
    },
    async refund(order) {
      if (order.isRefunded) return;
      order.isRefunded = true;
      if (order.clickId === null) return;
      const result = await tributary.conversions.reverse({ orderId: order.id, reason: 'refunded' });
      order.reports.push(reportOf('Refund', result));
    },
    async subscribe(clickId) {
      const subscription: Subscription = { id: nextId('S', subscriptions.size), clickId, invoices: [], isEnded: false, reports: [] };
      subscriptions.set(subscription.id, subscription);
      await bindSubscription(tributary, subscription);
      await reportInvoice(tributary, subscription, now());
      return subscription;
    },
    async renew(subscription) {
      if (!subscription.isEnded) await reportInvoice(tributary, subscription, now());
    },
    async refundInvoice({ id, clickId, reports }, invoice) {
      if (invoice.isRefunded) return;
      invoice.isRefunded = true;
      if (clickId === null) return;
      const refund = { eventId: `${invoice.id}-refund`, relationshipId: id, invoiceId: invoice.id, reason: 'refunded' };
      reports.push(reportOf(`Refund of ${invoice.id}`, await tributary.subscriptions.reverseInvoice(refund)));
    },
    async cancel(subscription) {
      if (subscription.isEnded) return;
      subscription.isEnded = true;
      if (subscription.clickId === null) return;
      const end = { eventId: `${subscription.id}-end`, relationshipId: subscription.id, reason: 'cancelled' };
      subscription.reports.push(reportOf('End', await tributary.subscriptions.end(end)));
    },
  };
}

async function reportOrder({ conversions }: Tributary, { id, clickId, product, quantity, cents, paidAt, reports }: Order): Promise<void> {
  const result = await conversions.record({
    orderId: id,
    clickId,
    orderSubtotalCents: cents,
    occurredAt: paidAt,
    lineItems: [{ productId: product.id, amountMinorUnits: cents, quantity }],
  });
  reports.push(reportOf('Order', result));
}

async function bindSubscription({ subscriptions }: Tributary, { id, clickId, reports }: Subscription): Promise<void> {
  const { productId, priceId } = plan;
  const result = await subscriptions.bind({ eventId: `${id}-bind`, relationshipId: id, clickId, productId, priceId });
  reports.push(reportOf('Subscription', result));
}

async function reportInvoice({ subscriptions }: Tributary, { id, clickId, invoices, reports }: Subscription, paidAt: Date): Promise<void> {
  const invoice: Invoice = { id: `${id}-${invoices.length + 1}`, paidAt, isRefunded: false };
  invoices.push(invoice);
  // A subscription without a click was never bound, so its invoices are not reported.
  if (clickId === null) return;
  const result = await subscriptions.bill({
    eventId: `${invoice.id}-paid`,
    relationshipId: id,
    invoiceId: invoice.id,
    paymentState: 'paid',
    amountPaidMinorUnits: plan.cents,
    productId: plan.productId,
    priceId: plan.priceId,
    occurredAt: invoice.paidAt,
  });
  reports.push(reportOf(`Invoice ${invoice.id}`, result));
}

function reportOf(what: string, result: Result): SentReport {
  const { outcome } = result;
  const answer = result.ok ? result.reason : `${outcome}: ${result.reason}`;
  return { what, answer, says: result.message };
}

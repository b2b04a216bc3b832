import type { Conversion, OrderRefund, Reversal } from '../../sdk/src/reports.ts';
import type { ShopifyOrder, ShopifyRefund } from './shopify-order.ts';

/** The reports of an order as it is now, in the order in which they are sent. Each is the same however often the order is read. */
export type OrderReports = {
  readonly is: 'reports';
  readonly conversion: Conversion;
  readonly reversal: Reversal | null;
  readonly refunds: readonly OrderRefund[];
};
type Unused = {
  readonly is: 'unused';
  readonly reason: 'not_paid' | 'not_usd' | 'no_click' | 'test_order';
};

type ReportFacts = { readonly order: ShopifyOrder; readonly click: string | null; readonly isLiveService: boolean };

const unused = (reason: Unused['reason']): Unused => ({ is: 'unused', reason });

/** A click of a test link verifies tracking and earns nothing. */
const isTestClick = (click: string | null): boolean => click?.startsWith('rmv_') === true;

const codesMax = 20;

/** The rules in their order; the first match wins. */
export function decideReports({ order, click, isLiveService }: ReportFacts): OrderReports | Unused {
  if (!order.isPaid) return unused('not_paid');
  if (click === null && order.codes.length === 0) return unused('no_click');
  if (order.currency !== 'USD') return unused('not_usd');
  // It moved no money, so it may verify tracking but not earn.
  if (order.isTest && isLiveService && !isTestClick(click)) return unused('test_order');
  return {
    is: 'reports',
    conversion: {
      orderId: order.id,
      clickId: click,
      currency: order.currency,
      orderSubtotalCents: order.subtotal,
      eligibleAmountCents: eligibleOf(order),
      occurredAt: order.processedAt,
      orderName: order.name,
      discountCodes: order.codes.slice(0, codesMax),
      test: isTestClick(click) ? true : null,
    },
    reversal: reversalOf(order),
    // The reversal takes back the rest, whatever was refunded before.
    refunds: reversalOf(order) === null ? order.refunds.flatMap((refund) => refundOf(order, refund) ?? []) : [],
  };
}

/** What the customer paid for the goods: after discounts, without shipping and tax. */
function eligibleOf({ subtotal, tax, shippingTax, taxesIncluded }: ShopifyOrder): number {
  return taxesIncluded ? Math.max(0, subtotal - Math.max(0, tax - shippingTax)) : subtotal;
}

function reversalOf({ id, isRefundedWhole, cancelledAt, refunds, processedAt }: ShopifyOrder): Reversal | null {
  if (cancelledAt !== null) return { orderId: id, reason: 'cancelled', occurredAt: cancelledAt };
  return isRefundedWhole ? { orderId: id, reason: 'refunded', occurredAt: refunds.at(-1)?.at ?? processedAt } : null;
}

function refundOf(order: ShopifyOrder, refund: ShopifyRefund): OrderRefund | null {
  const amountCents = refundedGoods(order, refund);
  return amountCents === 0 ? null : { refundId: refund.id, orderId: order.id, amountCents, occurredAt: refund.at, reason: 'refunded' };
}

/**
 * The refunded part of the eligible amount. Refunded lines count with their amounts. What was paid back beyond lines and shipping names no
 * goods, so it counts by the share of the eligible amount in the whole payment, rounded down. A restocking without money counts nothing.
 */
export function refundedGoods(order: ShopifyOrder, refund: ShopifyRefund): number {
  const goods = order.taxesIncluded ? refund.lines - refund.linesTax : refund.lines;
  const [linesWithTax, shippingWithTax] = order.taxesIncluded
    ? [refund.lines, refund.shipping]
    : [refund.lines + refund.linesTax, refund.shipping + refund.shippingTax];
  const forLines = Math.min(linesWithTax, refund.paidBack);
  const beyond = Math.max(0, refund.paidBack - linesWithTax - shippingWithTax);
  const eligible = eligibleOf(order);
  const share = order.total === 0 ? 0 : Number((BigInt(beyond) * BigInt(eligible)) / BigInt(order.total));
  return Math.min(goods, forLines) + share;
}

import { HistoryEntryType } from '@vendure/common/lib/generated-types';
import { Order, Payment, Refund, type ID, type RequestContext } from '@vendure/core';
import { In, MoreThanOrEqual } from 'typeorm';
import type { VendureOrder } from './order-reports.ts';
import { textOf, type Tributary } from './tributary.ts';

/** The custom field of orders that keeps the click. */
export const clickField = 'rmClick';

const relations = ['lines', 'lines.productVariant', 'surcharges', 'customer', 'payments', 'payments.refunds', 'payments.refunds.lines'];
const settled = 'Settled';

/** Reads what the reports of an order are made of. */
export async function loadOrder(tributary: Tributary, ctx: RequestContext, id: ID): Promise<VendureOrder | null> {
  const { database } = tributary;
  const order = await database.getRepository(ctx, Order).findOne({ where: { id }, relations });
  if (order === null) return null;
  const moments = await momentsOf(tributary, id);
  const payments = (order.payments ?? []).filter(({ state }) => state === settled);
  const refunds = payments.flatMap((payment) => payment.refunds ?? []).filter(({ state }) => state === settled);
  const couponCodes = order.couponCodes ?? [];
  return {
    code: order.code,
    type: order.type,
    canceledAt: order.state === 'Cancelled' ? (moments.get('canceled') ?? order.updatedAt.toISOString()) : null,
    currencyCode: order.currencyCode,
    totalWithTaxCents: order.subTotalWithTax + order.shippingWithTax,
    reductionCents: (order.surcharges ?? []).reduce((sum, { price }) => sum + Math.min(0, price), 0),
    customerId: textOf(order.customer?.id),
    country: order.shippingAddress?.countryCode?.toUpperCase() ?? null,
    clickId: clickOf(order),
    couponCodes,
    namesCreator: couponCodes.length > 0 && (await isOfCreator(tributary, couponCodes)),
    lines: order.lines.map((line) => {
      // Units that were canceled were paid for.
      line.quantity = Math.max(line.quantity, line.orderPlacedQuantity);
      const { productVariant: variant, quantity, taxRate } = line;
      const productId = variant.sku || String(variant.productId);
      return { id: String(line.id), productId, quantity, amountCents: Math.max(0, line.proratedLinePrice), taxRate };
    }),
    payments: payments.map(({ id: payment, amount, createdAt }) => ({
      id: String(payment),
      amountCents: amount,
      settledAt: moments.get(`payment ${payment}`) ?? createdAt.toISOString(),
    })),
    refunds: refunds.map(({ id: refund, total, createdAt, lines }) => ({
      id: String(refund),
      amountCents: total,
      settledAt: moments.get(`refund ${refund}`) ?? createdAt.toISOString(),
      lines: (lines ?? []).map(({ orderLineId, quantity }) => ({ lineId: String(orderLineId), quantity })),
    })),
  };
}

export function clickOf({ customFields }: Order): string | null {
  const click: unknown = Reflect.get(customFields ?? {}, clickField);
  return typeof click === 'string' && click !== '' ? click : null;
}

type HistoryRow = {
  readonly type: HistoryEntryType;
  readonly createdAt: Date;
  readonly order: { readonly id: ID };
  readonly data: { readonly to?: string; readonly paymentId?: ID; readonly refundId?: ID };
};

/** When payments and refunds were settled and the order was canceled, which Vendure keeps only in the history of the order. */
async function momentsOf({ database }: Tributary, id: ID): Promise<ReadonlyMap<string, string>> {
  const types = [
    HistoryEntryType.ORDER_PAYMENT_TRANSITION,
    HistoryEntryType.ORDER_REFUND_TRANSITION,
    HistoryEntryType.ORDER_STATE_TRANSITION,
  ];
  // Vendure does not export the class of these rows.
  const entries = await database.rawConnection
    .getRepository<HistoryRow>('OrderHistoryEntry')
    .find({ where: { order: { id }, type: In(types) }, order: { createdAt: 'ASC' } });
  const moments = new Map<string, string>();
  for (const { type, data, createdAt } of entries) {
    const at = createdAt.toISOString();
    if (type === HistoryEntryType.ORDER_STATE_TRANSITION && data.to === 'Cancelled') moments.set('canceled', at);
    if (type === HistoryEntryType.ORDER_PAYMENT_TRANSITION && data.to === settled) moments.set(`payment ${data.paymentId}`, at);
    if (type === HistoryEntryType.ORDER_REFUND_TRANSITION && data.to === settled) moments.set(`refund ${data.refundId}`, at);
  }
  return moments;
}

async function isOfCreator({ sql }: Tributary, codes: readonly string[]): Promise<boolean> {
  const names = codes.map((code) => code.toLowerCase());
  return (await sql('select id from tributary_code where lower(code) = any(?) limit 1', [names])).length > 0;
}

/** The orders that were paid, refunded, or canceled since then. */
export async function changedOrders({ database }: Tributary, ctx: RequestContext, since: Date): Promise<ReadonlySet<ID>> {
  const updatedAt = MoreThanOrEqual(since);
  const payments = await database
    .getRepository(ctx, Payment)
    .find({ where: { updatedAt, state: settled }, relations: ['order'], select: { id: true, order: { id: true } } });
  const refunds = await database.getRepository(ctx, Refund).find({
    where: { updatedAt, state: settled },
    relations: ['payment', 'payment.order'],
    select: { id: true, payment: { id: true, order: { id: true } } },
  });
  const canceled = await database.getRepository(ctx, Order).find({ where: { updatedAt, state: 'Cancelled' }, select: { id: true } });
  return new Set([
    ...payments.map(({ order }) => order.id),
    ...refunds.map(({ payment }) => payment.order.id),
    ...canceled.map(({ id }) => id),
  ]);
}

import type { Conversion, OrderRefund, Reversal } from '@tributary/node';

/** What the plugin reads of an order. Amounts are whole cents. */
export type VendureOrder = {
  readonly code: string;
  /** `Seller` for the part of an order that belongs to one seller of a marketplace. */
  readonly type: string;
  readonly canceledAt: string | null;
  readonly currencyCode: string;
  readonly totalWithTaxCents: number;
  /** Surcharges below zero, without tax: discounts that are not promotions. */
  readonly reductionCents: number;
  readonly customerId: string | null;
  readonly country: string | null;
  readonly clickId: string | null;
  readonly couponCodes: readonly string[];
  /** Whether one of the coupon codes is the discount code of a creator. */
  readonly namesCreator: boolean;
  readonly lines: readonly OrderLine[];
  /** Settled payments only. */
  readonly payments: readonly Movement[];
  /** Settled refunds only. */
  readonly refunds: ReadonlyArray<Movement & { readonly lines: ReadonlyArray<{ readonly lineId: string; readonly quantity: number }> }>;
};
type OrderLine = {
  readonly id: string;
  /** The SKU of the variant, or the ID of its product. */
  readonly productId: string;
  /** As it was bought, also after units were canceled. */
  readonly quantity: number;
  /** Of all units, after promotions and without tax. */
  readonly amountCents: number;
  readonly taxRate: number;
};
type Movement = { readonly id: string; readonly amountCents: number; readonly settledAt: string };
type Line = { readonly productId: string; readonly amountMinorUnits: number; readonly quantity: number };

export type Report =
  | { readonly operation: 'conversion'; readonly fields: Conversion }
  | { readonly operation: 'order_refund'; readonly fields: OrderRefund }
  | { readonly operation: 'reversal'; readonly fields: Reversal };

const linesMax = 200;
const codesMax = 20;
const percent = 100;

/**
 * Everything that is to be reported about an order in its current state, in the order in which it happened. The same state gives the same
 * reports, so a missed event is made up for by looking at the order again. `recordedCents` is the amount of the conversion if it was
 * reported before, because an order can be modified later.
 */
export function reportsOf(
  order: VendureOrder,
  { everyOrder = false, recordedCents = null }: { readonly everyOrder?: boolean; readonly recordedCents?: number | null } = {},
): readonly Report[] {
  const paidAt = paidTime(order, recordedCents !== null);
  // The customer pays the order that contains the parts of the sellers, which is reported.
  if (paidAt === null || order.type === 'Seller') return [];
  if (order.clickId === null && !order.namesCreator && !everyOrder) return [];
  const conversion = conversionOf(order, paidAt);
  return [{ operation: 'conversion', fields: conversion }, ...returnsOf(order, recordedCents ?? conversion.orderSubtotalCents)];
}

/** Whether the shopper entered codes without a click, none of which is known to be a creator's: one may be newer than the last look. */
export const mayNameCreator = (order: VendureOrder): boolean =>
  order.payments.length > 0 && order.clickId === null && !order.namesCreator && order.couponCodes.length > 0;

function conversionOf(order: VendureOrder, paidAt: string): Conversion {
  const lines = order.lines.map(({ productId, quantity, amountCents }) => ({ productId, amountMinorUnits: amountCents, quantity }));
  const goodsCents = Math.max(0, sumOf(lines) + order.reductionCents);
  const reduced = scaled(lines, goodsCents);
  return {
    orderId: order.code,
    clickId: order.clickId,
    currency: order.currencyCode,
    orderSubtotalCents: goodsCents,
    occurredAt: paidAt,
    lineItems: reduced.length > 0 && reduced.length <= linesMax ? reduced : null,
    orderName: order.code,
    customerId: order.customerId,
    discountCodes: [...new Set(order.couponCodes)].slice(0, codesMax),
    country: order.country,
    test: order.clickId?.startsWith('rmv_') === true ? true : null,
  };
}

/** A canceled order, and one whose payments were refunded in full, are reversed. Any other refund is partial. */
function returnsOf(order: VendureOrder, goodsCents: number): readonly Report[] {
  const paidCents = order.payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const reports: Report[] = [];
  let refundedCents = 0;
  let reportedCents = 0;
  for (const refund of sorted(order.refunds)) {
    // A refund of a canceled order changes nothing: the order earns nothing already.
    if (order.canceledAt !== null && refund.settledAt >= order.canceledAt) break;
    refundedCents += refund.amountCents;
    if (refundedCents >= paidCents) return [...reports, reversalOf(order, refund.settledAt, 'refunded')];
    const fields = refundOf(order, refund, { goodsCents, paidCents, leftCents: goodsCents - reportedCents });
    if (fields === null) continue;
    reportedCents += fields.amountCents;
    reports.push({ operation: 'order_refund', fields });
  }
  return order.canceledAt === null ? reports : [...reports, reversalOf(order, order.canceledAt, 'canceled')];
}

type Amounts = { readonly goodsCents: number; readonly paidCents: number; readonly leftCents: number };

/** The part of a refund that is about products; null if it is only about shipping or tax. */
function refundOf(
  order: VendureOrder,
  refund: VendureOrder['refunds'][number],
  amounts: Amounts,
): (OrderRefund & { amountCents: number }) | null {
  const named = refund.lines.flatMap(({ lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    if (line === undefined || quantity <= 0) return [];
    const units = Math.min(quantity, line.quantity);
    const amountMinorUnits = Math.floor((line.amountCents * units) / line.quantity);
    return [{ productId: line.productId, amountMinorUnits, quantity: units, taxRate: line.taxRate }];
  });
  const whole = named.length > 0 ? namedCents(named, refund.amountCents) : shareOf(amounts, refund.amountCents);
  const cents = Math.min(whole, amounts.leftCents);
  if (cents <= 0) return null;
  return {
    refundId: `${order.code}-${refund.id}`,
    orderId: order.code,
    amountCents: cents,
    lineItems: named.length > 0 ? linesOf(named, cents) : lineOfOnly(order, cents),
    occurredAt: refund.settledAt,
    reason: 'refunded',
  };
}

/** The price of the named units. If less was refunded than they cost with tax, the same share of their price. */
function namedCents(named: ReadonlyArray<Line & { readonly taxRate: number }>, refundedCents: number): number {
  const netCents = sumOf(named);
  const grossCents = named.reduce((sum, { amountMinorUnits, taxRate }) => sum + amountMinorUnits * (1 + taxRate / percent), 0);
  // Vendure rounds the price with tax of each unit.
  const roundingCents = named.reduce((sum, { quantity }) => sum + quantity, 0);
  return refundedCents + roundingCents >= grossCents ? netCents : Math.floor((netCents * refundedCents) / grossCents);
}

/** A refund without products also returns a share of shipping and tax, which is not reported. */
const shareOf = ({ goodsCents, paidCents }: Amounts, refundedCents: number): number => Math.floor((goodsCents * refundedCents) / paidCents);

/** Units came back only if their whole price did. */
function linesOf(named: readonly Line[], cents: number): OrderRefund['lineItems'] {
  const isWhole = sumOf(named) === cents;
  return scaled(named, cents).map(({ productId, amountMinorUnits, quantity }) => ({
    productId,
    amountMinorUnits,
    ...(isWhole && { quantity }),
  }));
}

/** With one product it is certain what a refund without products is about. */
function lineOfOnly({ lines }: VendureOrder, cents: number): OrderRefund['lineItems'] {
  const [line] = lines;
  return line !== undefined && lines.length === 1 ? [{ productId: line.productId, amountMinorUnits: cents }] : null;
}

const reversalOf = ({ code }: VendureOrder, occurredAt: string, reason: string): Report => ({
  operation: 'reversal',
  fields: { orderId: code, occurredAt, reason },
});

/** When the payment was settled that completed the total, or null: an authorized payment is not paid. */
function paidTime({ payments, totalWithTaxCents }: VendureOrder, wasReported: boolean): string | null {
  let paidCents = 0;
  for (const { amountCents, settledAt } of sorted(payments)) {
    paidCents += amountCents;
    // The total of a reported order may have risen, because it was modified.
    if (paidCents >= totalWithTaxCents || wasReported) return settledAt;
  }
  return null;
}

/** The same lines with another sum, rounded down, and the rest of the cents on the first ones. */
function scaled<One extends Line>(lines: readonly One[], cents: number): readonly One[] {
  const sum = sumOf(lines);
  if (sum === cents || sum === 0) return lines;
  const parts = lines.map((line) => ({ ...line, amountMinorUnits: Math.floor((line.amountMinorUnits * cents) / sum) }));
  let rest = cents - sumOf(parts);
  return parts.map((part, index) => {
    if (rest === 0 || part.amountMinorUnits >= (lines[index]?.amountMinorUnits ?? 0)) return part;
    rest -= 1;
    return { ...part, amountMinorUnits: part.amountMinorUnits + 1 };
  });
}

const sorted = <One extends Movement>(movements: readonly One[]): readonly One[] =>
  movements.toSorted((one, other) => one.settledAt.localeCompare(other.settledAt) || one.id.localeCompare(other.id));
const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { amountMinorUnits }) => sum + amountMinorUnits, 0);

/** An amount as Query returns it: a decimal number of the currency, not of its cents. */
type Amount = number | string;
type Moment = Date | string;

/** What Query returns of an order for `orderFields`. */
export type MedusaOrder = {
  readonly id: string;
  readonly display_id?: number | string | null;
  readonly currency_code: string;
  readonly customer_id?: string | null;
  readonly canceled_at?: Moment | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly shipping_address?: { readonly country_code?: string | null } | null;
  readonly items?: ReadonlyArray<OrderItem | null> | null;
  readonly promotions?: ReadonlyArray<OrderPromotion | null> | null;
  readonly payment_collections?: ReadonlyArray<PaymentCollection | null> | null;
};
type OrderItem = {
  readonly product_id?: string | null;
  readonly variant_sku?: string | null;
  readonly quantity: Amount;
  /** After promotions, with tax. */
  readonly total: Amount;
  readonly tax_total: Amount;
};
type OrderPromotion = {
  readonly code?: string | null;
  readonly is_automatic?: boolean | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
};
type PaymentCollection = { readonly amount: Amount; readonly payments?: ReadonlyArray<Payment | null> | null };
type Payment = {
  readonly captures?: ReadonlyArray<Movement | null> | null;
  readonly refunds?: ReadonlyArray<Movement | null> | null;
};
type Movement = { readonly id: string; readonly amount: Amount; readonly created_at: Moment };

/** The fields of the Node package's reports. */
export type Conversion = {
  readonly orderId: string;
  readonly clickId: string | null;
  readonly currency: string;
  readonly orderSubtotalCents: number;
  readonly occurredAt: string;
  readonly lineItems: ReadonlyArray<Line> | null;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCodes: readonly string[];
  readonly country: string | null;
  readonly test: true | null;
};
export type Line = { readonly productId: string; readonly amountMinorUnits: number; readonly quantity: number };
export type Refund = {
  readonly refundId: string;
  readonly orderId: string;
  readonly amountCents: number;
  readonly lineItems: ReadonlyArray<Omit<Line, 'quantity'>> | null;
  readonly occurredAt: string;
  readonly reason: 'refunded';
};
export type Reversal = { readonly orderId: string; readonly occurredAt: string; readonly reason: 'refunded' | 'canceled' };

export type Report =
  | { readonly operation: 'conversion'; readonly fields: Conversion }
  | { readonly operation: 'order_refund'; readonly fields: Refund }
  | { readonly operation: 'reversal'; readonly fields: Reversal };

/** In the metadata of carts and orders. */
export const clickField = 'rm_click';
/** In the metadata of promotions: the ID of the discount code of a creator. */
export const codeField = 'tributary_code_id';

const linesMax = 200;
const codesMax = 20;

/**
 * Everything that is to be reported about an order in its current state, in the order in which it happened. The same state gives the same
 * reports, so a missed event is made up for by looking at the order again. `recordedCents` is the amount of the conversion if it was
 * reported before, because an order can be edited later.
 */
export function reportsOf(
  order: MedusaOrder,
  { everyOrder = false, recordedCents = null }: { readonly everyOrder?: boolean; readonly recordedCents?: number | null } = {},
): readonly Report[] {
  const paidAt = paidTime(order);
  if (paidAt === null) return [];
  if (clickOf(order) === null && !namesCreator(order) && !everyOrder) return [];
  const conversion = conversionOf(order, paidAt);
  const goodsCents = recordedCents ?? conversion.orderSubtotalCents;
  return [{ operation: 'conversion', fields: conversion }, ...returnsOf(order, conversion, goodsCents)];
}

/** Whether the shopper entered codes without a click, none of which is known to be a creator's: the promotion may be newer than its code. */
export const mayNameCreator = (order: MedusaOrder): boolean =>
  paidTime(order) !== null && clickOf(order) === null && !namesCreator(order) && codesOf(order).length > 0;

export function clickOf({ metadata }: MedusaOrder): string | null {
  const click = metadata?.[clickField];
  return typeof click === 'string' && click !== '' ? click : null;
}

const namesCreator = (order: MedusaOrder): boolean =>
  present(order.promotions).some(({ metadata }) => typeof metadata?.[codeField] === 'string');

/** Codes that the shopper entered. */
function codesOf({ promotions }: MedusaOrder): readonly string[] {
  const codes = present(promotions).flatMap(({ code, is_automatic: isAutomatic }) => (code && isAutomatic !== true ? [code] : []));
  return [...new Set(codes)].slice(0, codesMax);
}

function conversionOf(order: MedusaOrder, paidAt: string): Conversion {
  const lines = linesOf(order);
  const clickId = clickOf(order);
  return {
    orderId: order.id,
    clickId,
    currency: order.currency_code.toUpperCase(),
    orderSubtotalCents: sumOf(lines.map(({ amountMinorUnits }) => amountMinorUnits)),
    occurredAt: paidAt,
    lineItems: lines.length > 0 && lines.length <= linesMax ? lines : null,
    orderName: order.display_id === null || order.display_id === undefined ? null : `#${order.display_id}`,
    customerId: order.customer_id ?? null,
    discountCodes: codesOf(order),
    country: order.shipping_address?.country_code?.toUpperCase() ?? null,
    test: clickId?.startsWith('rmv_') === true ? true : null,
  };
}

/** Products are named by the SKU of the variant, which the rules of a program name, or by their ID. */
function linesOf({ items }: MedusaOrder): readonly Line[] {
  return present(items).map(({ variant_sku: sku, product_id: productId, quantity, total, tax_total: tax }) => ({
    productId: sku || productId || 'unknown',
    amountMinorUnits: Math.max(0, centsOf(Number(total) - Number(tax))),
    quantity: Math.max(1, Math.round(Number(quantity))),
  }));
}

/** A canceled order, and one whose payments were refunded in full, are reversed. Any other refund is partial. */
function returnsOf(order: MedusaOrder, { lineItems }: Conversion, goodsCents: number): readonly Report[] {
  const captured = sumOf(movementsOf(order, 'captures').map(({ amount }) => Number(amount)));
  const refunds = movementsOf(order, 'refunds');
  const reports: Report[] = [];
  let refunded = 0;
  let reportedCents = 0;
  for (const { id, amount, created_at: at } of refunds) {
    refunded += Number(amount);
    if (centsOf(captured - refunded) <= 0) return [...reports, reversalOf(order, at)];
    // A refund also returns a share of shipping and tax, which is not reported. Rounding the sum down never returns more than was paid.
    const cents = Math.floor((goodsCents * centsOf(refunded)) / centsOf(captured)) - reportedCents;
    reportedCents += cents;
    if (cents > 0) reports.push({ operation: 'order_refund', fields: refundOf(order, { id, cents, at, lineItems }) });
  }
  return order.canceled_at ? [...reports, reversalOf(order, order.canceled_at)] : reports;
}

type Partial = { readonly id: string; readonly cents: number; readonly at: Moment; readonly lineItems: Conversion['lineItems'] };

/** Medusa does not say which products a payment is refunded for. With one product it is certain. */
function refundOf(order: MedusaOrder, { id, cents, at, lineItems }: Partial): Refund {
  const [line] = lineItems ?? [];
  const isOne = line !== undefined && lineItems?.length === 1;
  return {
    refundId: id,
    orderId: order.id,
    amountCents: cents,
    lineItems: isOne ? [{ productId: line.productId, amountMinorUnits: cents }] : null,
    occurredAt: isoOf(at),
    reason: 'refunded',
  };
}

const reversalOf = (order: MedusaOrder, at: Moment): Report => ({
  operation: 'reversal',
  fields: { orderId: order.id, occurredAt: isoOf(order.canceled_at ?? at), reason: order.canceled_at ? 'canceled' : 'refunded' },
});

/** When the first payment collection was captured in full, or null: an authorized payment is not paid. */
function paidTime({ payment_collections: collections }: MedusaOrder): string | null {
  for (const { amount, payments } of present(collections)) {
    const captures = sorted(present(payments).flatMap((payment) => present(payment.captures)));
    let captured = 0;
    for (const capture of captures) {
      captured += Number(capture.amount);
      if (centsOf(captured - Number(amount)) >= 0) return isoOf(capture.created_at);
    }
  }
  return null;
}

function movementsOf({ payment_collections: collections }: MedusaOrder, kind: 'captures' | 'refunds'): readonly Movement[] {
  return sorted(present(collections).flatMap(({ payments }) => present(payments).flatMap((payment) => present(payment[kind]))));
}

const sorted = (movements: readonly Movement[]): readonly Movement[] =>
  movements.toSorted((one, other) => isoOf(one.created_at).localeCompare(isoOf(other.created_at)) || one.id.localeCompare(other.id));

const isoOf = (at: Moment): string => new Date(at).toISOString();
/** Medusa's amounts are decimal numbers; rounding gives the cents that it shows. */
const centsOf = (amount: number): number => Math.round(amount * 100);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const present = <Value>(values: ReadonlyArray<Value | null> | null | undefined): readonly Value[] =>
  (values ?? []).filter((value): value is Value => value !== null && value !== undefined);

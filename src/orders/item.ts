import type { Postback } from '../contract/door.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { ConversionReport, ReversalReport } from './report.ts';

/** A report on its way through the batch. */
export type ConversionItem = { readonly is: 'conversion'; readonly report: ConversionReport } & Common;
export type ReversalItem = { readonly is: 'reversal'; readonly report: ReversalReport } & Common;
export type Item = ConversionItem | ReversalItem;

export type Common = {
  readonly postback: Postback<Integration>;
  /** The SHA-256 of the merchant's order id: what orders are found by. */
  readonly orderHash: Buffer;
};

export const storeOf = (item: Item) => item.postback.integration.storeId;
export const keyOf = (item: Item) => ({ storeId: storeOf(item), orderHash: item.orderHash });

/** What no two reports may touch at once: their order, the click that a conversion claims, and an order's one refund. */
export const keysOf = (item: Item): readonly string[] =>
  item.is === 'conversion' ? [orderKey(item), ...clickKeys(item)] : [orderKey(item), reversalKey(item)];

const orderKey = (item: Item): string => `${storeOf(item)} order ${item.orderHash.toString('latin1')}`;
const reversalKey = (item: Item): string => `${storeOf(item)} reversal ${item.orderHash.toString('latin1')}`;
const clickKeys = (item: Item): readonly string[] =>
  item.is === 'conversion' && item.report.clickId !== null ? [`${storeOf(item)} click ${item.report.clickId}`] : [];

/**
 * The keys on which nothing can change any more: an order once recorded is recorded for good, a click backs its order for
 * ever, a refund that was accepted stands. Who comes after that is only told so. The refund of a test order, which earned nothing
 * and so names no commission, is kept nowhere: an order may still come under its id.
 */
export function settledBy(item: Item, { reason, ids }: Outcome): readonly string[] {
  if (reason === 'recorded' && ids?.conversion_id === undefined) return [];
  if (reason === 'recorded' || reason === 'duplicate_order') return keysOf(item);
  // The other content may name another click, of which nothing was said.
  if (reason === 'duplicate_order_conflict') return [orderKey(item), reversalKey(item)];
  return reason === 'referral_click_already_converted' ? clickKeys(item) : [];
}

export const isConversion = (item: Item): item is ConversionItem => item.is === 'conversion';
export const isReversal = (item: Item): item is ReversalItem => item.is === 'reversal';

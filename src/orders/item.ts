import type { Postback } from '../contract/door.ts';
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

/** What no two reports may touch at once: their order, and the click that a conversion claims. */
export function keysOf(item: Item): readonly string[] {
  const storeId = storeOf(item);
  const order = `${storeId} order ${item.orderHash.toString('latin1')}`;
  return item.is === 'conversion' && item.report.clickId !== null ? [order, `${storeId} click ${item.report.clickId}`] : [order];
}

export const isConversion = (item: Item): item is ConversionItem => item.is === 'conversion';
export const isReversal = (item: Item): item is ReversalItem => item.is === 'reversal';

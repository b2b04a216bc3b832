import type { KeyRing } from '../clicks/signing-keys.ts';
import { hashId } from '../contract/content-hash.ts';
import { FieldError } from '../contract/fields.ts';
import type { Postback, PostbackRoute } from '../contract/postback-endpoint.ts';
import { postbackPaths } from '../contract/postback-operations.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { openPostbackBatch } from '../tracking/postback-batch.ts';
import { recordOrders, storeOf, type Item } from './record-orders.ts';
import { conversionFields, readConversion, readReversal, reversalFields } from './report.ts';

export type OrderPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** The two one-time operations. They share a batch, because a reversal must follow its conversion. */
export function openOrderPostbacks(platform: Platform, ring: KeyRing): OrderPostbacks {
  const { clock } = platform;
  const batch = openPostbackBatch<Item, Outcome>(platform, 'orders', {
    storeOf,
    keysOf,
    settledKeys,
    runBatch: (database, items, attempt) => recordOrders({ database, ring, now: clock.now }, items, attempt),
  });
  const handle =
    (operation: Item['is']) =>
    async (postback: Postback<Integration>): Promise<Outcome> => {
      const item = readOrderItem(operation, postback);
      if (item instanceof FieldError) return { reason: item.reason, field: item.field, message: item.message };
      const end = await batch.put(item);
      return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
    };
  return {
    routes: [
      { path: postbackPaths.conversion, operation: 'conversion', fields: conversionFields, handle: handle('conversion') },
      { path: postbackPaths.reversal, operation: 'reversal', fields: reversalFields, handle: handle('reversal') },
    ],
    close: batch.close,
  };
}

/** Parses the body. An invalid field is reported without a place in the batch. */
export function readOrderItem(is: Item['is'], postback: Postback<Integration>): Item | FieldError {
  if (is === 'conversion') {
    const report = readConversion(postback.json);
    return report instanceof FieldError ? report : { is, report, postback, orderHash: hashId(report.content, 'order_id') };
  }
  const report = readReversal(postback.json);
  return report instanceof FieldError ? report : { is, report, postback, orderHash: hashId(report.content, 'order_id') };
}

/** Two reports with a common key never share a batch: their order, the click that a conversion claims, and an order's one refund. */
export const keysOf = (item: Item): readonly string[] =>
  item.is === 'conversion' ? [orderKey(item), ...clickKeys(item)] : [orderKey(item), reversalKey(item)];

const orderKey = (item: Item): string => `${storeOf(item)} order ${item.orderHash.toString('latin1')}`;
const reversalKey = (item: Item): string => `${storeOf(item)} reversal ${item.orderHash.toString('latin1')}`;
const clickKeys = (item: Item): readonly string[] =>
  item.is === 'conversion' && item.report.clickId !== null ? [`${storeOf(item)} click ${item.report.clickId}`] : [];

/**
 * The keys whose state is final after this outcome: a recorded order, a click that backs an order, and an accepted refund never change, so
 * later reports with these keys may run in parallel. The refund of a test order is stored nowhere, and an order may still
 * arrive under its ID.
 */
export function settledKeys(item: Item, { reason, ids }: Outcome): readonly string[] {
  if (reason === 'recorded' && ids?.conversion_id === undefined) return [];
  if (reason === 'recorded' || reason === 'duplicate_order') return keysOf(item);
  // The conflicting content may name another click, about which nothing was decided.
  if (reason === 'duplicate_order_conflict') return [orderKey(item), reversalKey(item)];
  return reason === 'referral_click_already_converted' ? clickKeys(item) : [];
}

import type { KeyRing } from '../clicks/signing-keys.ts';
import { hashId } from '../contract/content-hash.ts';
import { FieldError } from '../contract/fields.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { batchRoute, openPostbackBatch, type BatchedPostbacks } from '../tracking/postback-batch.ts';
import { recordOrders, storeOf, type Item } from './record-orders.ts';
import { conversionFields, readConversion, readReversal, reversalFields } from './report.ts';

/** The two one-time operations. They share a batch, because a reversal must follow its conversion. */
export function openOrderPostbacks(platform: Platform, ring: KeyRing): BatchedPostbacks {
  const { clock } = platform;
  const batch = openPostbackBatch<Item, Outcome>(platform, 'orders', {
    storeOf,
    keysOf,
    settledKeys,
    runBatch: (database, items, attempt) => recordOrders({ database, ring, now: clock.now }, items, attempt),
  });
  const route = batchRoute(batch, readOrderItem);
  return { routes: [route('conversion', conversionFields), route('reversal', reversalFields)], close: batch.close };
}

/** Parses the body. */
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

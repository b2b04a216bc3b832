import { hashId } from '../contract/content-hash.ts';
import { FieldError } from '../contract/fields.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { RefundOperation } from '../contract/reasons.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { orderRefundFields, readOrderRefund } from '../orders/refund-report.ts';
import type { Money } from '../payments/providers.ts';
import { invoiceRefundFields, readInvoiceRefund } from '../subscriptions/refund-report.ts';
import { batchRoute, openPostbackBatch, type BatchedPostbacks } from '../tracking/postback-batch.ts';
import type { Item } from './load-target.ts';
import { recordRefund } from './record-refund.ts';

/**
 * The two kinds of partial refunds. Each refund has its own transaction: it may lock an invoice and write a credit note, and there are few
 * refunds compared with orders. It may also enqueue a task, so in a cluster it runs on the node of the queue.
 */
export function openRefundPostbacks({ platform, providers }: Money): BatchedPostbacks {
  const { clock, database } = platform;
  const batch = openPostbackBatch<Item, Outcome>(platform, 'refunds', {
    sizeMax: 1,
    storeOf: ({ storeId }) => storeId,
    keysOf,
    settledKeys: (item, { reason }) => (reason === 'recorded' || reason === 'duplicate_refund' ? [refundKey(item)] : []),
    runBatch: (_node, items, attempt) =>
      Promise.all(items.map((item) => recordRefund({ database, providers, now: clock.now }, item, attempt))),
  });
  const route = batchRoute(batch, readRefundItem);
  return { routes: [route('order_refund', orderRefundFields), route('invoice_refund', invoiceRefundFields)], close: batch.close };
}

/** Parses the body. */
export function readRefundItem(is: RefundOperation, postback: Postback<Integration>): Item | FieldError {
  const { storeId } = postback.integration;
  if (is === 'order_refund') {
    const report = readOrderRefund(postback.json);
    if (report instanceof FieldError) return report;
    const { content } = report;
    return { is, report, postback, storeId, refundHash: hashId(content, 'refund_id'), orderHash: hashId(content, 'order_id') };
  }
  const report = readInvoiceRefund(postback.json);
  if (report instanceof FieldError) return report;
  const { content } = report;
  return {
    is,
    report,
    postback,
    storeId,
    refundHash: hashId(content, 'refund_id'),
    relationshipHash: hashId(content, 'relationship_id'),
    invoiceHash: hashId(content, 'invoice_id'),
  };
}

const refundKey = ({ storeId, refundHash }: Item): string => `${storeId} refund ${refundHash.toString('latin1')}`;

/** Refunds of one order or subscription run one after the other. */
function keysOf(item: Item): readonly string[] {
  const source = item.is === 'order_refund' ? item.orderHash : item.relationshipHash;
  return [refundKey(item), `${item.storeId} ${item.is} ${source.toString('latin1')}`];
}

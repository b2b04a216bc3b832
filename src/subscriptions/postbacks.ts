import type { BatchResult } from '../batch/batch.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { hashId, type Content } from '../contract/content-hash.ts';
import { FieldError, type Fields } from '../contract/fields.ts';
import type { Postback, PostbackRoute } from '../contract/postback-endpoint.ts';
import { postbackPaths } from '../contract/postback-operations.ts';
import type { Queryable } from '../db/database.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { openPostbackBatch, type BatchedPostbacks } from '../tracking/postback-batch.ts';
import { shareCopies } from './share-copies.ts';
import { eventKeyOf, eventName, keysOf, storeOf, type Item } from './load-facts.ts';
import { recordEvents, type EventResult } from './record-events.ts';
import {
  billingFields,
  bindFields,
  endFields,
  invoiceReversalFields,
  namesPartnerFields,
  readBilling,
  readBind,
  readEnd,
  readInvoiceReversal,
} from './report.ts';

/** The four recurring operations. They share a batch, because the reports of a relationship must keep their order. */
export function openSubscriptionPostbacks(platform: Platform, ring: KeyRing): BatchedPostbacks {
  const { clock } = platform;
  const batch = openPostbackBatch<Item, EventResult>(platform, 'subscriptions', {
    storeOf,
    keysOf,
    runBatch: (database, items, attempt) => recordEvents({ database, ring, now: clock.now }, items, attempt),
  });
  const shareEvent = shareCopies<BatchResult<EventResult>>((end) => end.is === 'answered' && end.answer.isEventKept);
  const route = (operation: Item['is'], fields: Fields): PostbackRoute<Integration> => ({
    path: postbackPaths[operation],
    operation,
    fields,
    async handle(postback) {
      const item = await readEventItem(platform.database, operation, postback);
      if (item instanceof FieldError) return { reason: item.reason, field: item.field, message: item.message };
      const end = await shareEvent(eventName(eventKeyOf(item)), (isCopy) => batch.put({ ...item, isCopy }));
      return end.is === 'answered' ? end.answer.outcome : { reason: 'temporarily_unavailable' };
    },
  });
  return {
    routes: [
      route('relationship', bindFields),
      route('billing_event', billingFields),
      route('invoice_reversal', invoiceReversalFields),
      route('relationship_end', endFields),
    ],
    close: batch.close,
  };
}

const asFirst = { isCopy: false };

function bindItem(postback: Postback<Integration>, countsBeyondClicks = false): Item | FieldError {
  const report = readBind(postback.json, countsBeyondClicks);
  return report instanceof FieldError ? report : { is: 'relationship', report, postback, ...asFirst, ...hashesOf(report) };
}

function billingItem(postback: Postback<Integration>): Item | FieldError {
  const report = readBilling(postback.json);
  return report instanceof FieldError
    ? report
    : { is: 'billing_event', report, postback, ...asFirst, ...hashesOf(report), invoiceHash: hashId(report.content, 'invoice_id') };
}

function invoiceReversalItem(postback: Postback<Integration>): Item | FieldError {
  const report = readInvoiceReversal(postback.json);
  return report instanceof FieldError
    ? report
    : { is: 'invoice_reversal', report, postback, ...asFirst, ...hashesOf(report), invoiceHash: hashId(report.content, 'invoice_id') };
}

function endItem(postback: Postback<Integration>): Item | FieldError {
  const report = readEnd(postback.json);
  return report instanceof FieldError ? report : { is: 'relationship_end', report, postback, ...asFirst, ...hashesOf(report) };
}

const hashesOf = ({ content }: { readonly content: Content }) => ({
  eventHash: hashId(content, 'event_id'),
  relationshipHash: hashId(content, 'relationship_id'),
});

/** Parses the body of each operation. */
export const readItem = {
  relationship: bindItem,
  billing_event: billingItem,
  invoice_reversal: invoiceReversalItem,
  relationship_end: endItem,
} as const satisfies Readonly<Record<Item['is'], (postback: Postback<Integration>) => Item | FieldError>>;

/** A store that counts only clicks ignores discount codes and customers, so a bind that names one looks its store up, by primary key. */
export async function readEventItem(db: Queryable, operation: Item['is'], postback: Postback<Integration>): Promise<Item | FieldError> {
  if (operation !== 'relationship' || !namesPartnerFields(postback.json)) return readItem[operation](postback);
  const { storeId } = postback.integration;
  return bindItem(postback, (await storesBeyondClicks(db, [{ storeId }])).has(storeId));
}

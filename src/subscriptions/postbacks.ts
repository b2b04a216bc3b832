import type { KeyRing } from '../clicks/signing-keys.ts';
import type { PostbackRoute } from '../contract/door.ts';
import { Fault, type Fields } from '../contract/fields.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatch, type BatchEnd } from '../platform/batch.ts';
import type { Platform } from '../platform/platform.ts';
import { hearOfBatch, reportLimits } from '../tracking/report-batch.ts';
import { carryOut } from './carry-out.ts';
import { createCopies } from './copies.ts';
import { isBurned } from './event.ts';
import { eventKeyOf, eventName, keysOf, storeOf, type Item } from './item.ts';
import { readItem, type ReadItem } from './read-item.ts';
import { billingFields, bindFields, endFields, invoiceReversalFields } from './report.ts';

export type SubscriptionPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** The four recurring operations. All go through one batch, because each must come after what was sent before it for its relationship. */
export function openSubscriptionPostbacks(platform: Platform, ring: KeyRing): SubscriptionPostbacks {
  const { database, clock, log, metrics } = platform;
  const batch = createBatch<Item, Outcome>({
    ...reportLimits,
    groupOf: storeOf,
    apart: () => database.layout.isDistributed,
    keysOf,
    carryOut: (items, attempt) => carryOut({ database, ring, now: clock.now }, items, attempt),
    tried: hearOfBatch({ log, metrics }, 'subscriptions'),
  });
  metrics.batches.watch('subscriptions', batch.figures);
  const hear = createCopies<BatchEnd<Outcome>>(leavesItsEvent);
  const route = (path: string, fields: Fields, operation: Item['is'], read: ReadItem): PostbackRoute<Integration> => ({
    path: `v2/recurring/${path}`,
    operation,
    fields,
    async handle(postback) {
      const item = read(postback);
      // What cannot be read is answered at once; all else waits for its decision, which the batch commits before it answers.
      if (item instanceof Fault) return { reason: item.reason, field: item.field, message: item.message };
      const end = await hear(eventName(eventKeyOf(item)), (isCopy) => batch.put({ ...item, isCopy }));
      return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
    },
  });
  return {
    routes: [
      route('relationships', bindFields, 'relationship', readItem.relationship),
      route('billing-events', billingFields, 'billing_event', readItem.billing_event),
      route('reversals', invoiceReversalFields, 'invoice_reversal', readItem.invoice_reversal),
      route('relationships/end', endFields, 'relationship_end', readItem.relationship_end),
    ],
    close: batch.close,
  };
}

/** What was accepted is kept to be answered again, and what was burned is kept too. */
function leavesItsEvent(end: BatchEnd<Outcome>): boolean {
  if (end.is !== 'answered') return false;
  const { reason } = end.answer;
  return reason === 'recorded' || reason === 'no_matching_subscription_rule' || reason === 'duplicate_event' || isBurned(reason);
}

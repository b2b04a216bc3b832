import type { KeyRing } from '../clicks/signing-keys.ts';
import type { PostbackRoute } from '../contract/door.ts';
import { Fault, type Fields } from '../contract/fields.ts';
import { postbackPaths } from '../contract/paths.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatch, type BatchEnd } from '../platform/batch.ts';
import type { Platform } from '../platform/platform.ts';
import { hearOfBatch, reportLimits } from '../tracking/report-batch.ts';
import { carryOut, type Judged } from './carry-out.ts';
import { createCopies } from './copies.ts';
import { eventKeyOf, eventName, keysOf, storeOf, type Item } from './item.ts';
import { readItem, type ReadItem } from './read-item.ts';
import { billingFields, bindFields, endFields, invoiceReversalFields } from './report.ts';

export type SubscriptionPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** The four recurring operations. All go through one batch, because each must come after what was sent before it for its relationship. */
export function openSubscriptionPostbacks(platform: Platform, ring: KeyRing): SubscriptionPostbacks {
  const { database, clock, log, metrics } = platform;
  const batch = createBatch<Item, Judged>({
    ...reportLimits,
    groupOf: storeOf,
    apart: () => database.layout.isDistributed,
    keysOf,
    carryOut: (items, attempt) => carryOut({ database, ring, now: clock.now }, items, attempt),
    tried: hearOfBatch({ log, metrics }, 'subscriptions'),
  });
  metrics.batches.watch('subscriptions', batch.figures);
  const hear = createCopies<BatchEnd<Judged>>((end) => end.is === 'answered' && end.answer.isEventKept);
  const route = (operation: Item['is'], fields: Fields, read: ReadItem): PostbackRoute<Integration> => ({
    path: postbackPaths[operation],
    operation,
    fields,
    async handle(postback) {
      const item = read(postback);
      // What cannot be read is answered at once; all else waits for its decision, which the batch commits before it answers.
      if (item instanceof Fault) return { reason: item.reason, field: item.field, message: item.message };
      const end = await hear(eventName(eventKeyOf(item)), (isCopy) => batch.put({ ...item, isCopy }));
      return end.is === 'answered' ? end.answer.outcome : { reason: 'temporarily_unavailable' };
    },
  });
  return {
    routes: [
      route('relationship', bindFields, readItem.relationship),
      route('billing_event', billingFields, readItem.billing_event),
      route('invoice_reversal', invoiceReversalFields, readItem.invoice_reversal),
      route('relationship_end', endFields, readItem.relationship_end),
    ],
    close: batch.close,
  };
}

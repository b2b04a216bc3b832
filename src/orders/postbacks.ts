import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Postback, PostbackRoute } from '../contract/door.ts';
import { Fault } from '../contract/fields.ts';
import { postbackPaths } from '../contract/paths.ts';
import type { Outcome } from '../contract/reply.ts';
import { hashOfId, type Content } from '../contract/sameness.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatch, type Batch } from '../platform/batch.ts';
import type { Platform } from '../platform/platform.ts';
import { hearOfBatch, reportLimits } from '../tracking/report-batch.ts';
import { carryOut } from './carry-out.ts';
import { keysOf, settledBy, storeOf, type Common, type Item } from './item.ts';
import { conversionFields, readConversion, readReversal, reversalFields } from './report.ts';

export type OrderPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** The two one-time operations. Both go through one batch, because a reversal must come after its conversion. */
export function openOrderPostbacks(platform: Platform, ring: KeyRing): OrderPostbacks {
  const { database, clock, log, metrics } = platform;
  const orders = createBatch<Item, Outcome>({
    ...reportLimits,
    groupOf: storeOf,
    apart: () => database.layout.isDistributed,
    keysOf,
    settles: settledBy,
    carryOut: (items, attempt) => carryOut({ database, ring, now: clock.now }, items, attempt),
    tried: hearOfBatch({ log, metrics }, 'orders'),
  });
  metrics.batches.watch('orders', orders.figures);
  return {
    routes: [
      {
        path: postbackPaths.conversion,
        operation: 'conversion',
        fields: conversionFields,
        handle: (postback) =>
          receive({ orders, postback }, readConversion(postback.json), (report, common) => ({ is: 'conversion', report, ...common })),
      },
      {
        path: postbackPaths.reversal,
        operation: 'reversal',
        fields: reversalFields,
        handle: (postback) =>
          receive({ orders, postback }, readReversal(postback.json), (report, common) => ({ is: 'reversal', report, ...common })),
      },
    ],
    close: orders.close,
  };
}

type Reading = { readonly orders: Batch<Item, Outcome>; readonly postback: Postback<Integration> };

/** What cannot be read is answered at once; all else waits for its decision, which the batch commits before it answers. */
async function receive<Report extends { readonly content: Content }>(
  { orders, postback }: Reading,
  report: Report | Fault,
  itemOf: (report: Report, common: Common) => Item,
): Promise<Outcome> {
  if (report instanceof Fault) return { reason: report.reason, field: report.field, message: report.message };
  const end = await orders.put(itemOf(report, { postback, orderHash: hashOfId(report.content, 'order_id') }));
  return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
}

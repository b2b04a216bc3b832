import { hash } from 'node:crypto';
import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Postback, PostbackRoute } from '../contract/door.ts';
import { Fault } from '../contract/fields.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatch, type Batch } from '../platform/batch.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import { carryOut } from './carry-out.ts';
import { keysOf, storeOf, type Item } from './item.ts';
import { readConversion, readReversal, type ConversionReport, type ReversalReport } from './report.ts';

export type OrderPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

const lanes = 3;
const lanesAlone = 1;
const sizeMax = 200;
const waitingMax = 5_000;
/** Below the door's own limit: the batch's answer must be there before the door gives up. */
const deadlineMs = 4 * secondMs;

/** The two one-time operations. Both go through one batch, because a reversal must come after its conversion. */
export function openOrderPostbacks(platform: Platform, ring: KeyRing): OrderPostbacks {
  const { database, clock, log } = platform;
  const batch = createBatch<Item, Outcome>({
    lanes,
    lanesAlone,
    sizeMax,
    waitingMax,
    deadlineMs,
    groupOf: storeOf,
    keysOf,
    carryOut: (items, attempt) => carryOut({ database, ring, now: clock.now }, items, attempt),
    tried: ({ failure, error, items }) => {
      if (failure !== null) log.warn({ failure, error: String(error), reports: items.length }, 'a batch of orders was not carried out');
    },
  });
  return {
    routes: [
      {
        path: 'conversions',
        operation: 'conversion',
        handle: (postback) => receive(batch, postback, readConversion(postback.json), 'conversion'),
      },
      { path: 'reversals', operation: 'reversal', handle: (postback) => receive(batch, postback, readReversal(postback.json), 'reversal') },
    ],
    close: batch.close,
  };
}

type Orders = Batch<Item, Outcome>;
type Given = ConversionReport | ReversalReport;

async function receive(batch: Orders, postback: Postback<Integration>, report: Given | Fault, is: Item['is']): Promise<Outcome> {
  if (report instanceof Fault) return { reason: report.reason, field: report.field, message: report.message };
  const orderHash = hash('sha256', report.orderId, 'buffer');
  const end = await batch.put({ is, report, postback, orderHash } as Item);
  return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
}

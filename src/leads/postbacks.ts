import type { KeyRing } from '../clicks/signing-keys.ts';
import { hashId } from '../contract/content-hash.ts';
import { FieldError } from '../contract/fields.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { batchRoute, openPostbackBatch, type BatchedPostbacks } from '../tracking/postback-batch.ts';
import { leadFields, leadReversalFields, readLead, readLeadReversal } from './lead-report.ts';
import { recordLead, type Item } from './record-lead.ts';

/** The two operations for leads. Each report has its own transaction, because a monthly limit counts leads one after the other. */
export function openLeadPostbacks(platform: Platform, ring: KeyRing): BatchedPostbacks {
  const { clock } = platform;
  const batch = openPostbackBatch<Item, Outcome>(platform, 'leads', {
    sizeMax: 1,
    storeOf: ({ storeId }) => storeId,
    keysOf: (item) => [leadKey(item)],
    settledKeys: (item, { reason }) =>
      item.is === 'lead' && (reason === 'recorded' || reason === 'duplicate_lead') ? [leadKey(item)] : [],
    runBatch: (database, items, attempt) => Promise.all(items.map((item) => recordLead({ database, ring, now: clock.now }, item, attempt))),
  });
  const route = batchRoute(batch, readLeadItem);
  return { routes: [route('lead', leadFields), route('lead_reversal', leadReversalFields)], close: batch.close };
}

/** Parses the body. */
export function readLeadItem(is: Item['is'], postback: Postback<Integration>): Item | FieldError {
  const { storeId } = postback.integration;
  if (is === 'lead') {
    const report = readLead(postback.json);
    return report instanceof FieldError ? report : { is, report, postback, storeId, leadHash: hashId(report.content, 'lead_id') };
  }
  const report = readLeadReversal(postback.json);
  return report instanceof FieldError ? report : { is, report, postback, storeId, leadHash: hashId(report.content, 'lead_id') };
}

const leadKey = ({ storeId, leadHash }: Item): string => `${storeId} lead ${leadHash.toString('latin1')}`;

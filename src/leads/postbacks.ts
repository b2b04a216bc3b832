import type { KeyRing } from '../clicks/signing-keys.ts';
import { hashId } from '../contract/content-hash.ts';
import { FieldError, type Fields } from '../contract/fields.ts';
import type { Postback, PostbackRoute } from '../contract/postback-endpoint.ts';
import { postbackPaths } from '../contract/postback-operations.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { openPostbackBatch } from '../tracking/postback-batch.ts';
import { leadFields, leadReversalFields, readLead, readLeadReversal } from './lead-report.ts';
import { recordLead, type Item } from './record-lead.ts';

export type LeadPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** The two operations for leads. Each report has a transaction of its own: a monthly limit counts leads one after the other. */
export function openLeadPostbacks(platform: Platform, ring: KeyRing): LeadPostbacks {
  const { clock } = platform;
  const batch = openPostbackBatch<Item, Outcome>(platform, 'leads', {
    sizeMax: 1,
    storeOf: ({ storeId }) => storeId,
    keysOf: (item) => [leadKey(item)],
    settledKeys: (item, { reason }) =>
      item.is === 'lead' && (reason === 'recorded' || reason === 'duplicate_lead') ? [leadKey(item)] : [],
    runBatch: (database, items, attempt) => Promise.all(items.map((item) => recordLead({ database, ring, now: clock.now }, item, attempt))),
  });
  const route = (operation: Item['is'], fields: Fields): PostbackRoute<Integration> => ({
    path: postbackPaths[operation],
    operation,
    fields,
    async handle(postback) {
      const item = readLeadItem(operation, postback);
      if (item instanceof FieldError) return { reason: item.reason, field: item.field, message: item.message };
      const end = await batch.put(item);
      return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
    },
  });
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

import type { KeyRing } from '../clicks/signing-keys.ts';
import { FieldError } from '../contract/fields.ts';
import { parseBody, postbackBytesMax } from '../contract/request-checks.ts';
import type { Operation } from '../contract/reasons.ts';
import type { ExplainedOutcome, Outcome } from '../contract/reply.ts';
import type { Store } from '../merchants/stores-sql.ts';
import { readOrderItem } from '../orders/postbacks.ts';
import { dryRunOrder } from '../orders/record-orders.ts';
import { newId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { readLeadItem } from '../leads/postbacks.ts';
import { dryRunLead } from '../leads/record-lead.ts';
import { readRefundItem } from '../refunds/postbacks.ts';
import { dryRunRefund } from '../refunds/record-refund.ts';
import { readEventItem } from '../subscriptions/postbacks.ts';
import { dryRunEvent } from '../subscriptions/record-events.ts';

type DryRunContext = { readonly platform: Platform; readonly ring: KeyRing; readonly store: Store; readonly now: Date };
type Report = { readonly operation: Operation; readonly body: string; readonly contentType: string };

/** Does not wait for locked rows, like a batch; a wait would end in a database error. */
const lockWaitMs = 0;

/**
 * The reply that a report would get now, by the request checks, parsers, facts, and decisions of real reports. Writes nothing, not even
 * to the tracking log.
 */
export async function dryRun(
  { platform, ring, store, now }: DryRunContext,
  { operation, body, contentType }: Report,
): Promise<ExplainedOutcome> {
  if (store.archivedAt !== null) return refused({ reason: 'store_archived' });
  if (store.integrationDisabledAt !== null) return refused({ reason: 'integration_disabled' });
  const bytes = Buffer.from(body);
  if (bytes.length > postbackBytesMax) return refused({ reason: 'payload_too_large' });
  const read = parseBody({ 'content-type': contentType }, bytes);
  if (read.is === 'rejected') return refused(read.outcome);
  const postback = {
    operation,
    integration: { storeId: store.storeId, postbackKeyId: newId<'pbkey'>(now) },
    requestId: '',
    receivedAt: now,
    fields: {},
    origin: null,
    secFetchSite: null,
    json: read.json,
    bytes,
    startedAt: 0,
  };
  const loading = { ring, now, lockWaitMs };
  if (operation === 'conversion' || operation === 'reversal') {
    const item = readOrderItem(operation, postback);
    if (item instanceof FieldError) return refused(outcomeOfError(item));
    return (await platform.database.transaction((tx) => dryRunOrder(tx, loading, item))) ?? tryAgain;
  }
  if (operation === 'order_refund' || operation === 'invoice_refund') {
    const item = readRefundItem(operation, postback);
    if (item instanceof FieldError) return refused(outcomeOfError(item));
    return (await platform.database.transaction((tx) => dryRunRefund(tx, { readClock: () => now, lockWaitMs }, item))) ?? tryAgain;
  }
  if (operation === 'lead' || operation === 'lead_reversal') {
    const item = readLeadItem(operation, postback);
    if (item instanceof FieldError) return refused(outcomeOfError(item));
    return (await platform.database.transaction((tx) => dryRunLead(tx, loading, item))) ?? tryAgain;
  }
  const item = await readEventItem(platform.database, operation, postback);
  if (item instanceof FieldError) return refused(outcomeOfError(item));
  return (await platform.database.transaction((tx) => dryRunEvent(tx, loading, item))) ?? tryAgain;
}

const refused = (outcome: Outcome): ExplainedOutcome => ({ outcome, why: {} });
const outcomeOfError = ({ reason, field, message }: FieldError): Outcome => ({ reason, field, message });
/** Another transaction has locked a row. A real report would wait. */
const tryAgain = refused({ reason: 'temporarily_unavailable' });

import type { KeyRing } from '../clicks/signing-keys.ts';
import { Fault } from '../contract/fields.ts';
import { readReport } from '../contract/gates.ts';
import { postbackBytesMax } from '../contract/limits.ts';
import type { Operation } from '../contract/reasons.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import type { Store } from '../merchants/stores-sql.ts';
import { readOrderItem, rehearseOrder } from '../orders/rehearse.ts';
import { newId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { readItem } from '../subscriptions/read-item.ts';
import { rehearseEvent } from '../subscriptions/rehearse.ts';

export type Rehearsed = { readonly outcome: Outcome; readonly why: Why };

type Rehearsing = { readonly platform: Platform; readonly ring: KeyRing; readonly store: Store; readonly now: Date };
type Sending = { readonly operation: Operation; readonly body: string; readonly contentType: string };

/** A row that somebody else holds is left out at once, as in the batch; to wait for it would end in an error of the database. */
const lockWaitMs = 0;

/**
 * What a report would be answered with just now: the gates, the parsers, the facts and the decision that a real one goes through.
 * Nothing is written, and no line stands in the log.
 */
export async function rehearse({ platform, ring, store, now }: Rehearsing, { operation, body, contentType }: Sending): Promise<Rehearsed> {
  if (store.archivedAt !== null) return refused({ reason: 'store_archived' });
  if (store.integrationDisabledAt !== null) return refused({ reason: 'integration_disabled' });
  const bytes = Buffer.from(body);
  if (bytes.length > postbackBytesMax) return refused({ reason: 'payload_too_large' });
  const read = readReport({ 'content-type': contentType }, bytes);
  if (read.is === 'refused') return refused(read.outcome);
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
    if (item instanceof Fault) return refused(outcomeOfFault(item));
    return (await platform.database.transaction((tx) => rehearseOrder(tx, loading, item))) ?? tryAgain;
  }
  const item = readItem[operation](postback);
  if (item instanceof Fault) return refused(outcomeOfFault(item));
  return (await platform.database.transaction((tx) => rehearseEvent(tx, loading, item))) ?? tryAgain;
}

const refused = (outcome: Outcome): Rehearsed => ({ outcome, why: {} });
const outcomeOfFault = ({ reason, field, message }: Fault): Outcome => ({ reason, field, message });
/** Somebody holds a row of it: a real one would wait for its turn. */
const tryAgain = refused({ reason: 'temporarily_unavailable' });

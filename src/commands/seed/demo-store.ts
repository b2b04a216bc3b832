import { hash } from 'node:crypto';
import { mintClickId } from '../../contract/click-id.ts';
import type { KeyRing } from '../../clicks/signing-keys.ts';
import { insertClicks, type Click } from '../../clicks/clicks-sql.ts';
import type { Postback } from '../../contract/postback-endpoint.ts';
import { FieldError, type Fields, type JsonObject } from '../../contract/fields.ts';
import type { Operation } from '../../contract/reasons.ts';
import type { CreatorLink } from '../../clicks/redirect.ts';
import { addLinkRollups } from '../../rollups/rollups-sql.ts';
import { leadFields, leadReversalFields } from '../../leads/lead-report.ts';
import { readLeadItem } from '../../leads/postbacks.ts';
import { recordLead, type Item as LeadItem } from '../../leads/record-lead.ts';
import type { Integration } from '../../merchants/integration-sql.ts';
import { readOrderItem } from '../../orders/postbacks.ts';
import { recordOrders, type Item as OrderItem } from '../../orders/record-orders.ts';
import { orderRefundFields } from '../../orders/refund-report.ts';
import { openProviders } from '../../payments/providers.ts';
import type { Item as RefundItem } from '../../refunds/load-target.ts';
import { readRefundItem } from '../../refunds/postbacks.ts';
import { recordRefund } from '../../refunds/record-refund.ts';
import { conversionFields, reversalFields } from '../../orders/report.ts';
import { newId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import type { Platform } from '../../runtime/platform.ts';
import { recordEvents } from '../../subscriptions/record-events.ts';
import type { Item as RecurringItem } from '../../subscriptions/load-facts.ts';
import { readItem } from '../../subscriptions/postbacks.ts';
import { billingFields, bindFields, endFields } from '../../subscriptions/report.ts';
import { dayOf } from '../../core/time.ts';

export type DemoLink = Pick<CreatorLink, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'>;
export type DemoVisit = { readonly link: DemoLink; readonly at: Date; readonly subId: string | null; readonly host: string | null };
/** Visits on a day that were not by people. */
export type FilteredVisits = { readonly link: DemoLink; readonly at: Date; readonly count: number };

/** A store in the past: visits of its shoppers, and the postbacks that its server would have sent at a given time. */
export type DemoStore = {
  /** Records the visits of one day and returns their click IDs, in the same order. */
  readonly visit: (visits: readonly DemoVisit[], filtered: readonly FilteredVisits[]) => Promise<readonly string[]>;
  readonly order: (order: JsonObject, at: Date) => Promise<void>;
  readonly refund: (refund: JsonObject, at: Date) => Promise<void>;
  readonly partialRefund: (refund: JsonObject, at: Date) => Promise<void>;
  readonly bind: (bind: JsonObject, at: Date) => Promise<void>;
  readonly invoice: (invoice: JsonObject, at: Date) => Promise<void>;
  readonly end: (end: JsonObject, at: Date) => Promise<void>;
  readonly lead: (lead: JsonObject, at: Date) => Promise<void>;
  readonly leadReversal: (reversal: JsonObject, at: Date) => Promise<void>;
};

const attempt = { lockWaitMs: 1_000, deadlineAt: Number.POSITIVE_INFINITY, commitSent: () => {} };

export function openDemoStore(platform: Platform, ring: KeyRing, integration: Integration): DemoStore {
  const { database } = platform;
  const providers = openProviders(platform);
  const post = async (item: OrderItem | FieldError, at: Date) => {
    invariant(!(item instanceof FieldError), 'the history posts what can be read');
    await recordOrders({ database, ring, now: () => at }, [item], attempt);
  };
  const postRefund = async (item: RefundItem | FieldError, at: Date) => {
    invariant(!(item instanceof FieldError), 'the history posts what can be read');
    await recordRefund({ database, providers, now: () => at }, item, attempt);
  };
  const postRecurring = async (item: RecurringItem | FieldError, at: Date) => {
    invariant(!(item instanceof FieldError), 'the history posts what can be read');
    await recordEvents({ database, ring, now: () => at }, [item], attempt);
  };
  const postLead = async (item: LeadItem | FieldError, at: Date) => {
    invariant(!(item instanceof FieldError), 'the history posts what can be read');
    await recordLead({ database, ring, now: () => at }, item, attempt);
  };
  const postbackOf = (operation: Operation, fields: Fields, json: JsonObject, at: Date) =>
    postback({ operation, fields, json, at }, integration);
  return {
    visit: (visits, filtered) => recordVisits(database, ring, visits, filtered),
    order: (json, at) => post(readOrderItem('conversion', postbackOf('conversion', conversionFields, json, at)), at),
    refund: (json, at) => post(readOrderItem('reversal', postbackOf('reversal', reversalFields, json, at)), at),
    partialRefund: (json, at) => postRefund(readRefundItem('order_refund', postbackOf('order_refund', orderRefundFields, json, at)), at),
    bind: (json, at) => postRecurring(readItem.relationship(postbackOf('relationship', bindFields, json, at)), at),
    invoice: (json, at) => postRecurring(readItem.billing_event(postbackOf('billing_event', billingFields, json, at)), at),
    end: (json, at) => postRecurring(readItem.relationship_end(postbackOf('relationship_end', endFields, json, at)), at),
    lead: (json, at) => postLead(readLeadItem('lead', postbackOf('lead', leadFields, json, at)), at),
    leadReversal: (json, at) => postLead(readLeadItem('lead_reversal', postbackOf('lead_reversal', leadReversalFields, json, at)), at),
  };
}

async function recordVisits(
  database: Platform['database'],
  ring: KeyRing,
  visits: readonly DemoVisit[],
  filtered: readonly FilteredVisits[],
): Promise<readonly string[]> {
  const minted = visits.map((visit) => ({
    visit,
    ...mintClickId({ kind: 'referral', at: visit.at, linkNumber: visit.link.linkNumber, keys: ring.keys() }),
  }));
  const clicks = minted.map(({ clickId, visit: { link, subId, host } }): Click => {
    const addressHash = hash('sha256', clickId, 'buffer').subarray(0, 16);
    const { storeId, linkNumber, programId, creatorId } = link;
    return { storeId, clickId, linkNumber, programId, creatorId, subId, referrerHost: host, addressHash };
  });
  const rollupOf = ({ storeId, linkNumber }: DemoLink, at: Date) => {
    return { storeId, linkNumber, day: dayOf(at), eligibleCents: 0n, commissionCents: 0n };
  };
  await database.transaction(async (tx) => {
    await insertClicks(tx, clicks);
    await addLinkRollups(tx, [
      ...visits.map(({ link, at }) => ({ ...rollupOf(link, at), what: 'click', count: 1n })),
      ...filtered.map(({ link, at, count }) => ({ ...rollupOf(link, at), what: 'bot', count: BigInt(count) })),
    ]);
  });
  return minted.map(({ text }) => text);
}

type Posted = { readonly operation: Operation; readonly fields: Fields; readonly json: JsonObject; readonly at: Date };

function postback({ operation, fields, json, at }: Posted, integration: Integration): Postback<Integration> {
  const startedAt = performance.now();
  return {
    operation,
    integration,
    requestId: newId(at),
    receivedAt: at,
    fields,
    origin: null,
    secFetchSite: null,
    json,
    bytes: Buffer.from(JSON.stringify(json)),
    startedAt,
  };
}

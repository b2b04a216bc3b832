import { hash } from 'node:crypto';
import { mintClickId } from './contract/click-id.ts';
import type { KeyRing } from './clicks/signing-keys.ts';
import { insertClicks, type Click } from './clicks/sql.ts';
import type { Postback } from './contract/door.ts';
import { Fault, type Fields, type JsonObject } from './contract/fields.ts';
import type { Operation } from './contract/reasons.ts';
import { hashOfId } from './contract/sameness.ts';
import type { CreatorLink } from './clicks/redirect.ts';
import { addLinkFigures } from './figures/sql.ts';
import type { Integration } from './merchants/integration-sql.ts';
import { carryOut as carryOutOrders } from './orders/carry-out.ts';
import type { Item as OrderItem } from './orders/item.ts';
import { conversionFields, readConversion, readReversal, reversalFields } from './orders/report.ts';
import { newId } from './platform/ids.ts';
import { must } from './platform/must.ts';
import type { Platform } from './platform/platform.ts';
import { carryOut as carryOutRecurring } from './subscriptions/carry-out.ts';
import type { Item as RecurringItem } from './subscriptions/item.ts';
import { readItem } from './subscriptions/read-item.ts';
import { billingFields, bindFields, endFields } from './subscriptions/report.ts';

export type ShopLink = Pick<CreatorLink, 'storeId' | 'linkNumber' | 'programId' | 'creatorId'>;

/** A shop of the past: its shoppers' visits, and what its server would have posted at a moment that the caller names. */
export type PastShop = {
  /** Visits at these moments; gives their click IDs. And so many that were no persons. */
  readonly visit: (link: ShopLink, at: readonly Date[], filtered: number) => Promise<readonly string[]>;
  readonly order: (order: JsonObject, at: Date) => Promise<void>;
  readonly refund: (refund: JsonObject, at: Date) => Promise<void>;
  readonly bind: (bind: JsonObject, at: Date) => Promise<void>;
  readonly bill: (bill: JsonObject, at: Date) => Promise<void>;
  readonly end: (end: JsonObject, at: Date) => Promise<void>;
};

const attempt = { lockWaitMs: 1_000, deadlineAt: Number.POSITIVE_INFINITY, commitSent: () => {} };

export function openPastShop({ database }: Platform, ring: KeyRing, integration: Integration): PastShop {
  const post = async (item: OrderItem | Fault, at: Date) => {
    must(!(item instanceof Fault), 'the history posts what can be read');
    await carryOutOrders({ database, ring, now: () => at }, [item], attempt);
  };
  const postRecurring = async (item: RecurringItem | Fault, at: Date) => {
    must(!(item instanceof Fault), 'the history posts what can be read');
    await carryOutRecurring({ database, ring, now: () => at }, [item], attempt);
  };
  const postbackOf = (operation: Operation, fields: Fields, json: JsonObject, at: Date) =>
    postback({ operation, fields, json, at }, integration);
  return {
    visit: (link, at, filtered) => visit(database, ring, link, { at, filtered }),
    order: (json, at) => post(orderItem(postbackOf('conversion', conversionFields, json, at)), at),
    refund: (json, at) => post(refundItem(postbackOf('reversal', reversalFields, json, at)), at),
    bind: (json, at) => postRecurring(readItem.relationship(postbackOf('relationship', bindFields, json, at)), at),
    bill: (json, at) => postRecurring(readItem.billing_event(postbackOf('billing_event', billingFields, json, at)), at),
    end: (json, at) => postRecurring(readItem.relationship_end(postbackOf('relationship_end', endFields, json, at)), at),
  };
}

type Visits = { readonly at: readonly Date[]; readonly filtered: number };

async function visit(database: Platform['database'], ring: KeyRing, link: ShopLink, { at, filtered }: Visits): Promise<readonly string[]> {
  const { storeId, linkNumber, programId, creatorId } = link;
  const minted = at.map((time) => ({ time, ...mintClickId({ kind: 'referral', at: time, linkNumber, keys: ring.keys() }) }));
  const clicks = minted.map(({ clickId }): Click => {
    const addressHash = hash('sha256', clickId, 'buffer').subarray(0, 16);
    return { storeId, clickId, linkNumber, programId, creatorId, subId: null, referrerHost: null, addressHash };
  });
  const [first] = at;
  if (first === undefined) return [];
  const of = { storeId, linkNumber, day: first.toISOString().slice(0, 10), eligibleCents: 0n, commissionCents: 0n };
  await database.transaction(async (tx) => {
    await insertClicks(tx, clicks);
    await addLinkFigures(tx, [
      { ...of, what: 'click', count: BigInt(clicks.length) },
      ...(filtered === 0 ? [] : [{ ...of, what: 'bot', count: BigInt(filtered) }]),
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

function orderItem(posted: Postback<Integration>): OrderItem | Fault {
  const report = readConversion(posted.json);
  return report instanceof Fault ? report : { is: 'conversion', report, postback: posted, orderHash: hashOfId(report.content, 'order_id') };
}

function refundItem(posted: Postback<Integration>): OrderItem | Fault {
  const report = readReversal(posted.json);
  return report instanceof Fault ? report : { is: 'reversal', report, postback: posted, orderHash: hashOfId(report.content, 'order_id') };
}

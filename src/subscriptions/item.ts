import type { Postback } from '../contract/door.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { RecurringOperation } from './event.ts';
import type { EventKey } from './events-sql.ts';
import type { RelationshipKey } from './relationship.ts';
import type { BillingReport, BindReport, EndReport, InvoiceReversalReport } from './report.ts';

/** A report on its way through the batch. */
export type BindItem = { readonly is: 'relationship'; readonly report: BindReport } & Common;
export type BillingItem = { readonly is: 'billing_event'; readonly report: BillingReport; readonly invoiceHash: Buffer } & Common;
export type InvoiceReversalItem = {
  readonly is: 'invoice_reversal';
  readonly report: InvoiceReversalReport;
  readonly invoiceHash: Buffer;
} & Common;
export type EndItem = { readonly is: 'relationship_end'; readonly report: EndReport } & Common;
export type Item = BindItem | BillingItem | InvoiceReversalItem | EndItem;

export type Common = {
  readonly is: RecurringOperation;
  readonly postback: Postback<Integration>;
  /** SHA-256 of the merchant's ids: what events and relationships are found by. */
  readonly eventHash: Buffer;
  readonly relationshipHash: Buffer;
  /** The event was judged and kept before this came to its turn: all that is left is to read its answer. */
  readonly isCopy: boolean;
};

export const storeOf = (item: Item) => item.postback.integration.storeId;
export const eventKeyOf = (item: Item): EventKey => ({ storeId: storeOf(item), eventHash: item.eventHash });
export const relationshipKeyOf = (item: Item): RelationshipKey => ({ storeId: storeOf(item), relationshipHash: item.relationshipHash });

/** What no two reports may touch at once. An invoice belongs to its relationship, so it needs no key of its own. A copy touches nothing. */
export function keysOf(item: Item): readonly string[] {
  if (item.isCopy) return [];
  const storeId = storeOf(item);
  return [`${storeId} event ${item.eventHash.toString('latin1')}`, `${storeId} relationship ${item.relationshipHash.toString('latin1')}`];
}

/** For looking rows up in memory again. */
export const eventName = ({ storeId, eventHash }: EventKey): string => `${storeId} ${eventHash.toString('latin1')}`;
export const relationshipName = ({ storeId, relationshipHash }: RelationshipKey): string =>
  `${storeId} ${relationshipHash.toString('latin1')}`;

import type { Postback } from '../contract/door.ts';
import { Fault } from '../contract/fields.ts';
import { hashOfId, type Content } from '../contract/sameness.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Item } from './item.ts';
import { readBilling, readBind, readEnd, readInvoiceReversal } from './report.ts';

export type ReadItem = (postback: Postback<Integration>) => Item | Fault;

const asFirst = { isCopy: false };

function bindItem(postback: Postback<Integration>): Item | Fault {
  const report = readBind(postback.json);
  return report instanceof Fault ? report : { is: 'relationship', report, postback, ...asFirst, ...hashesOf(report) };
}

function billingItem(postback: Postback<Integration>): Item | Fault {
  const report = readBilling(postback.json);
  return report instanceof Fault
    ? report
    : { is: 'billing_event', report, postback, ...asFirst, ...hashesOf(report), invoiceHash: hashOfId(report.content, 'invoice_id') };
}

function invoiceReversalItem(postback: Postback<Integration>): Item | Fault {
  const report = readInvoiceReversal(postback.json);
  return report instanceof Fault
    ? report
    : { is: 'invoice_reversal', report, postback, ...asFirst, ...hashesOf(report), invoiceHash: hashOfId(report.content, 'invoice_id') };
}

function endItem(postback: Postback<Integration>): Item | Fault {
  const report = readEnd(postback.json);
  return report instanceof Fault ? report : { is: 'relationship_end', report, postback, ...asFirst, ...hashesOf(report) };
}

const hashesOf = ({ content }: { readonly content: Content }) => ({
  eventHash: hashOfId(content, 'event_id'),
  relationshipHash: hashOfId(content, 'relationship_id'),
});

/** From JSON to what is decided, by what it reports. */
export const readItem = {
  relationship: bindItem,
  billing_event: billingItem,
  invoice_reversal: invoiceReversalItem,
  relationship_end: endItem,
} as const satisfies Readonly<Record<Item['is'], ReadItem>>;

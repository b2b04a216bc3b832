import { FieldError, type Fields, type JsonObject } from '../contract/fields.ts';
import type { Operation } from '../contract/reasons.ts';
import { leadFields, leadReversalFields, readLead, readLeadReversal } from '../leads/lead-report.ts';
import { orderRefundFields, readOrderRefund } from '../orders/refund-report.ts';
import { conversionFields, readConversion, readReversal, reversalFields } from '../orders/report.ts';
import { invoiceRefundFields, readInvoiceRefund } from '../subscriptions/refund-report.ts';
import {
  billingFields,
  bindFields,
  endFields,
  invoiceReversalFields,
  readBilling,
  readBind,
  readEnd,
  readInvoiceReversal,
} from '../subscriptions/report.ts';

/** An operation with its fields and its parser. */
export type PostbackKind = {
  readonly operation: Operation;
  readonly fields: Fields;
  readonly read: (json: JsonObject) => unknown;
};

export const postbackKinds: readonly PostbackKind[] = [
  { operation: 'conversion', fields: conversionFields, read: readConversion },
  { operation: 'reversal', fields: reversalFields, read: readReversal },
  { operation: 'order_refund', fields: orderRefundFields, read: readOrderRefund },
  { operation: 'relationship', fields: bindFields, read: (json) => readBind(json, true) },
  { operation: 'billing_event', fields: billingFields, read: readBilling },
  { operation: 'invoice_reversal', fields: invoiceReversalFields, read: readInvoiceReversal },
  { operation: 'invoice_refund', fields: invoiceRefundFields, read: readInvoiceRefund },
  { operation: 'relationship_end', fields: endFields, read: readEnd },
  { operation: 'lead', fields: leadFields, read: readLead },
  { operation: 'lead_reversal', fields: leadReversalFields, read: readLeadReversal },
];

export function kindOf(operation: Operation): PostbackKind | undefined {
  return postbackKinds.find((kind) => kind.operation === operation);
}

/**
 * Every invalid field, by the readers of real reports. Errors of the report as a whole, such as lines that do not sum, appear once all
 * fields are valid.
 */
export function fieldErrors(kind: PostbackKind, json: JsonObject): readonly FieldError[] {
  const errors = Object.entries(kind.fields).flatMap(([name, read]) => {
    const value = read(Object.hasOwn(json, name) ? json[name] : null, `/${name}`);
    return value instanceof FieldError ? [value] : [];
  });
  if (errors.length > 0) return errors;
  const report = kind.read(json);
  return report instanceof FieldError ? [report] : [];
}

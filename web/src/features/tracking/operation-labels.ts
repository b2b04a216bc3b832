import { t } from './messages.ts';

export const operationOptions = [
  ['conversion', t.operations.order],
  ['reversal', t.operations.order_refund],
  ['order_refund', t.operations.partial_order_refund],
  ['relationship', t.operations.subscription_started],
  ['billing_event', t.operations.invoice],
  ['invoice_reversal', t.operations.invoice_refund],
  ['invoice_refund', t.operations.partial_invoice_refund],
  ['relationship_end', t.operations.subscription_ended],
  ['lead', t.operations.lead],
  ['lead_reversal', t.operations.lead_reversal],
] as const;
export const operationLabels: Readonly<Record<string, string>> = Object.fromEntries(operationOptions);

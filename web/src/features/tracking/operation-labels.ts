import { t } from './messages.ts';

export const operationOptions = [
  ['conversion', t.operations.conversion],
  ['reversal', t.operations.reversal],
  ['relationship', t.operations.relationship],
  ['billing_event', t.operations.billing_event],
  ['invoice_reversal', t.operations.invoice_reversal],
  ['relationship_end', t.operations.relationship_end],
] as const;
export const operationLabels: Readonly<Record<string, string>> = Object.fromEntries(operationOptions);

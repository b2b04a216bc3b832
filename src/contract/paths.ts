import type { Operation } from './reasons.ts';

/** Where each of the six reports is sent, below the tracking key. */
export const postbackPaths: Readonly<Record<Operation, string>> = {
  conversion: 'conversions',
  reversal: 'reversals',
  relationship: 'v2/recurring/relationships',
  billing_event: 'v2/recurring/billing-events',
  invoice_reversal: 'v2/recurring/reversals',
  relationship_end: 'v2/recurring/relationships/end',
};

/** Event types and their descriptions. Merchants' programs depend on these names, so they never change. */
export const eventTypes = {
  'commission.recorded':
    'An order, a subscription invoice, or a lead was recorded, or a bonus was added. The commission is 0 if no rule applies',
  'commission.approved': 'The commission was approved and will be invoiced when its refund hold ends',
  'commission.rejected': 'The commission was rejected',
  'commission.reopened': 'The approval or rejection was undone',
  'commission.held': 'The commission was put on hold, so it is neither invoiced nor paid',
  'commission.released': 'The hold was released',
  'commission.refunded': 'Part of the order or invoice was refunded, and the commission was recalculated on what remains',
  'commission.reversed': 'The order or invoice was refunded in full, the lead was reversed, or support credited the commission',
  'commission.paid': 'The creator was paid',
  'invoice.issued': 'An invoice was issued to the store',
  'invoice.paid': 'The invoice was paid',
  'invoice.failed': 'The invoice charge was declined',
  'invoice.past_due': 'The store is past due, so new clicks on its links do not count until it pays',
  'invoice.voided': 'The invoice was voided, because everything on it was credited',
  'invoice.charged_back': 'The bank reversed the payment of the invoice',
  'tracking.on': 'The store’s first test order was verified, so tracking is on',
} as const;
/** Sent on request to one endpoint, whichever types it subscribes to. */
export const testEvent = 'webhook.test';

/** The events with their descriptions, in the order in which they happen. */
export const eventDescriptions = {
  'commission.recorded': 'An order or an invoice of a subscription was recorded. Where no rule holds for it, its commission is 0',
  'commission.approved': 'It was approved: it will be billed when its hold is over',
  'commission.rejected': 'It was rejected',
  'commission.reopened': 'Its approval or rejection was taken back',
  'commission.held': 'It was held: it is neither billed nor paid meanwhile',
  'commission.released': 'The hold ended',
  'commission.reversed': 'Its order or invoice was refunded in full, or credited by support',
  'commission.paid': 'The creator has the money',
  'invoice.issued': 'The store was billed',
  'invoice.paid': 'The bill was paid',
  'invoice.failed': 'Charging the bill was declined',
  'invoice.past_due': 'The store is past due: links lead to the shop without counting until it pays',
  'invoice.voided': 'The bill is void: everything on it was credited',
  'invoice.charged_back': 'The payment of the bill was taken back by the bank',
  'tracking.on': 'The first test order of the store was verified: tracking is on',
} as const;

export const eventTypes: readonly string[] = Object.keys(eventDescriptions);

/** "everything" is easier to read than a list of fifteen names. */
export function eventsText(events: readonly string[]): string {
  return eventTypes.every((type) => events.includes(type)) ? 'everything' : events.join(', ');
}

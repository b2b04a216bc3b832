/**
 * What counts as an arrival by a link among all that is counted by day: a click is a person's, the others are told apart so that a
 * creator sees why more came than clicked. Orders and invoices are counted in the same rows, so arrivals are named, never "all else".
 */
export const arrivalKinds = ['click', 'head', 'prefetch', 'bot', 'subresource', 'paused'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

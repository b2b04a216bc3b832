import type { Transition } from '../core/state-machine.ts';

export const relationshipStates = ['active', 'ended'] as const;
export type RelationshipState = (typeof relationshipStates)[number];

/**
 * Every legal change of a relationship's state, by the event that causes it. Only `updateRelationships` writes the state, and only as this
 * table allows; `test/subscriptions/relationship-states.test.ts` tries every event in every state. A bind inserts it as `active`.
 */
export const relationshipTransitions = {
  /** An invoice is recorded. After the end it still counts if it belongs to the time before. */
  recordInvoice: { from: ['active', 'ended'], to: null },
  /** The merchant decides about invoices for another product or price. */
  review: { from: ['active', 'ended'], to: null },
  /** The merchant reports the end. It cannot be taken back, and a second report keeps the first one. */
  end: { from: ['active'], to: 'ended' },
} as const satisfies Readonly<Record<string, Transition<RelationshipState>>>;
export type RelationshipEvent = keyof typeof relationshipTransitions;

import type { Id } from '../core/ids.ts';

export type WebhookKey = { readonly storeId: Id<'store'>; readonly endpointId: Id<'wh'> };

/** An endpoint of a store, with the event types that it subscribes to. */
export type WebhookEndpoint = WebhookKey & {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly createdAt: Date;
  readonly listensFrom: Date;
  /** Start of the subscription in ISO 8601, for types that were added later. */
  readonly addedFrom: Readonly<Record<string, string>>;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledWhy: DisabledReason | null;
};

/** Start of the subscription to a type; null: not subscribed. */
export function listensToFrom({ events, listensFrom, addedFrom }: WebhookEndpoint, type: string): Date | null {
  if (!events.includes(type)) return null;
  const added = addedFrom[type];
  return added === undefined ? listensFrom : new Date(added);
}

/** `gone`: it responded 410, which in Standard Webhooks means that the receiver was removed. */
export const disabledReasons = ['by_hand', 'failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

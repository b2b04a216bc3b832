import type { Id } from '../platform/ids.ts';

export type WebhookKey = { readonly storeId: Id<'store'>; readonly endpointId: Id<'wh'> };

/** Where a store wants to be told of what. */
export type WebhookEndpoint = WebhookKey & {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly createdAt: Date;
  readonly listensFrom: Date;
  /** By type, in ISO 8601: those that it was given afterwards, each from when on. */
  readonly addedFrom: Readonly<Record<string, string>>;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledWhy: DisabledWhy | null;
};

/** From when on it is told of a type; null where it is not. */
export function listensToFrom({ events, listensFrom, addedFrom }: WebhookEndpoint, type: string): Date | null {
  if (!events.includes(type)) return null;
  const added = addedFrom[type];
  return added === undefined ? listensFrom : new Date(added);
}

/** `gone`: it answered 410, which by the standard means that nobody is there any more. */
export const disabledWhys = ['by_hand', 'failing', 'gone'] as const;
export type DisabledWhy = (typeof disabledWhys)[number];

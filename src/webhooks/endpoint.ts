import type { Id } from '../platform/ids.ts';

export type WebhookKey = { readonly storeId: Id<'store'>; readonly endpointId: Id<'wh'> };

/** Where a store wants to be told of what. */
export type WebhookEndpoint = WebhookKey & {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly createdAt: Date;
  readonly listensFrom: Date;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledWhy: DisabledWhy | null;
};

/** `gone`: it answered 410, which by the standard means that nobody is there any more. */
export const disabledWhys = ['by_hand', 'failing', 'gone'] as const;
export type DisabledWhy = (typeof disabledWhys)[number];

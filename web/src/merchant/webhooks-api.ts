import { listing, reading } from '../parts/reading.ts';
import { queryOf, type Position } from '../parts/search.ts';

export type WebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly created_at: string;
  readonly is_enabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_why: 'by_hand' | 'failing' | 'gone' | null;
  readonly failing_since: string | null;
};

export type Delivery = {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly at: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_fault: string | null;
  readonly next_try_at: string | null;
  readonly ended_at: string | null;
};

export type Attempt = {
  readonly number: number;
  readonly at: string;
  readonly took_ms: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string | null;
};

export type WholeDelivery = Delivery & { readonly body: string; readonly attempts_made: readonly Attempt[] };

export const endpointsPath = (store: string) => `/stores/${store}/webhook-endpoints`;
export const endpointPath = (store: string, endpoint: string) => `${endpointsPath(store)}/${endpoint}`;
/** A store has at most ten, so the first page holds them all. */
export const endpointList = (store: string) => listing<WebhookEndpoint>(endpointsPath(store));

export const deliveriesPath = (store: string, endpoint: string) => `${endpointPath(store, endpoint)}/deliveries`;
type Asked = Position & { readonly state?: string | undefined; readonly limit: number };
export const deliveryList = (store: string, endpoint: string, { state, cursor, limit }: Asked) =>
  `${deliveriesPath(store, endpoint)}${queryOf({ state, cursor, limit })}`;
export const deliveryReading = (store: string, endpoint: string, delivery: string) =>
  reading<WholeDelivery>(`${deliveriesPath(store, endpoint)}/${delivery}`);

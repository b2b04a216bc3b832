import { apiListQuery, apiQuery } from '../../ui/queries.ts';
import { queryString, type PagePosition } from '../../ui/search-params.ts';

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

export type DeliveryDetails = Delivery & { readonly body: string; readonly attempts_made: readonly Attempt[] };

export const endpointsPath = (store: string) => `/stores/${store}/webhook-endpoints`;
export const endpointPath = (store: string, endpoint: string) => `${endpointsPath(store)}/${endpoint}`;
/** A store has at most ten endpoints, so the first page holds them all. */
export const endpointsQuery = (store: string) => apiListQuery<WebhookEndpoint>(endpointsPath(store));

export const deliveriesPath = (store: string, endpoint: string) => `${endpointPath(store, endpoint)}/deliveries`;
type ListDeliveriesQuery = PagePosition & { readonly state?: string | undefined; readonly limit: number };
export const deliveriesListPath = (store: string, endpoint: string, { state, cursor, limit }: ListDeliveriesQuery) =>
  `${deliveriesPath(store, endpoint)}${queryString({ state, cursor, limit })}`;
export const deliveryQuery = (store: string, endpoint: string, delivery: string) =>
  apiQuery<DeliveryDetails>(`${deliveriesPath(store, endpoint)}/${delivery}`);

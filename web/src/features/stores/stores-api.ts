import type { Page } from '../../api/client.ts';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';

export type Store = {
  readonly id: string;
  readonly name: string;
  readonly site_url: string;
  readonly status: 'active' | 'past_due' | 'archived';
  readonly integration: 'enabled' | 'disabled';
  readonly tracking_key: string;
  readonly tracking_on: boolean;
  readonly created_at: string;
};

export const storeNameLengthMax = 200;
export const storePath = (store: string) => `/stores/${store}`;
export const storeQuery = (store: string) => apiQuery<Store>(storePath(store));

/** The stores of the signed-in person, newest first; all stores for an operator. */
export const myStoresQuery = apiListQuery<Store>('/stores');
/** The newest stores, for a menu. */
export const newestStoresQuery = (limit: number) => apiQuery<Page<Store>>(`/stores?limit=${limit}`);

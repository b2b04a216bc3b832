import type { Page } from '../api.ts';
import { listing, reading } from '../parts/reading.ts';

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
export const storeReading = (store: string) => reading<Store>(storePath(store));

/** The stores of whoever is signed in, the newest first; for an operator all there are. */
export const myStores = listing<Store>('/stores');
/** The newest few, for a menu. */
export const newestStores = (limit: number) => reading<Page<Store>>(`/stores?limit=${limit}`);

import type { Page } from '../api.ts';
import { reading } from '../parts/reading.ts';

export type Store = {
  readonly id: string;
  readonly name: string;
  readonly site_url: string;
  readonly status: 'active' | 'past_due' | 'archived';
  readonly integration: 'enabled' | 'disabled';
  readonly tracking_key: string;
  readonly tracking_on: boolean;
  readonly tracking_on_at: string | null;
  readonly created_at: string;
};

export const storePath = (store: string) => `/stores/${store}`;
export const storeReading = (store: string) => reading<Store>(storePath(store));

/** One's own stores: nobody has more than fit on the first page. */
export const myStores = reading<Page<Store>>('/stores?limit=200');

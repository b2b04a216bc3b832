import type { CreatorFilter } from '../stores/store-search-params.ts';
import { apiPath } from '../../api/operations.ts';

type PageParams = { readonly cursor?: string; readonly limit?: number };

export const storeCreatorsPath = (store: string, filter: CreatorFilter, place: PageParams) =>
  apiPath('/stores/{store}/creators', { store }, { ...filter, ...place });

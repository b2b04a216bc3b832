import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const shopifyPath = (store: string) => apiPath('/stores/{store}/shopify', { store });
export const shopifyQuery = (store: string) => apiQuery(shopifyPath(store));
export const shopifyOrdersPath = (store: string) => apiPath('/stores/{store}/shopify/orders', { store });

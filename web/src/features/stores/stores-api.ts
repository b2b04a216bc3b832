import { apiPath } from '../../api/operations.ts';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';

export const storeNameLengthMax = 200;
export const storePath = (store: string) => apiPath('/stores/{store}', { store });
export const storeQuery = (store: string) => apiQuery(storePath(store));

/** The stores of the signed-in person, newest first; all stores for an operator. */
export const myStoresQuery = apiListQuery('/stores');
/** The newest stores, for a menu. */
export const newestStoresQuery = (limit: number) => apiQuery(apiPath('/stores', {}, { limit }));

import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const storeNameLengthMax = 200;
export const storePath = (store: string) => apiPath('/stores/{store}', { store });
export const storeQuery = (store: string) => apiQuery(storePath(store));

/** The newest stores of the signed-in person, for a menu; of all stores for an operator. */
export const newestStoresQuery = (limit: number) => apiQuery(apiPath('/stores', {}, { limit }));

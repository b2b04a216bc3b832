import { apiPath } from '../../api/operations.ts';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';

export const endpointsPath = (store: string) => apiPath('/stores/{store}/webhook-endpoints', { store });
export const endpointPath = (store: string, endpoint: string) =>
  apiPath('/stores/{store}/webhook-endpoints/{endpoint}', { store, endpoint });
/** A store has at most ten endpoints, so the first page holds them all. */
export const endpointsQuery = (store: string) => apiListQuery(endpointsPath(store));

export const deliveriesPath = (store: string, endpoint: string) =>
  apiPath('/stores/{store}/webhook-endpoints/{endpoint}/deliveries', { store, endpoint });
export const deliveryQuery = (store: string, endpoint: string, delivery: string) =>
  apiQuery(apiPath('/stores/{store}/webhook-endpoints/{endpoint}/deliveries/{delivery}', { store, endpoint, delivery }));

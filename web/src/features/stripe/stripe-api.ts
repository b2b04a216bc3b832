import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const stripePath = (store: string) => apiPath('/stores/{store}/stripe', { store });
export const stripeQuery = (store: string) => apiQuery(stripePath(store));
export const stripeEventsPath = (store: string) => apiPath('/stores/{store}/stripe/events', { store });

import { apiPath } from '../../api/operations.ts';
import type { DisputesSearch } from '../stores/store-search-params.ts';

type ListDisputesQuery = Pick<DisputesSearch, 'state' | 'cursor'> & { readonly limit: number };

/** The states to filter by, with their labels. */
export const disputeStates = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
] as const;

export const disputesPath = (store: string) => apiPath('/stores/{store}/disputes', { store });
export const disputeList = (store: string, query: ListDisputesQuery) => apiPath('/stores/{store}/disputes', { store }, query);

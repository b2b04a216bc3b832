import { queryString } from '../../ui/search-params.ts';
import type { DisputesSearch } from '../stores/store-search-params.ts';

export type Dispute = {
  readonly id: string;
  readonly commission_id: string;
  readonly creator_id: string;
  readonly text: string;
  readonly opened_at: string;
  readonly state: 'open' | 'accepted' | 'declined';
  readonly decided_at: string | null;
  readonly decided_by_name: string | null;
  readonly note: string | null;
};

type ListDisputesQuery = Pick<DisputesSearch, 'state' | 'cursor'> & { readonly limit: number };

/** The states to filter by, with their labels. */
export const disputeStates = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
] as const;

export const disputesPath = (store: string): string => `/stores/${store}/disputes`;
export const disputeList = (store: string, query: ListDisputesQuery): string => `${disputesPath(store)}${queryString(query)}`;

import { queryOf } from '../parts/search.ts';
import type { DisputesSearch } from './list-search.ts';

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

type Asked = Pick<DisputesSearch, 'state' | 'cursor'> & { readonly limit: number };

/** The states that a list of disputes is narrowed to, in words. */
export const disputeStates = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
] as const;

export const disputesPath = (store: string): string => `/stores/${store}/disputes`;
export const disputeList = (store: string, asked: Asked): string => `${disputesPath(store)}${queryOf(asked)}`;

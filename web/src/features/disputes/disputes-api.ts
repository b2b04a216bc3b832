import { apiPath } from '../../api/operations.ts';

/** The states to filter by, with their labels. */
export const disputeStates = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
] as const;

export const disputesPath = (store: string) => apiPath('/stores/{store}/disputes', { store });

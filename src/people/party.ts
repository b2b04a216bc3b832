import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';

/** For whom somebody acts: the installation, a store, or a creator. API keys and invitations belong to one of them. */
export type Party =
  | { readonly is: 'operator' }
  | { readonly is: 'store'; readonly storeId: Id<'store'> }
  | { readonly is: 'creator'; readonly creatorId: Id<'crt'> };

export const operatorParty: Party = { is: 'operator' };
export const storeParty = (storeId: Id<'store'>): Party => ({ is: 'store', storeId });
export const creatorParty = (creatorId: Id<'crt'>): Party => ({ is: 'creator', creatorId });

export type PartyRow = {
  readonly kind: Party['is'];
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
};

/** The schema holds that a row of a kind has that kind's id. */
export function partyOf({ kind, storeId, creatorId }: PartyRow): Party {
  if (kind === 'operator') return operatorParty;
  const party = (storeId && storeParty(storeId)) ?? (creatorId && creatorParty(creatorId));
  must(party?.is === kind, 'a key of a store names the store, one of a creator the creator');
  return party;
}

export const storeIdOf = (party: Party): Id<'store'> | null => (party.is === 'store' ? party.storeId : null);
export const creatorIdOf = (party: Party): Id<'crt'> | null => (party.is === 'creator' ? party.creatorId : null);

import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';

/** The installation, a store, or a creator. Each API key and each invitation belongs to one of them. */
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

/** The schema guarantees that a row of each kind has the ID of that kind. */
export function partyOf({ kind, storeId, creatorId }: PartyRow): Party {
  if (kind === 'operator') return operatorParty;
  const party = (storeId && storeParty(storeId)) ?? (creatorId && creatorParty(creatorId));
  invariant(party?.is === kind, 'a row of a store has a store ID, and a row of a creator has a creator ID');
  return party;
}

export const storeIdOf = (party: Party): Id<'store'> | null => (party.is === 'store' ? party.storeId : null);
export const creatorIdOf = (party: Party): Id<'crt'> | null => (party.is === 'creator' ? party.creatorId : null);

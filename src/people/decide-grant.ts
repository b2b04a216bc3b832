import type { Identity } from './identity.ts';
import type { Party } from './party.ts';
import { isCreatorPermission, isStorePermission, type Permission } from './permissions.ts';

/** Nobody hands on more than they have: not by a role, not by a key. */
export function mayGrant(identity: Identity, party: Party, permissions: readonly Permission[]): boolean {
  if (identity.isOperator) return true;
  switch (party.is) {
    case 'operator':
      return false;
    case 'store': {
      const own = identity.stores.get(party.storeId);
      return permissions.every((permission) => isStorePermission(permission) && own?.has(permission) === true);
    }
    case 'creator': {
      const own = identity.creator?.creatorId === party.creatorId ? identity.creator.permissions : undefined;
      return permissions.every((permission) => isCreatorPermission(permission) && own?.has(permission) === true);
    }
  }
}

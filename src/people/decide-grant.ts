import type { Rights } from './identity.ts';
import type { Party } from './party.ts';
import { isCreatorPermission, isStorePermission, type Permission } from './permissions.ts';

/** A person cannot grant more permissions than they have, neither with a role nor with a key. */
export function mayGrant(rights: Rights, party: Party, permissions: readonly Permission[]): boolean {
  if (rights.isOperator) return true;
  switch (party.is) {
    case 'operator':
      return false;
    case 'store': {
      const own = rights.stores.get(party.storeId);
      return own !== undefined && permissions.every((permission) => isStorePermission(permission) && own.has(permission));
    }
    case 'creator': {
      const own = rights.creator?.creatorId === party.creatorId ? rights.creator.permissions : undefined;
      return own !== undefined && permissions.every((permission) => isCreatorPermission(permission) && own.has(permission));
    }
  }
}

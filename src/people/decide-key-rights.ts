import type { Config } from '../platform/config.ts';
import type { Id } from '../platform/ids.ts';
import type { Identity, Rights } from './identity.ts';
import { mustSetUpSecondFactor } from './operator-factor.ts';
import { partyOf, type PartyRow } from './party.ts';
import { isCreatorPermission, isStorePermission, roleHolds, type Permission, type Role } from './permissions.ts';

export type KeyMaker = {
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly creatorId: Id<'crt'> | null;
  /** Their role in the key's store. */
  readonly role: Role | null;
};

type KeyFacts = PartyRow & {
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
  readonly maker: KeyMaker | null;
};
type KeyRights = Rights & Pick<Identity, 'mustSetUpSecondFactor'>;

const noRights: KeyRights = { isOperator: false, mustSetUpSecondFactor: false, stores: new Map(), creator: null };

/**
 * A key may do what its scopes say and its maker may still do now: who is demoted keeps no way back in by a key from before. Null
 * where nothing is left. A key that nobody with an account made has its scopes alone, and never the rights of an operator in live mode.
 */
export function decideKeyRights(key: KeyFacts, mode: Config['mode']): KeyRights | null {
  const { scopes, madeBy, maker } = key;
  if (madeBy !== null && maker === null) return null;
  if (maker !== null && mustSetUpSecondFactor(maker, mode)) return { ...noRights, mustSetUpSecondFactor: true };
  const isOperators = maker?.isOperator === true;
  const party = partyOf(key);
  switch (party.is) {
    case 'operator':
      return isOperators || (maker === null && mode === 'sandbox') ? { ...noRights, isOperator: true } : null;
    case 'store': {
      const role = maker?.role ?? null;
      if (maker !== null && !isOperators && role === null) return null;
      const left = scopes.filter(isStorePermission).filter((scope) => role === null || isOperators || roleHolds(role, scope));
      return { ...noRights, stores: new Map([[party.storeId, new Set(left)]]) };
    }
    case 'creator': {
      if (maker !== null && !isOperators && maker.creatorId !== party.creatorId) return null;
      return { ...noRights, creator: { creatorId: party.creatorId, permissions: new Set(scopes.filter(isCreatorPermission)) } };
    }
  }
}

import type { Config } from '../core/config.ts';
import type { Id } from '../core/ids.ts';
import type { Identity, Rights } from './identity.ts';
import { partyOf, type PartyRow, type Party } from './party.ts';
import { isCreatorPermission, isOperatorScope, isStorePermission, roleHasPermission, type Permission, type Role } from './permissions.ts';

export type KeyMaker = {
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly creatorId: Id<'crt'> | null;
  /** The creator's role in the key's store. */
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
 * A key may do only what its scopes and its creator's current rights both allow, so that a demoted person keeps no access by an older key.
 * Returns null if no right is left. A key without an account behind it has only its scopes, and never an operator's rights in live mode.
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
      const left = scopes.filter(isStorePermission).filter((scope) => role === null || isOperators || roleHasPermission(role, scope));
      return { ...noRights, stores: new Map([[party.storeId, new Set(left)]]) };
    }
    case 'creator': {
      if (maker !== null && !isOperators && maker.creatorId !== party.creatorId) return null;
      return { ...noRights, creator: { creatorId: party.creatorId, permissions: new Set(scopes.filter(isCreatorPermission)) } };
    }
  }
}

/** The effective scopes of a key: those that its creator's current role still grants. */
export function effectiveScopes(key: KeyFacts, mode: Config['mode']): readonly Permission[] {
  const rights = decideKeyRights(key, mode);
  if (rights === null) return [];
  if (rights.isOperator) return key.scopes.filter(isOperatorScope);
  const inEffect = new Set<Permission>([
    ...[...rights.stores.values()].flatMap((held) => [...held]),
    ...(rights.creator?.permissions ?? []),
  ]);
  return key.scopes.filter((scope) => inEffect.has(scope));
}

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

type Operator = { readonly isOperator: boolean; readonly hasSecondFactor: boolean };
type Mode = Config['mode'];

/**
 * In live mode a password alone must not give access to every store and every payout. In the sandbox the second factor is each person's
 * choice.
 */
export const mustSetUpSecondFactor = ({ isOperator, hasSecondFactor }: Operator, mode: Mode): boolean =>
  mode === 'live' && isOperator && !hasSecondFactor;

/** Whether the operator's right applies now. */
export const actsAsOperator = (person: Operator, mode: Mode): boolean => person.isOperator && !mustSetUpSecondFactor(person, mode);

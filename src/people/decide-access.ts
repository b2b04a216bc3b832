import type { Id } from '../core/ids.ts';
import type { Identity } from './identity.ts';
import type { CreatorPermission, StorePermission } from './permissions.ts';

/** The actors who may use an endpoint. For `store` and `creator` the path names which one. */
export type Access =
  | { readonly who: 'anyone' }
  /** `duringSetUp`: also allows an operator who still has to set up a second factor. */
  | { readonly who: 'signed in'; readonly duringSetUp?: true }
  | { readonly who: 'person'; readonly duringSetUp?: true }
  /** `of`: the path names a creator, who must exist. */
  | { readonly who: 'operator'; readonly of?: 'creator' }
  | { readonly who: 'store'; readonly permission: StorePermission }
  | { readonly who: 'creator'; readonly permission: CreatorPermission };

export type AccessFacts = {
  readonly identity: Identity | null;
  /** The store and the creator that the path names; null if it names none or the ID is malformed. */
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  /** Checked for an operator, who has all permissions but only in stores and creators that exist. */
  readonly subjectExists: boolean;
};

export type AccessDecision =
  | 'allowed'
  | 'not_signed_in'
  | 'not_found'
  | 'permission_missing'
  | 'operator_only'
  | 'second_factor_setup_required';

/** Resources of another tenant are reported as not found, exactly like resources that do not exist. */
export function decideAccess(access: Access, { identity, storeId, creatorId, subjectExists }: AccessFacts): AccessDecision {
  if (access.who === 'anyone') return 'allowed';
  if (identity === null) return 'not_signed_in';
  if (identity.mustSetUpSecondFactor && !('duringSetUp' in access)) return 'second_factor_setup_required';
  if (access.who === 'signed in') return 'allowed';
  if (access.who === 'person') return identity.by.is === 'session' ? 'allowed' : 'permission_missing';
  if (access.who === 'operator') {
    if (!identity.isOperator) return 'operator_only';
    return access.of === undefined || subjectExists ? 'allowed' : 'not_found';
  }
  if (identity.isOperator) return subjectExists ? 'allowed' : 'not_found';
  if (access.who === 'store') {
    const permissions = storeId === null ? undefined : identity.stores.get(storeId);
    if (permissions === undefined) return 'not_found';
    return permissions.has(access.permission) ? 'allowed' : 'permission_missing';
  }
  if (creatorId === null || identity.creator?.creatorId !== creatorId) return 'not_found';
  return identity.creator.permissions.has(access.permission) ? 'allowed' : 'permission_missing';
}

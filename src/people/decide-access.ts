import type { Id } from '../core/ids.ts';
import type { Identity } from './identity.ts';
import type { CreatorPermission, StorePermission } from './permissions.ts';

/** The actors who may use an endpoint. For `store` and `creator` the path names which one. */
export type Access =
  | { readonly allow: 'anyone' }
  /** `duringSetUp`: also allows an operator who still has to set up a second factor. */
  | { readonly allow: 'signed in'; readonly duringSetUp?: true }
  | { readonly allow: 'person'; readonly duringSetUp?: true }
  /** `of`: the path names a creator, who must exist. */
  | { readonly allow: 'operator'; readonly of?: 'creator' }
  | { readonly allow: 'store'; readonly permission: StorePermission }
  | { readonly allow: 'creator'; readonly permission: CreatorPermission };

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
  if (access.allow === 'anyone') return 'allowed';
  if (identity === null) return 'not_signed_in';
  if (identity.mustSetUpSecondFactor && !('duringSetUp' in access)) return 'second_factor_setup_required';
  if (access.allow === 'signed in') return 'allowed';
  if (access.allow === 'person') return identity.by.is === 'session' ? 'allowed' : 'permission_missing';
  if (access.allow === 'operator') {
    if (!identity.isOperator) return 'operator_only';
    return access.of === undefined || subjectExists ? 'allowed' : 'not_found';
  }
  if (identity.isOperator) return subjectExists ? 'allowed' : 'not_found';
  if (access.allow === 'store') {
    const permissions = storeId === null ? undefined : identity.stores.get(storeId);
    if (permissions === undefined) return 'not_found';
    return permissions.has(access.permission) ? 'allowed' : 'permission_missing';
  }
  if (creatorId === null || identity.creator?.creatorId !== creatorId) return 'not_found';
  return identity.creator.permissions.has(access.permission) ? 'allowed' : 'permission_missing';
}

import type { Id } from '../core/ids.ts';
import type { CreatorPermission, OperatorScope, StorePermission } from './permissions.ts';

/** The authenticated requester: a person with a session, or a program with an API key. */
export type Identity = {
  /** `user_…` or `key_…`, as in the audit log. */
  readonly actor: string;
  readonly name: string;
  readonly isOperator: boolean;
  /** In live mode an operator without a second factor may only set one up; the same applies to the keys they created. */
  readonly mustSetUpSecondFactor: boolean;
  /** Permissions by store; a store that is missing here is reported as not found. */
  readonly stores: ReadonlyMap<Id<'store'>, ReadonlySet<StorePermission>>;
  /** The creator that the person is, or that the key belongs to. */
  readonly creator: { readonly creatorId: Id<'crt'>; readonly permissions: ReadonlySet<CreatorPermission> } | null;
  readonly by: BySession | ByKey;
};

type BySession = { readonly is: 'session'; readonly userId: Id<'user'>; readonly sessionId: Id<'sess'>; readonly provedAt: Date };
type ByKey = { readonly is: 'key'; readonly apiKeyId: Id<'key'>; readonly scopes: ReadonlySet<OperatorScope> };

/** The rights alone, without the identity. */
export type Rights = Pick<Identity, 'isOperator' | 'stores' | 'creator'>;

export type Person = Identity & { readonly by: BySession };

export const isPerson = (identity: Identity): identity is Person => identity.by.is === 'session';

import type { Id } from '../platform/ids.ts';
import type { CreatorPermission, OperatorScope, StorePermission } from './permissions.ts';

/** Who asks, as far as it could be proved: a person with a session, or a program with an API key. */
export type Identity = {
  /** `user_…` or `key_…`: what the audit log keeps. */
  readonly actor: string;
  readonly name: string;
  readonly isOperator: boolean;
  /** In live mode an operator without a second factor may set one up and do nothing else; the same holds for the keys they made. */
  readonly mustSetUpSecondFactor: boolean;
  /** What may be done in which store; a store that is missing here does not exist for this one. */
  readonly stores: ReadonlyMap<Id<'store'>, ReadonlySet<StorePermission>>;
  /** The creator that this one is or speaks for. */
  readonly creator: { readonly creatorId: Id<'crt'>; readonly permissions: ReadonlySet<CreatorPermission> } | null;
  readonly by: BySession | ByKey;
};

type BySession = { readonly is: 'session'; readonly userId: Id<'user'>; readonly sessionId: Id<'sess'>; readonly provedAt: Date };
type ByKey = { readonly is: 'key'; readonly apiKeyId: Id<'key'>; readonly scopes: ReadonlySet<OperatorScope> };

/** What somebody may do, whoever they are. */
export type Rights = Pick<Identity, 'isOperator' | 'stores' | 'creator'>;

export type Person = Identity & { readonly by: BySession };

export const isPerson = (identity: Identity): identity is Person => identity.by.is === 'session';

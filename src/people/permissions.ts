/** Permissions in a store. A role is a set of these, and so are the scopes of an API key, so that people and programs share one list. */
export const storePermissions = {
  'store:read': 'See everything of the store',
  'store:manage': 'Archive the store, change its name and site',
  'integration:write': 'Keys, test links, switching the integration off and on',
  'programs:write': 'Programs, terms, members and links',
  'commissions:review': 'Approve, reject, hold and release commissions',
  'billing:write': 'Payment methods',
  'team:write': 'Invite people, change roles, make API keys',
} as const;
export type StorePermission = keyof typeof storePermissions;

export const creatorPermissions = {
  'creator:read': 'See what the creator sees',
  'creator:write': 'Apply to programs, make links, change the payout method, the tax details and which mails come',
} as const;
export type CreatorPermission = keyof typeof creatorPermissions;

/** Permissions that an operator's API key has in live mode only if it was created with this scope. */
export const operatorScopes = {
  'billing:run': 'Start billing runs',
  'payouts:run': 'Start payout runs',
} as const;
export type OperatorScope = keyof typeof operatorScopes;

export type Permission = StorePermission | CreatorPermission | OperatorScope;

export const roles = {
  owner: ['store:read', 'store:manage', 'integration:write', 'programs:write', 'commissions:review', 'billing:write', 'team:write'],
  finance: ['store:read', 'commissions:review', 'billing:write'],
  marketer: ['store:read', 'programs:write', 'commissions:review'],
  developer: ['store:read', 'integration:write'],
  viewer: ['store:read'],
} as const satisfies Readonly<Record<string, readonly StorePermission[]>>;
export type Role = keyof typeof roles;

export function roleHasPermission(role: Role, permission: StorePermission): boolean {
  const held: readonly StorePermission[] = roles[role];
  return held.includes(permission);
}

export const isStorePermission = (word: string): word is StorePermission => Object.hasOwn(storePermissions, word);
export const isOperatorScope = (word: string): word is OperatorScope => Object.hasOwn(operatorScopes, word);
export const isCreatorPermission = (word: string): word is CreatorPermission => Object.hasOwn(creatorPermissions, word);

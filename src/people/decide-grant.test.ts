import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { mayGrant } from './decide-grant.ts';
import type { Identity } from './identity.ts';
import { creatorParty, operatorParty, storeParty, type Party } from './party.ts';
import { roles, type Permission } from './permissions.ts';

const id = <Kind extends string>() => newId<Kind>(new Date());
const [mine, theirs, me, another] = [id<'store'>(), id<'store'>(), id<'crt'>(), id<'crt'>()];

const finance: Identity = {
  actor: 'user_1',
  name: 'Fin',
  isOperator: false,
  mustSetUpSecondFactor: false,
  stores: new Map([[mine, new Set(roles.finance)]]),
  creator: { creatorId: me, permissions: new Set(['creator:read'] as const) },
  by: { is: 'key', apiKeyId: id<'key'>(), scopes: new Set() },
};
const viewer: Identity = { ...finance, stores: new Map([[mine, new Set(roles.viewer)]]), creator: null };
const operator: Identity = { ...finance, isOperator: true, stores: new Map(), creator: null };

test.each<[may: boolean, what: string, identity: Identity, party: Party, permissions: readonly Permission[]]>([
  [true, 'their own permissions', finance, storeParty(mine), ['billing:write', 'store:read']],
  [false, 'one permission more than their own', finance, storeParty(mine), ['billing:write', 'team:write']],
  [false, 'their own permissions, in another store', finance, storeParty(theirs), ['store:read']],
  [false, 'a permission of creators in a store', finance, storeParty(mine), ['creator:read']],
  [true, 'their own permissions as a creator', finance, creatorParty(me), ['creator:read']],
  [false, 'more than their permissions as a creator', finance, creatorParty(me), ['creator:write']],
  [false, 'their own permissions, as another creator', finance, creatorParty(another), ['creator:read']],
  [false, "an operator's right", finance, operatorParty, []],
  [false, 'no permission, in a store where they have no role', finance, storeParty(theirs), []],
  [false, 'no permission, as another creator', finance, creatorParty(another), []],
  [true, 'the permissions of a viewer', viewer, storeParty(mine), ['store:read']],
  [false, 'the permissions of an owner, by a viewer', viewer, storeParty(mine), roles.owner],
  [false, 'a permission that no viewer has', viewer, storeParty(mine), ['team:write']],
  [true, 'every permission, by an operator', operator, storeParty(theirs), roles.owner],
  [true, "an operator's right, by an operator", operator, operatorParty, []],
])('may grant: %s for %s', (may, _what, identity, party, permissions) => {
  expect(mayGrant(identity, party, permissions)).toBe(may);
});

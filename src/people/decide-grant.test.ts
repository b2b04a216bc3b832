import { expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
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
  [true, 'what one has', finance, storeParty(mine), ['billing:write', 'store:read']],
  [false, 'a little more than one has', finance, storeParty(mine), ['billing:write', 'team:write']],
  [false, 'what one has, in another store', finance, storeParty(theirs), ['store:read']],
  [false, 'a permission of creators in a store', finance, storeParty(mine), ['creator:read']],
  [true, 'what one has as a creator', finance, creatorParty(me), ['creator:read']],
  [false, 'more than one has as a creator', finance, creatorParty(me), ['creator:write']],
  [false, 'what one has, as another creator', finance, creatorParty(another), ['creator:read']],
  [false, "an operator's right", finance, operatorParty, []],
  [false, 'nothing at all, in a store where one is nobody', finance, storeParty(theirs), []],
  [false, 'nothing at all, as another creator', finance, creatorParty(another), []],
  [true, 'what a viewer has', viewer, storeParty(mine), ['store:read']],
  [false, 'what an owner has, by a viewer', viewer, storeParty(mine), roles.owner],
  [false, 'one thing that no viewer has', viewer, storeParty(mine), ['team:write']],
  [true, 'anything, by an operator', operator, storeParty(theirs), roles.owner],
  [true, "an operator's right, by an operator", operator, operatorParty, []],
])('may grant: %s for %s', (may, _what, identity, party, permissions) => {
  expect(mayGrant(identity, party, permissions)).toBe(may);
});

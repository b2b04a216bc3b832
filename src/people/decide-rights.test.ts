import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { decideKeyRights, effectiveScopes, type KeyMaker, mayGrant } from './decide-rights.ts';
import type { Identity } from './identity.ts';
import { creatorParty, operatorParty, storeParty, type Party } from './party.ts';
import { roles, type Permission } from './permissions.ts';

const storeId = newId<'store'>(new Date());
const creatorId = newId<'crt'>(new Date());
const madeBy = newId<'user'>(new Date());
const noRights: KeyMaker = { isOperator: false, hasSecondFactor: false, creatorId: null, role: null };
const ofStore = { kind: 'store', storeId, creatorId: null, scopes: ['store:read', 'team:write', 'commissions:review'], madeBy } as const;
const ofCreator = { kind: 'creator', storeId: null, creatorId, scopes: ['creator:read'], madeBy } as const;
const ofOperators = { kind: 'operator', storeId: null, creatorId: null, scopes: [], madeBy } as const;
const inStore = (maker: KeyMaker | null) => {
  const rights = decideKeyRights({ ...ofStore, maker }, 'live');
  return rights && [...(rights.stores.get(storeId) ?? [])];
};

test("a store's key has the scopes that its creator's current role grants", () => {
  expect(inStore({ ...noRights, role: 'owner' })).toEqual(['store:read', 'team:write', 'commissions:review']);
  expect(inStore({ ...noRights, role: 'marketer' })).toEqual(['store:read', 'commissions:review']);
  expect(inStore({ ...noRights, role: 'viewer' })).toEqual(['store:read']);
});

test('a key has no rights once its creator has left the store, the operators or the creator, or the account is gone', () => {
  expect(inStore(noRights)).toBeNull();
  expect(inStore(null)).toBeNull();
  expect(decideKeyRights({ ...ofOperators, maker: noRights }, 'sandbox')).toBeNull();
  expect(decideKeyRights({ ...ofCreator, maker: noRights }, 'sandbox')).toBeNull();
  expect(decideKeyRights({ ...ofCreator, maker: { ...noRights, creatorId } }, 'sandbox')?.creator?.permissions).toEqual(
    new Set(['creator:read']),
  );
});

test("an operator's key works in live mode only while its creator has a second factor; in the sandbox it works without one", () => {
  const maker = { ...noRights, isOperator: true };
  for (const key of [ofOperators, ofStore, ofCreator]) {
    const barred = decideKeyRights({ ...key, maker }, 'live');
    expect(barred).toMatchObject({ isOperator: false, mustSetUpSecondFactor: true, creator: null });
    expect(barred?.stores.size).toBe(0);
  }
  expect(decideKeyRights({ ...ofOperators, maker }, 'sandbox')).toMatchObject({ isOperator: true, mustSetUpSecondFactor: false });
  expect(decideKeyRights({ ...ofOperators, maker: { ...maker, hasSecondFactor: true } }, 'live')).toMatchObject({ isOperator: true });
});

test("a key that no account created never has an operator's rights in live mode", () => {
  expect(decideKeyRights({ ...ofOperators, madeBy: null, maker: null }, 'live')).toBeNull();
  expect(decideKeyRights({ ...ofOperators, madeBy: null, maker: null }, 'sandbox')?.isOperator).toBe(true);
});

test('the effective scopes of a key are those that its rights still include', () => {
  expect(effectiveScopes({ ...ofStore, maker: { ...noRights, role: 'marketer' } }, 'live')).toEqual(['store:read', 'commissions:review']);
  expect(effectiveScopes({ ...ofStore, maker: noRights }, 'live')).toEqual([]);
  expect(effectiveScopes({ ...ofCreator, maker: { ...noRights, creatorId } }, 'live')).toEqual(['creator:read']);
  const runs = { ...ofOperators, scopes: ['billing:run'] } as const;
  const operator = { ...noRights, isOperator: true };
  expect(effectiveScopes({ ...runs, maker: operator }, 'live')).toEqual([]);
  expect(effectiveScopes({ ...runs, maker: { ...operator, hasSecondFactor: true } }, 'live')).toEqual(['billing:run']);
});

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
